import { Bech32, Hex } from '@firn/codec'
import * as Parameter from '../../http/endpoint/Parameter.ts'

/** Maximum number of addresses in a request's query string. */
export const MAX_ADDRESSES = 64

/** Maximum number of addresses in a request body. */
export const MAX_ADDRESSES_OF_BODY = 1_024

/**
 * Returns a parameter for a list of addresses. Accepts bech32 with or without a chain prefix (`P-`, `X-`,
 * `C-`), and hex (`0x…`). Each value is a 20-byte address.
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
