import * as Endpoint from '../Endpoint.ts'

/** Maximum number of addresses per node that the caller added. The oldest ones are dropped. */
const MAX_ADDED = 8

/** The known addresses of one node, and the order in which they are dialled. */
export class Addresses {
  /** The address that the node itself has signed. */
  #claimed: Endpoint.Endpoint | undefined
  /** The addresses that the caller added, newest first. */
  #added: readonly Endpoint.Endpoint[] = []
  /** The addresses that were not dialled since they were learned, as text. */
  readonly #fresh = new Set<string>()
  #turn = 0

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  /** True if the caller added any address. */
  get hasAdded(): boolean {
    return this.#added.length > 0
  }

  /** True if the next address was not dialled since it was learned. */
  get isNextFresh(): boolean {
    return this.#fresh.size > 0
  }

  /** Adds an address. Returns whether it was unknown. */
  add(endpoint: Endpoint.Endpoint): boolean {
    const text = Endpoint.format(endpoint)
    const isNew = !this.#all.some((known) => Endpoint.format(known) === text)
    if (isNew) this.#fresh.add(text)
    const others = this.#added.filter((known) => Endpoint.format(known) !== text)
    this.#added = [endpoint, ...others].slice(0, MAX_ADDED)
    this.#forgetOld()
    return isNew
  }

  /** Stores a newer address that the node itself has signed. */
  claim(endpoint: Endpoint.Endpoint): void {
    this.#claimed = endpoint
    this.#fresh.add(Endpoint.format(endpoint))
    this.#forgetOld()
  }

  /**
   * Returns the address to dial next: the newest one that was not dialled since it was learned, otherwise all addresses
   * in turn. The address that the node itself claims comes first, because it is signed and recent.
   */
  next(): Endpoint.Endpoint | undefined {
    const all = this.#all
    return all.find((endpoint) => this.#fresh.has(Endpoint.format(endpoint))) ?? all[this.#turn % all.length]
  }

  /** Marks the result of {@link next} as dialled. */
  advance(): void {
    const next = this.next()
    if (next === undefined) return
    if (!this.#fresh.delete(Endpoint.format(next))) this.#turn++
  }

  get #all(): readonly Endpoint.Endpoint[] {
    return this.#claimed === undefined ? this.#added : [this.#claimed, ...this.#added]
  }

  #forgetOld(): void {
    const known = new Set(this.#all.map(Endpoint.format))
    for (const text of this.#fresh) if (!known.has(text)) this.#fresh.delete(text)
  }
}
