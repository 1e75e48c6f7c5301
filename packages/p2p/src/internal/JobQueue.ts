/** Runs jobs in the order of their arrival, at most `limit` of them at once. */
export class JobQueue {
  readonly #limit: number
  readonly #waiting = new Set<() => Promise<void> | undefined>()
  #running = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds a job, which may be synchronous and must neither throw nor reject. */
  add(job: () => Promise<void> | undefined): void {
    this.#waiting.add(job)
    this.#advance()
  }

  /** Removes the jobs that have not started. */
  clear(): void {
    this.#waiting.clear()
  }

  #advance(): void {
    for (const job of this.#waiting) {
      if (this.#running >= this.#limit) return
      this.#waiting.delete(job)
      this.#running++
      const done = job()
      if (done === undefined) this.#running--
      else void done.then(this.#onDone)
    }
  }

  readonly #onDone = (): void => {
    this.#running--
    this.#advance()
  }
}
