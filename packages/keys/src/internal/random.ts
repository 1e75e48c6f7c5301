/** Returns a new array of `length` random bytes suitable for keys. */
export type RandomBytes = (length: number) => Uint8Array

/** The platform's random number generator, which is the default of this package. */
export const platformRandom: RandomBytes = (length) =>
  globalThis.crypto.getRandomValues(new Uint8Array(length))
