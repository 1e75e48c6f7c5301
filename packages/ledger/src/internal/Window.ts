import type { ChainAlias } from '@firn/codec'
import type * as Records from '../Records.ts'
import { refuse } from './refuse.ts'
import type { Layout, Packing, Writable } from './Table.ts'

/** Names of the tables that can be windows. The ledger reads them only by key. */
export type Windowed = 'utxo' | 'asset'

/** Heights of the last stored blocks. */
export interface Heights extends Readonly<Record<ChainAlias, bigint>> {
  /**
   * Number of calls of `LedgerState.commit` without a block whose changes are stored, which are calls for vertices of the X-chain.
   */
  readonly vertices?: bigint
}

/** The block that wrote a record, or the number of the commit without a block. */
export interface Origin {
  readonly chain: ChainAlias | 'vertices'
  readonly height: bigint
}

interface Entry<T> {
  /** The record, in packed form if the entry is old; undefined if it is known to be absent. */
  readonly value: T | undefined
  /** The block that wrote the record; undefined if the record was read from the store. */
  readonly origin: Origin | undefined
}

/** Maximum number of entries that are packed at once. */
const MAX_FRESH = 4096

/**
 * The part of a large table that is in memory: records read from the store, changes that are not stored yet, and a
 * limited number of other records. Reading a record that is not in the window throws.
 */
export class Window<Name extends Windowed, P> implements Writable<Records.Records[Name]> {
  readonly #name: Name
  readonly #keyOf: (record: Records.Records[Name]) => string
  readonly #packing: Packing<Records.Records[Name], P>
  /** The newest entries, the most recently added last. They are not packed, because they are often read soon. */
  #fresh = new Map<string, Entry<Records.Records[Name]>>()
  /** The other entries, in the order in which they were added. None of them is among the newest ones. */
  readonly #packed = new Map<string, Entry<P>>()
  /** Number of entries that are packed at once when twice as many are not packed. */
  readonly #freshCount: number
  /** The block whose changes are written next. */
  #origin: Origin | undefined

  constructor(
    name: Name,
    { keyOf }: Layout<Records.Records[Name]>,
    packing: Packing<Records.Records[Name], P>,
    limit: number,
  ) {
    this.#name = name
    this.#keyOf = keyOf
    this.#packing = packing
    this.#freshCount = Math.max(Math.min(MAX_FRESH, Math.ceil(limit / 8)), 1)
  }

  /** @throws LedgerError `LEDGER_NOT_FETCHED` */
  get(key: string): Records.Records[Name] | undefined {
    const fresh = this.#fresh.get(key)
    if (fresh !== undefined) return fresh.value
    const entry = this.#packed.get(key)
    if (entry === undefined) {
      const text = `the record ${key} of the table ${this.#name} is not in memory; read it with LedgerState.fetch`
      return refuse('LEDGER_NOT_FETCHED', text, { table: this.#name, key })
    }
    return entry.value === undefined ? undefined : this.#packing.unpack(entry.value, key)
  }

  find(): undefined {
    return undefined
  }

  /** @throws LedgerError `LEDGER_NOT_FETCHED` */
  ordered(): never {
    const text = `the table ${this.#name} is not in memory as a whole; query the store instead`
    return refuse('LEDGER_NOT_FETCHED', text, { table: this.#name })
  }

  /** Returns true if the window has the record, or knows that it is absent. */
  has(key: string): boolean {
    return this.#fresh.has(key) || this.#packed.has(key)
  }

  /** Names the block whose changes are written next. They stay in the window until the block is stored. */
  enter(origin: Origin | undefined): void {
    this.#origin = origin
  }

  write(before: Records.Records[Name] | undefined, after: Records.Records[Name] | undefined): void {
    if (before !== undefined) this.#put(this.#keyOf(before), undefined, this.#origin)
    if (after !== undefined) this.#put(this.#keyOf(after), after, this.#origin)
  }

  #put(key: string, value: Records.Records[Name] | undefined, origin: Origin | undefined): void {
    this.#packed.delete(key)
    this.#fresh.set(key, { value, origin })
    if (this.#fresh.size >= 2 * this.#freshCount) this.#packOldest()
  }

  #packOldest(): void {
    const all = [...this.#fresh]
    for (const [key, { value, origin }] of all.slice(0, this.#freshCount)) {
      this.#packed.set(key, { value: value && this.#packing.pack(value), origin })
    }
    this.#fresh = new Map(all.slice(this.#freshCount))
  }

  /**
   * Adds a record that was read from the store, or its absence. A record that the window has already is newer and
   * stays.
   */
  provide(key: string, record: Records.Records[Name] | undefined): void {
    if (!this.has(key)) this.#put(key, record, undefined)
  }

  /** Drops the oldest records that are stored, until at most `limit` records are left. */
  evict(limit: number, stored: Heights): void {
    for (const entries of [this.#packed, this.#fresh]) {
      for (const [key, { origin }] of entries) {
        if (this.#packed.size + this.#fresh.size <= limit) return
        if (origin !== undefined && origin.height > (stored[origin.chain] ?? 0n)) continue
        entries.delete(key)
      }
    }
  }
}
