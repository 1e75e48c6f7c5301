import { Address, Network } from '@firn/codec'
import type * as Codec from '@firn/codec/Codec'

/** How addresses stand in JSON. It comes with the context, so that decoding alone needs no bech32. */
export interface AddressForm {
  readonly format: (payload: Uint8Array) => string
  readonly parse: (text: string) => Uint8Array
}

/** What the node's JSON of a chain's structures depends on. */
export interface NodeJsonContext extends Codec.JsonContext {
  readonly hrp: string
  readonly chain: string
  readonly addresses: AddressForm
}

/**
 * The context that the node's JSON of a chain is written and read in: addresses like `P-avax1…`, with the network's prefix and
 * the chain's alias. Without a context, structures print as the node prints those that it hasn't told their chain: addresses
 * in cb58, the zero id as every fx.
 */
export function context(networkId: number, chain: string): NodeJsonContext {
  const hrp = Network.hrp(networkId)
  const addresses = {
    format: (payload: Uint8Array) => Address.format({ chain, hrp, payload }),
    parse: Address.parseBytes,
  }
  return { hrp, chain, addresses }
}
