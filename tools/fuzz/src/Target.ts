/** An opened target: its seed inputs, and the function that runs one mutated input. */
export type Session = {
  /** Valid inputs from which mutations start. The list is not empty. */
  readonly corpus: readonly Uint8Array[]
  /**
   * Passes the input to the code under test. A thrown error of Firn is an expected rejection; any other error
   * is a finding. A returned text is also a finding: it describes a violated property, such as a failed round
   * trip.
   */
  run(input: Uint8Array): string | undefined | Promise<string | undefined>
  close?(): Promise<void>
}

/** A decoder or a peer that receives mutated bytes. */
export type Target = {
  readonly name: string
  /** Weight of the target when the total time is divided among the targets; defaults to 1. */
  readonly share?: number
  /** Maximum duration of one case in milliseconds; defaults to the runner's limit. */
  readonly caseLimitMs?: number
  open(): Session | Promise<Session>
}

const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Creates a target that takes bytes as input. */
export const ofBytes = (
  name: string,
  corpus: () => readonly Uint8Array[],
  run: (input: Uint8Array) => unknown,
): Target => ({
  name,
  open: () => ({
    corpus: corpus(),
    run: (input) => {
      const result = run(input)
      return typeof result === 'string' ? result : undefined
    },
  }),
})

/**
 * Creates a target that takes text as input. Mutated bytes are decoded as UTF-8, with U+FFFD for invalid
 * bytes.
 */
export const ofText = (
  name: string,
  corpus: () => readonly string[],
  run: (text: string) => unknown,
): Target => ({
  name,
  open: () => ({
    corpus: corpus().map((text) => new TextEncoder().encode(text)),
    run: (input) => {
      const result = run(utf8.decode(input))
      return typeof result === 'string' ? result : undefined
    },
  }),
})
