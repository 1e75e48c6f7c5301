import { formatArray, type Session, TableRows, toKey } from '@firn/sql'
import type { TokenBalanceRow, TransferRow, WrappingRow } from '../EvmSchema.ts'
import { EVM_TABLES } from '../EvmSchema.ts'
import { Holders } from './Holders.ts'
import { ItemHolders } from './ItemHolders.ts'
import { Recent } from './Recent.ts'
import { ZERO_ADDRESS } from './zeroAddress.ts'

/** The sums of an address's logs; see `token_balance`. */
type Sums = Pick<TokenBalanceRow, 'balance' | 'wrapped'>

/**
 * The change of a balance by a block. The sums of `row` are the differences, until the sums before the block are added.
 */
interface Change {
  readonly key: string
  readonly row: TokenBalanceRow
}

/** What changes balances in a block. */
interface Moved {
  readonly rows: { readonly transfer: readonly TransferRow[] }
  readonly wrappings: readonly WrappingRow[]
}

const ZERO_KEY = toKey(ZERO_ADDRESS)

/** Tracks the token balances of addresses. */
export class Balances {
  readonly #recent: Recent<Sums>

  constructor(remembered: number) {
    this.#recent = new Recent(remembered)
  }

  /** Stores the balance changes of blocks. */
  async write(session: Session, blocks: readonly Moved[]): Promise<void> {
    const changes = blocks.flatMap(({ rows, wrappings }) => changesOf(rows.transfer, wrappings))
    if (changes.length === 0) return
    const balances = await this.#before(session, changes)
    const stored = new Set(balances.keys())
    const rows = new TableRows<TokenBalanceRow>('token_balance', EVM_TABLES.token_balance)
    const holders = new Holders((key) => !stored.has(key))
    const items = new ItemHolders()
    for (const { key, row } of changes) {
      const isMoved = row.balance !== 0n
      if (row.standard === 1155) items.add(row, row.balance)
      const before = balances.get(key)
      if (before !== undefined) {
        row.balance += before.balance
        row.wrapped += before.wrapped
      }
      balances.set(key, row)
      const other = isMoved && row.standard !== 1155 ? holders.add(key, row) : row
      if (other !== undefined) rows.add(other)
    }
    for (const [key, { balance, wrapped }] of balances) this.#recent.set(key, { balance, wrapped })
    if (rows.count > 0) await session.copy(rows.target, rows.finish())
    await holders.write(session)
    await items.write(session)
  }

  /** Returns the balances before the changes, by key. */
  async #before(session: Session, changes: readonly Change[]): Promise<Map<string, Sums>> {
    const balances = new Map<string, Sums>()
    const missing = new Map<string, Change>()
    for (const change of changes) {
      const balance = this.#recent.get(change.key)
      if (balance === undefined) missing.set(change.key, change)
      else balances.set(change.key, balance)
    }
    if (missing.size === 0) return balances
    /** Height of the row in `token_holder`, by key. */
    const since = new Map<string, bigint>()
    const look = async (text: string, changes: readonly Change[], ...more: readonly string[]) => {
      if (changes.length === 0) return
      const found = await session.query(text, [
        changes.map(({ row }) => row.contract),
        formatArray(changes.map(({ row }) => row.standard)),
        formatArray(changes.map(({ row }) => row.token_id)),
        changes.map(({ row }) => row.address),
        ...more,
      ])
      for (const { place, balance, wrapped, since: height } of found) {
        const { key } = changes[Number(place) - 1] as Change
        balances.set(key, { balance, wrapped } as Sums)
        since.set(key, height as bigint)
      }
    }
    const { holders = [], others = [] } = Object.groupBy(missing.values(), ({ row }) =>
      row.standard === 1155 ? 'others' : 'holders',
    )
    await look(HOLDERS, holders)
    await look(LATER, holders, formatArray(holders.map(({ key }) => since.get(key) ?? -1n)))
    await look(NEWEST, others)
    return balances
  }

  /** Clears the cache after an undo. */
  forget(): void {
    this.#recent.clear()
  }
}

const KEYS =
  'unnest($1::bytea[], $2::int4[], $3::numeric[], $4::bytea[]) with ordinality as k (contract, standard, token_id, address, place)'
const SAME =
  'b.contract = k.contract and b.standard = k.standard and b.token_id = k.token_id and b.address = k.address'

const HOLDERS = `select k.place, b.balance, b.wrapped, b.since from ${KEYS}
  join token_holder b on b.standard = k.standard and b.address = k.address and b.contract = k.contract`

/** The newest rows after those in `token_holder`. They only changed the wrapped amount. */
const LATER = `select distinct on (b.address, k.place) k.place, b.balance, b.wrapped, b.since
  from unnest($1::bytea[], $2::int4[], $3::numeric[], $4::bytea[], $5::int8[]) with ordinality
    as k (contract, standard, token_id, address, since, place)
  join token_balance b on ${SAME} and b.since > k.since order by b.address, k.place, b.since desc`

/**
 * Every address that took part in a transfer is in `last_activity`. Citus allows a limit in a subquery that refers to
 * rows of a table, but not to the keys themselves. `distinct` keeps the two apart.
 */
const NEWEST = `select k.place, b.balance, b.wrapped, b.since
  from (select distinct k.place, k.contract, k.standard, k.token_id, a.address from ${KEYS} join last_activity a on a.address = k.address) as k
  cross join lateral (select since, balance, wrapped from token_balance b where ${SAME} order by b.since desc limit 1) b`

/**
 * Returns the changes that a block makes to balances, one per balance. Balances whose changes cancel out are left
 * out.
 */
function changesOf(transfers: readonly TransferRow[], wrappings: readonly WrappingRow[]): Change[] {
  const changes = new Map<string, Change>()
  /** Returns the change of a balance, in a row whose sums the caller changes. */
  const change = (
    holding: Omit<TokenBalanceRow, keyof Sums | 'address'>,
    address: Uint8Array,
    owner: string,
  ) => {
    const { contract, standard, token_id, since } = holding
    const key = `${toKey(contract)}${owner}${standard === 1155 ? `1155 ${token_id}` : standard}`
    const known = changes.get(key)
    if (known !== undefined) return known.row
    const row = { contract, standard, token_id, address, since, balance: 0n, wrapped: 0n }
    changes.set(key, { key, row })
    return row
  }
  for (const transfer of transfers) {
    const { contract, standard, height: since, sender, recipient, amount } = transfer
    const holding = {
      contract,
      standard,
      token_id: standard === 1155 ? (transfer.token_id ?? 0n) : 0n,
      since,
    }
    const [from, to] = [toKey(sender), toKey(recipient)]
    if (from !== ZERO_KEY) change(holding, sender, from).balance -= amount
    if (to !== ZERO_KEY) change(holding, recipient, to).balance += amount
  }
  for (const { contract, address, height: since, amount } of wrappings) {
    const owner = toKey(address)
    if (owner !== ZERO_KEY)
      change({ contract, standard: 20, token_id: 0n, since }, address, owner).wrapped += amount
  }
  return [...changes.values()].filter(({ row }) => row.balance !== 0n || row.wrapped !== 0n)
}
