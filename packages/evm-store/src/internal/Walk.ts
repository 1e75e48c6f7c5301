import { formatArray, type Row, type Session, toKey } from '@firn/sql'
import type { ReplacedTable } from '../DataKinds.ts'
import { Series } from './Series.ts'

/** Finds the rows that are no longer needed among rows in the order of the primary key. */
interface Finder {
  /** `holder` is the row of `token_holder` that belongs to the row, if there is one. */
  next(row: Row, holder: Row | undefined): readonly Row[]
  /** Returns the others, if no row of the same holding or token follows. */
  end(): readonly Row[]
}

const HOLDING = ['address', 'standard', 'contract', 'token_id']

/** For each table, the columns of the primary key, the last of which is a height, and how rows replace each other. */
const REPLACED: {
  readonly [Name in ReplacedTable]: {
    readonly key: readonly string[]
    readonly finder: (below: bigint) => Finder
  }
} = {
  token_balance: { key: [...HOLDING, 'since'], finder: findBalances },
  balance_reading: { key: [...HOLDING, 'height'], finder: findEarlier },
  token_owner: { key: ['contract', 'token_id', 'since'], finder: findEnded },
}

/** A row is replaced by the next one. */
function findEarlier(): Finder {
  let newest: Row | undefined
  return {
    next(row) {
      const gone = newest === undefined ? [] : [newest]
      newest = row
      return gone
    },
    end() {
      newest = undefined
      return []
    },
  }
}

/** An owner is replaced at the height at which the ownership ended. */
function findEnded(below: bigint): Finder {
  const isOver = ({ until }: Row) => until !== null && (until as bigint) < below
  return { next: (row) => (isOver(row) ? [row] : []), end: () => [] }
}

/** The row in `token_holder` is one of a holder's balances. The tokens of ERC-1155 have no such rows and no undo of peaks. */
function findBalances(below: bigint): Finder {
  const items = findEarlier()
  let series = new Series<Row | undefined>()
  let pending: Row | undefined
  const add = (row: Row, source: Row | undefined) =>
    rowsOf(series.add({ balance: row['balance'] as bigint, source }))
  return {
    next(row, holder) {
      if (row['standard'] === 1155) return items.next(row, undefined)
      const gone: Row[] = []
      // The holder is known with each of the rows, and is added once.
      if (pending === undefined && holder !== undefined && heightOf(holder) < below) pending = holder
      if (pending !== undefined && pending !== ADDED && heightOf(pending) < heightOf(row)) {
        gone.push(...add(pending, undefined))
        pending = ADDED
      }
      return [...gone, ...add(row, row)]
    },
    end() {
      const gone = [...items.end()]
      if (pending !== undefined && pending !== ADDED) gone.push(...add(pending, undefined))
      gone.push(...rowsOf(series.end()))
      series = new Series()
      pending = undefined
      return gone
    },
  }
}

/** Stands for a holder that was added. */
const ADDED: Row = {}
const heightOf = ({ since }: Row) => since as bigint
const rowsOf = (steps: readonly { readonly source: Row | undefined }[]) =>
  steps.flatMap(({ source }) => (source === undefined ? [] : [source]))

const TYPES: Readonly<Record<string, string>> = {
  address: 'bytea',
  contract: 'bytea',
  standard: 'int4',
  token_id: 'numeric',
  since: 'int8',
  height: 'int8',
}

/**
 * A walk over the rows of a table in the order of its primary key, which deletes those that others replaced below a
 * height. What was valid after the block before this height, and later, remains known. After an error, a new walk must be
 * started.
 */
export class Walk {
  /** The height. */
  readonly below: bigint
  readonly #table: ReplacedTable
  readonly #finder: Finder
  #last: Row | undefined

  constructor(table: ReplacedTable, below: bigint) {
    this.#table = table
    this.below = below
    this.#finder = REPLACED[table].finder(below)
  }

  /** Examines the next `batch` rows, and deletes those that are not needed. Returns whether there are more. */
  async step(session: Session, batch: number): Promise<boolean> {
    const rows = await this.#read(session, batch)
    const holders = this.#table === 'token_balance' ? await readHolders(session, rows) : undefined
    const gone: Row[] = []
    for (const row of rows) {
      if (this.#last !== undefined && this.#holdingOf(row) !== this.#holdingOf(this.#last))
        gone.push(...this.#finder.end())
      gone.push(...this.#finder.next(row, holders?.get(holderKey(row))))
      this.#last = row
    }
    const hasMore = rows.length === batch
    if (!hasMore) gone.push(...this.#finder.end())
    if (gone.length > 0) await this.#delete(session, gone)
    return hasMore
  }

  async #read(session: Session, batch: number): Promise<readonly Row[]> {
    const { key } = REPLACED[this.#table]
    const last = this.#last
    const order = key.join(', ')
    const places = key.map((name, i) => `$${i + 3}::${TYPES[name]}`)
    const isBehind = last === undefined ? '' : `and (${order}) > (${places.join(', ')})`
    const text = `select * from ${this.#table} where ${key.at(-1)} < $1 ${isBehind} order by ${order} limit $2`
    const place = last === undefined ? [] : key.map((name) => parameterOf(last[name]))
    return session.query(text, [String(this.below), batch, ...place])
  }

  #holdingOf(row: Row): string {
    const { key } = REPLACED[this.#table]
    return key
      .slice(0, -1)
      .map((name) => (row[name] instanceof Uint8Array ? toKey(row[name]) : String(row[name])))
      .join(' ')
  }

  async #delete(session: Session, rows: readonly Row[]): Promise<void> {
    const { key } = REPLACED[this.#table]
    const given = key.map((name, i) => `$${i + 1}::${TYPES[name]}[]`).join(', ')
    const same = key.map((name) => `t.${name} = k.${name}`).join(' and ')
    await session.query(
      `delete from ${this.#table} t using unnest(${given}) as k (${key.join(', ')}) where ${same}`,
      key.map((name) => columnOf(rows, name)),
    )
  }
}

/** Reads the rows of `token_holder` that belong to rows of `token_balance`. */
async function readHolders(session: Session, rows: readonly Row[]): Promise<ReadonlyMap<string, Row>> {
  const owners = new Map(rows.map((row) => [holderKey(row), row]))
  const given = [...owners.values()].filter(({ standard }) => standard !== 1155)
  if (given.length === 0) return new Map()
  const found = await session.query(
    `select h.address, h.standard, h.contract, h.since, h.balance
      from unnest($1::bytea[], $2::int4[], $3::bytea[]) as k (address, standard, contract)
      join token_holder h on h.address = k.address and h.standard = k.standard and h.contract = k.contract`,
    ['address', 'standard', 'contract'].map((name) => columnOf(given, name)),
  )
  return new Map(found.map((row) => [holderKey(row), row]))
}

function holderKey({ address, standard, contract }: Row): string {
  return `${toKey(address as Uint8Array)}${standard} ${toKey(contract as Uint8Array)}`
}

/** Returns a column of rows as a parameter. */
function columnOf(rows: readonly Row[], name: string): unknown {
  const values = rows.map((row) => row[name])
  return TYPES[name] === 'bytea' ? (values as Uint8Array[]) : formatArray(values as bigint[])
}

function parameterOf(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
