/**
 * A cache of the most recently used values by key. It keeps at least `least` and at most twice as many
 * entries.
 */
export class Recent<Value> {
  readonly #least: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(least: number) {
    this.#least = least
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: Value): void {
    this.#young.set(key, value)
    if (this.#young.size < this.#least) return
    this.#old = this.#young
    this.#young = new Map()
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
