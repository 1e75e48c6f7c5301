/** The BLS functions this package needs and does not contain. */
export interface BlsChecks {
  /** Tells whether 96 bytes decode to a point of the signature group (infinity passes). */
  readonly isSignature: (signature: Uint8Array) => boolean
  /** Verifies a proof-of-possession signature (96 bytes) of `message` by a public key (48 bytes). */
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
}
