/**
 * Work for a worker thread. Keys and signatures cross the threads as bytes in one array, one after the other. Keys are
 * uncompressed (96 bytes each), so that they need not be decoded again.
 */
export interface Jobs {
  /** Verifies compressed signatures (96 bytes each) of `message`. */
  readonly check: {
    readonly input: {
      readonly message: Uint8Array
      readonly publicKeys: Uint8Array
      readonly signatures: Uint8Array
    }
    /** A {@link VERDICTS} index per signature, and the uncompressed valid signatures (192 bytes each). */
    readonly output: { readonly verdicts: Uint8Array; readonly points: Uint8Array }
  }
  /** Adds uncompressed signatures (192 bytes each) of `message`, and verifies the sum. */
  readonly aggregate: {
    readonly input: {
      readonly message: Uint8Array
      readonly publicKeys: Uint8Array
      readonly signatures: Uint8Array
    }
    /** The sum in compressed form (96 bytes); undefined if it is not valid. */
    readonly output: Uint8Array | undefined
  }
  /** Decodes compressed keys (48 bytes each). */
  readonly decodeKeys: {
    readonly input: Uint8Array
    /** The uncompressed keys, with 96 zero bytes for each key that is not valid. */
    readonly output: Uint8Array
  }
}

/** The verdicts in the output of `check`, by their number. */
export const VERDICTS = ['valid', 'malformed', 'wrong'] as const
