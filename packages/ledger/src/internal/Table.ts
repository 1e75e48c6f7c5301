/** Read access to a table. `ordered` iterates over it in the order that the table's layout defines, if any. */
export interface Readable<T> {
  readonly get: (key: string) => T | undefined
  /** Returns the record with a secondary key, or undefined. Only some tables have secondary keys. */
  readonly find: (key: string) => T | undefined
  readonly ordered: () => Iterable<T>
}

/** Functions for the keys and the order of a table's records. */
export interface Layout<T> {
  readonly keyOf: (record: T) => string
  readonly compare: ((a: T, b: T) => number) | undefined
  /** Returns the secondary key of a record, or undefined if it has none. */
  readonly secondOf: ((record: T) => string | undefined) | undefined
}

/**
 * Converts a table's records to and from a compact form. Only for tables without order and secondary keys.
 */
export interface Packing<T, P> {
  readonly pack: (record: T) => P
  readonly unpack: (packed: P, key: string) => T
}

/** A readable and writable table. */
export interface Writable<T> extends Readable<T> {
  /** Writes one record. It is created if `before` is absent and removed if `after` is absent. */
  readonly write: (before: T | undefined, after: T | undefined) => void
}

/** A table that stores records by key and, if its layout defines an order, also in that order. */
export class Table<T> implements Writable<T> {
  readonly #records = new Map<string, T>()
  readonly #seconds = new Map<string, T>()
  readonly #sorted: T[] = []
  readonly #layout: Layout<T>

  constructor(layout: Layout<T>) {
    this.#layout = layout
  }

  get(key: string): T | undefined {
    return this.#records.get(key)
  }

  find(key: string): T | undefined {
    return this.#seconds.get(key)
  }

  ordered(): Iterable<T> {
    return this.#layout.compare === undefined ? this.#records.values() : this.#sorted
  }

  /** Writes one record. It is created if `before` is absent and removed if `after` is absent. */
  write(before: T | undefined, after: T | undefined): void {
    if (before !== undefined) this.#remove(before)
    if (after !== undefined) this.#add(after)
  }

  #add(record: T): void {
    const { keyOf, compare, secondOf } = this.#layout
    this.#records.set(keyOf(record), record)
    const second = secondOf?.(record)
    if (second !== undefined) this.#seconds.set(second, record)
    if (compare !== undefined) this.#sorted.splice(place(this.#sorted, record, compare), 0, record)
  }

  #remove(record: T): void {
    const { keyOf, compare, secondOf } = this.#layout
    this.#records.delete(keyOf(record))
    const second = secondOf?.(record)
    if (second !== undefined) this.#seconds.delete(second)
    if (compare !== undefined) this.#sorted.splice(place(this.#sorted, record, compare), 1)
  }
}

/** A table that stores records in a compact form. */
export class PackedTable<T, P> implements Writable<T> {
  readonly #records = new Map<string, P>()
  readonly #keyOf: (record: T) => string
  readonly #packing: Packing<T, P>

  constructor({ keyOf }: Layout<T>, packing: Packing<T, P>) {
    this.#keyOf = keyOf
    this.#packing = packing
  }

  get(key: string): T | undefined {
    const packed = this.#records.get(key)
    return packed === undefined ? undefined : this.#packing.unpack(packed, key)
  }

  find(): undefined {
    return undefined
  }

  *ordered(): Iterable<T> {
    for (const [key, packed] of this.#records) yield this.#packing.unpack(packed, key)
  }

  write(before: T | undefined, after: T | undefined): void {
    if (before !== undefined) this.#records.delete(this.#keyOf(before))
    if (after !== undefined) this.#records.set(this.#keyOf(after), this.#packing.pack(after))
  }
}

/** A table of pending changes on top of a table that stays unchanged. */
export class Overlay<T> implements Readable<T> {
  readonly #base: Readable<T>
  readonly #records = new Map<string, T | undefined>()
  readonly #seconds = new Map<string, T | undefined>()
  readonly #layout: Layout<T>

  constructor(base: Readable<T>, layout: Layout<T>) {
    this.#base = base
    this.#layout = layout
  }

  get(key: string): T | undefined {
    return this.#records.has(key) ? this.#records.get(key) : this.#base.get(key)
  }

  find(key: string): T | undefined {
    return this.#seconds.has(key) ? this.#seconds.get(key) : this.#base.find(key)
  }

  /** Writes one record. It is created if `before` is absent and removed if `after` is absent. */
  write(before: T | undefined, after: T | undefined): void {
    if (before !== undefined) this.#put(before, undefined)
    if (after !== undefined) this.#put(after, after)
  }

  #put(record: T, value: T | undefined): void {
    const { keyOf, secondOf } = this.#layout
    this.#records.set(keyOf(record), value)
    const second = secondOf?.(record)
    if (second !== undefined) this.#seconds.set(second, value)
  }

  *ordered(): Iterable<T> {
    const own = [...this.#records.values()].filter((record) => record !== undefined)
    const { keyOf, compare } = this.#layout
    if (compare !== undefined) own.sort(compare)
    let next = 0
    for (const record of this.#base.ordered()) {
      if (this.#records.has(keyOf(record))) continue
      for (; compare !== undefined && next < own.length && compare(own[next] as T, record) < 0; next++) {
        yield own[next] as T
      }
      yield record
    }
    yield* own.slice(next)
  }
}

/** Returns the index of a record in a sorted list, or the index at which to insert it. */
function place<T>(sorted: readonly T[], record: T, compare: (a: T, b: T) => number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(sorted[middle] as T, record) < 0) low = middle + 1
    else high = middle
  }
  return low
}
