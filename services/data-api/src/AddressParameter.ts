import { Bech32, Hex } from '@firn/codec'
import * as Parameter from './front/Parameter.ts'

/** The most addresses of one request. */
export const MAX_ADDRESSES = 64

/** The most addresses of a request that has them in its body. */
export const MAX_ADDRESSES_OF_BODY = 1_024

/**
 * Addresses in every spelling: bech32 of the network with a chain's prefix or without, and `0x` of the C-chain; each 20 bytes.
 */
export function addresses(hrp: string, most = MAX_ADDRESSES): Parameter.Parameter<readonly Uint8Array[]> {
  const expected = `addresses like ${hrp}1…, P-${hrp}1…, X-${hrp}1…, C-${hrp}1… or 0x…`
  return Parameter.list(expected, most, (text) => parse(text, hrp))
}

function parse(text: string, hrp: string): Uint8Array | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return Hex.decode(text.toLowerCase())
  try {
    const decoded = Bech32.decode(text.replace(/^[PXC]-/, ''))
    return decoded.hrp === hrp && decoded.payload.length === 20 ? decoded.payload : undefined
  } catch {
    return undefined
  }
}
