/** An opened target: its seed inputs, and the function that runs one mutated input. */
export type Session = {
  /** Valid inputs from which mutations start; at least one. */
  readonly corpus: readonly Uint8Array[]
  /**
   * Passes the input to the code under test. Errors of Firn are an expected rejection; any other error is a
   * finding. A returned sentence is a finding as well: it describes a violated property, such as a failed
   * round trip.
   */
  run(input: Uint8Array): string | undefined | Promise<string | undefined>
  close?(): Promise<void>
}

/** A decoder or a peer that receives mutated bytes. */
export type Target = {
  readonly name: string
  /** The target's weight in the division of the time; default 1. */
  readonly share?: number
  /** Maximum duration of one case in milliseconds; by default the runner's limit. */
  readonly caseLimitMs?: number
  open(): Session | Promise<Session>
}

const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Creates a target whose input is bytes. */
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
 * Creates a target whose input is text. Mutated bytes are decoded as UTF-8, with U+FFFD for invalid bytes.
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
