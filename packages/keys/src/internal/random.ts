/** Fills a new array of `length` bytes with randomness good enough for keys. */
export type RandomBytes = (length: number) => Uint8Array

/** The platform's own source of randomness, the default at the edges of this package. */
export const platformRandom: RandomBytes = (length) =>
  globalThis.crypto.getRandomValues(new Uint8Array(length))
