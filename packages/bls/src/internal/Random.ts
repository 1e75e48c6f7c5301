/** Returns `length` unpredictable bytes. */
export type RandomBytes = (length: number) => Uint8Array

/** Maximum number of random bytes that the platform returns per call. */
const LIMIT = 65_536

/** Returns bytes from the platform's cryptographic generator. */
export const randomBytes: RandomBytes = (length) => {
  const bytes = new Uint8Array(length)
  for (let offset = 0; offset < length; offset += LIMIT) {
    crypto.getRandomValues(bytes.subarray(offset, Math.min(length, offset + LIMIT)))
  }
  return bytes
}
