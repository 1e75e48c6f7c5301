import { Address, Network } from '@firn/codec'
import type * as Codec from '@firn/codec/Codec'

/**
 * Converts addresses to and from their JSON form. The functions are part of the context, so that code that does not
 * use JSON does not load bech32.
 */
export interface AddressForm {
  readonly format: (payload: Uint8Array) => string
  readonly parse: (text: string) => Uint8Array
}

/** The context for the node's JSON of a chain's structures. */
export interface NodeJsonContext extends Codec.JsonContext {
  readonly hrp: string
  readonly chain: string
  readonly addresses: AddressForm
}

/**
 * Returns the context for reading and writing the node's JSON of a chain, with addresses such as `P-avax1…`
 * (the chain's alias, then the network's prefix). Without a context, JSON is what the node prints for
 * structures whose chain is not set: addresses in cb58, and the zero id as every fx.
 * @example
 * ```ts
 * import { NodeJson, PlatformTx } from '@firn/txs'
 *
 * declare const tx: PlatformTx.PlatformTx
 * const json = PlatformTx.toJSON(tx, NodeJson.context(5, 'P')) // addresses such as P-fuji1…
 * ```
 */
export function context(networkId: number, chain: string): NodeJsonContext {
  const hrp = Network.hrp(networkId)
  const addresses = {
    format: (payload: Uint8Array) => Address.format({ chain, hrp, payload }),
    parse: Address.parseBytes,
  }
  return { hrp, chain, addresses }
}
