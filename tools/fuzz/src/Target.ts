/** A fuzzed function at work: seeds, and what to do with one mutated input. */
export type Session = {
  /** Valid inputs from which mutations start; at least one. */
  readonly corpus: readonly Uint8Array[]
  /**
   * Gives the input to the code under test. It may throw errors of Firn, which is the refusal that is wanted; anything
   * else that it throws is a finding, and so is a returned sentence (a broken promise, such as a round trip).
   */
  run(input: Uint8Array): string | undefined | Promise<string | undefined>
  close?(): Promise<void>
}

/** A decoder or a peer that is given mutated bytes. */
export type Target = {
  readonly name: string
  /** How much of the time it gets, beside others' 1. */
  readonly share?: number
  /** Longest that one case may take, in milliseconds; the runner's default if absent. */
  readonly caseLimitMs?: number
  open(): Session | Promise<Session>
}

const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** A target over bytes. */
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

/** A target over text: mutated bytes are read as UTF-8, with U+FFFD for what is none. */
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
