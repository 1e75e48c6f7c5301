/** An opened target: its seeds, and the function that runs one mutated input. */
export type Session = {
  /** Valid inputs from which mutations start; at least one. */
  readonly corpus: readonly Uint8Array[]
  /**
   * Passes the input to the code under test. It may throw errors of Firn, which are the expected rejection;
   * any other error is a finding, and so is a returned sentence (a violated property, such as a round trip).
   */
  run(input: Uint8Array): string | undefined | Promise<string | undefined>
  close?(): Promise<void>
}

/** A decoder or a peer that is given mutated bytes. */
export type Target = {
  readonly name: string
  /** Its share of the time; others have 1. */
  readonly share?: number
  /** Maximum duration of one case in milliseconds; by default the runner's. */
  readonly caseLimitMs?: number
  open(): Session | Promise<Session>
}

const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Returns a target over bytes. */
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

/** Returns a target over text: mutated bytes are read as UTF-8, with U+FFFD for invalid ones. */
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
