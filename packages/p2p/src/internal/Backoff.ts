/** Delays between attempts, in milliseconds. */
export interface BackoffOptions {
  /** The first delay; default 1,000. */
  readonly initialMs: number
  /** Where growth ends: from here on a delay is between ¾ of it and itself; default 60,000. */
  readonly maximumMs: number
  /** A number in [0, 1). */
  readonly random: () => number
}

/** The delays of one node: each is the last one times a random factor in [1, 2). */
export class Backoff {
  readonly #options: BackoffOptions
  #delay: number

  constructor(options: BackoffOptions) {
    this.#options = options
    this.#delay = options.initialMs
  }

  /** The delay before the next attempt. */
  next(): number {
    const { maximumMs, random } = this.#options
    const delay = this.#delay * (1 + random())
    this.#delay = delay <= maximumMs ? delay : maximumMs * (0.75 + 0.25 * random())
    return this.#delay
  }

  /** An attempt succeeded. */
  reset(): void {
    this.#delay = this.#options.initialMs
  }
}
