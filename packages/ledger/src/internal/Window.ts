import type { ChainAlias } from '@firn/codec'
import type * as Records from '../Records.ts'
import { refuse } from './refuse.ts'
import type { Layout, Packing, Writable } from './Table.ts'

/** Names of the tables that can be windows. The ledger reads them only by key. */
export type Windowed = 'utxo' | 'asset'

/** Heights of the last stored blocks. */
export interface Heights extends Readonly<Record<ChainAlias, bigint>> {
  /**
   * Number of calls of `LedgerState.commit` without a block whose changes are stored: those of the X-chain's vertices.
   */
  readonly vertices?: bigint
}

/** The block that wrote a record, or the number of the commit without a block. */
export interface Origin {
  readonly chain: ChainAlias | 'vertices'
  readonly height: bigint
}

interface Entry<P> {
  /** The record in packed form; undefined if it is known to be absent. */
  readonly packed: P | undefined
  /** The block that wrote the record; undefined if the record was read from the store. */
  readonly origin: Origin | undefined
}

/**
 * The part of a large table that is in memory: records read from the store, changes that are not stored yet, and a
 * limited number of other records. Reading a record that is not in the window throws.
 */
export class Window<Name extends Windowed, P> implements Writable<Records.Records[Name]> {
  readonly #name: Name
  readonly #keyOf: (record: Records.Records[Name]) => string
  readonly #packing: Packing<Records.Records[Name], P>
  /** The entries, the most recently added last. */
  readonly #entries = new Map<string, Entry<P>>()
  /** The block whose changes are written next. */
  #origin: Origin | undefined

  constructor(
    name: Name,
    { keyOf }: Layout<Records.Records[Name]>,
    packing: Packing<Records.Records[Name], P>,
  ) {
    this.#name = name
    this.#keyOf = keyOf
    this.#packing = packing
  }

  /** @throws LedgerError `LEDGER_NOT_FETCHED` */
  get(key: string): Records.Records[Name] | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      const text = `the record ${key} of the table ${this.#name} is not in memory; read it with LedgerState.fetch`
      return refuse('LEDGER_NOT_FETCHED', text, { table: this.#name, key })
    }
    return entry.packed === undefined ? undefined : this.#packing.unpack(entry.packed, key)
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
    return this.#entries.has(key)
  }

  /** Names the block whose changes are written next. They stay in the window until the block is stored. */
  enter(origin: Origin | undefined): void {
    this.#origin = origin
  }

  write(before: Records.Records[Name] | undefined, after: Records.Records[Name] | undefined): void {
    if (before !== undefined) this.#put(this.#keyOf(before), undefined)
    if (after !== undefined) this.#put(this.#keyOf(after), after)
  }

  #put(key: string, record: Records.Records[Name] | undefined): void {
    this.#entries.set(key, { packed: this.#pack(record), origin: this.#origin })
  }

  #pack(record: Records.Records[Name] | undefined): P | undefined {
    return record === undefined ? undefined : this.#packing.pack(record)
  }

  /**
   * Adds a record that was read from the store, or its absence. A record that the window has already is newer and
   * stays.
   */
  provide(key: string, record: Records.Records[Name] | undefined): void {
    if (!this.#entries.has(key)) this.#entries.set(key, { packed: this.#pack(record), origin: undefined })
  }

  /** Drops the oldest records that are stored, until at most `limit` records are left. */
  evict(limit: number, stored: Heights): void {
    for (const [key, { origin }] of this.#entries) {
      if (this.#entries.size <= limit) return
      if (origin !== undefined && origin.height > (stored[origin.chain] ?? 0n)) continue
      this.#entries.delete(key)
    }
  }
}
