import { Address, Network } from '@firn/codec'
import type * as Codec from '@firn/codec/Codec'

/** The JSON form of addresses. It comes with the context, so that decoding alone needs no bech32. */
export interface AddressForm {
  readonly format: (payload: Uint8Array) => string
  readonly parse: (text: string) => Uint8Array
}

/** The context of the node's JSON of a chain's structures. */
export interface NodeJsonContext extends Codec.JsonContext {
  readonly hrp: string
  readonly chain: string
  readonly addresses: AddressForm
}

/**
 * Returns the context for reading and writing the node's JSON of a chain: addresses like `P-avax1…`, with the
 * network's prefix and the chain's alias. Without a context, structures print like those whose chain the node
 * has not set: addresses in cb58, the zero id as every fx.
 */
export function context(networkId: number, chain: string): NodeJsonContext {
  const hrp = Network.hrp(networkId)
  const addresses = {
    format: (payload: Uint8Array) => Address.format({ chain, hrp, payload }),
    parse: Address.parseBytes,
  }
  return { hrp, chain, addresses }
}
