/** The balance of a holder from a height on. `Source` is what the caller wants back. */
export interface Step<Source> {
  readonly balance: bigint
  readonly source: Source
}

/**
 * The balances of one holder in ascending order of their heights, of which only some are needed: the newest one, the one
 * with which its amount began, and the highest one, to which an undo of later blocks returns. So that the latter two are
 * seen as changes, the balance before each is needed too if no other one precedes it.
 */
export class Series<Source> {
  #newest: Step<Source> | undefined
  #begin: Step<Source> | undefined
  #beforeBegin: Step<Source> | undefined
  #highest: Step<Source> | undefined
  #beforeHighest: Step<Source> | undefined

  /** Adds the next balance. Returns the balances that are no longer needed. */
  add(step: Step<Source>): readonly Step<Source>[] {
    const open = this.#steps()
    if (this.#begin === undefined || step.balance !== this.#begin.balance) {
      this.#beforeBegin = this.#newest
      this.#begin = step
    }
    if (this.#highest === undefined || step.balance > this.#highest.balance) {
      this.#beforeHighest = this.#newest
      this.#highest = step
    }
    this.#newest = step
    const needed = this.#steps()
    return [...open].filter((one) => !needed.has(one))
  }

  /** Returns the other balances that are not needed if none follows. */
  end(): readonly Step<Source>[] {
    const [begin, highest] = [this.#begin, this.#highest]
    const needed = new Set([this.#newest, begin, highest])
    if (highest?.balance === 0n) needed.add(this.#beforeHighest)
    const previous = highest === begin ? 0n : highest?.balance
    if (begin?.balance === previous) needed.add(this.#beforeBegin)
    return [...this.#steps()].filter((one) => !needed.has(one))
  }

  #steps(): Set<Step<Source>> {
    const all = [this.#newest, this.#begin, this.#beforeBegin, this.#highest, this.#beforeHighest]
    return new Set(all.filter((one) => one !== undefined))
  }
}
