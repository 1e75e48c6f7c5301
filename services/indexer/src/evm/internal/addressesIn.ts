const SELECTOR = 4
const WORD = 32

/**
 * Returns the words of a call's input that look like addresses: 12 zero bytes, followed by 20 bytes of which the first
 * 4 are not all zero.
 */
export function addressesIn(input: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = []
  for (let at = SELECTOR; at + WORD <= input.length; at += WORD) {
    const word = input.subarray(at, at + WORD)
    const isPadded = word.subarray(0, 12).every((byte) => byte === 0)
    if (isPadded && word.subarray(12, 16).some((byte) => byte !== 0)) found.push(word.subarray(12))
  }
  return found
}
