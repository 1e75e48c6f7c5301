/** Who this side is: a staking certificate with its key, and a BLS key to sign addresses with. */
export interface Identity {
  /** DER, at most 2,048 bytes. */
  readonly certificate: Uint8Array
  /** PKCS#8 DER. */
  readonly privateKey: Uint8Array
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** The 96-byte proof-of-possession signature of some bytes. */
  readonly blsSign: (message: Uint8Array) => Uint8Array
}

/** What {@link create} takes. Certificate and key come together or not at all; without them a fresh pair is made. */
export interface CreateOptions {
  /** DER. */
  readonly certificate?: Uint8Array
  /** PKCS#8 DER. */
  readonly privateKey?: Uint8Array
  /** Signs with the proof-of-possession ciphersuite: 96 bytes. */
  readonly blsSign: (message: Uint8Array) => Uint8Array
}

export function create(_options: CreateOptions): Identity {
  throw new Error('soon')
}
