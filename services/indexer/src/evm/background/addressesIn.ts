const WORD = 32

/**
 * Returns the words of encoded arguments that look like addresses: 12 zero bytes, followed by 20 bytes of which the
 * first 4 are not all zero.
 */
export function addressesIn(data: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = []
  for (let at = 0; at + WORD <= data.length; at += WORD) {
    const word = data.subarray(at, at + WORD)
    const isPadded = word.subarray(0, 12).every((byte) => byte === 0)
    if (isPadded && word.subarray(12, 16).some((byte) => byte !== 0)) found.push(word.subarray(12))
  }
  return found
}
