/** Back-off delays between attempts, in milliseconds. */
export interface BackoffOptions {
  /** The first delay; default 1,000. */
  readonly initialMs: number
  /** The upper bound; default 60,000. Once it is reached, delays are between ¾ of it and all of it. */
  readonly maximumMs: number
  /** Returns a number in [0, 1). */
  readonly random: () => number
}

/** Back-off of one node. Each delay is the previous one multiplied by a random factor in [1, 2). */
export class Backoff {
  readonly #options: BackoffOptions
  #delay: number

  constructor(options: BackoffOptions) {
    this.#options = options
    this.#delay = options.initialMs
  }

  /** Returns the delay before the next attempt. */
  next(): number {
    const { maximumMs, random } = this.#options
    const delay = this.#delay * (1 + random())
    this.#delay = delay <= maximumMs ? delay : maximumMs * (0.75 + 0.25 * random())
    return this.#delay
  }

  /** Restarts with the initial delay. Called when an attempt succeeded. */
  reset(): void {
    this.#delay = this.#options.initialMs
  }
}
