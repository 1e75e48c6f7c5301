import { byteas, keyOf, list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { TableRows } from '../../internal/rows.ts'
import type { TokenBalanceRow, TransferRow } from '../EvmSchema.ts'
import { EVM_TABLES } from '../EvmSchema.ts'
import type { Added } from './Added.ts'
import { Recent } from './Recent.ts'

/**
 * The change of a balance by a block. `row.balance` is the difference, not the balance after the block.
 */
interface Change {
  readonly key: string
  readonly row: TokenBalanceRow
}

const NOBODY = keyOf(new Uint8Array(20))

/** Tracks the token balances of addresses. */
export class Balances {
  readonly #recent: Recent<bigint>

  constructor(remembered: number) {
    this.#recent = new Recent(remembered)
  }

  /** Stores the balance changes of blocks. */
  async write(session: Session, blocks: readonly Added[]): Promise<void> {
    const changes = blocks.flatMap(({ rows }) => changesOf(rows.transfer))
    if (changes.length === 0) return
    const balances = await this.#before(session, changes)
    const rows = new TableRows<TokenBalanceRow>('token_balance', EVM_TABLES.token_balance)
    for (const { key, row } of changes) {
      const balance = (balances.get(key) ?? 0n) + row.balance
      balances.set(key, balance)
      rows.add({ ...row, balance })
    }
    for (const [key, balance] of balances) this.#recent.set(key, balance)
    await session.copy(rows.target, rows.finish())
  }

  /** Returns the balances before the changes, by key. */
  async #before(session: Session, changes: readonly Change[]): Promise<Map<string, bigint>> {
    const balances = new Map<string, bigint>()
    const missing = new Map<string, Change>()
    for (const change of changes) {
      const balance = this.#recent.get(change.key)
      if (balance === undefined) missing.set(change.key, change)
      else balances.set(change.key, balance)
    }
    if (missing.size === 0) return balances
    const keys = [...missing.keys()]
    const rows = [...missing.values()].map(({ row }) => row)
    const found = await session.query(NEWEST, [
      byteas(rows.map(({ contract }) => contract)),
      list(rows.map(({ standard }) => standard)),
      list(rows.map(({ token_id }) => token_id)),
      byteas(rows.map(({ address }) => address)),
    ])
    for (const { place, balance } of found) balances.set(keys[Number(place) - 1] as string, balance as bigint)
    return balances
  }

  /** Clears the cache after an undo. */
  forget(): void {
    this.#recent.clear()
  }
}

const NEWEST = `select k.place, b.balance
  from unnest($1::bytea[], $2::int4[], $3::numeric[], $4::bytea[]) with ordinality as k (contract, standard, token_id, address, place)
  cross join lateral (select balance from token_balance b where b.contract = k.contract and b.standard = k.standard
    and b.token_id = k.token_id and b.address = k.address order by b.since desc limit 1) b`

/**
 * Returns the changes that a block makes to balances, one per balance. Balances whose changes cancel out are left
 * out.
 */
function changesOf(transfers: readonly TransferRow[]): Change[] {
  const changes = new Map<string, Change>()
  const change = (transfer: TransferRow, address: Uint8Array, difference: bigint) => {
    const owner = keyOf(address)
    if (owner === NOBODY) return
    const { contract, standard, height } = transfer
    const token_id = standard === 1155 ? (transfer.token_id ?? 0n) : 0n
    const key = `${keyOf(contract)}${owner}${standard} ${token_id}`
    const known = changes.get(key)
    const balance = (known?.row.balance ?? 0n) + difference
    changes.set(key, { key, row: { contract, standard, token_id, address, since: height, balance } })
  }
  for (const transfer of transfers) {
    change(transfer, transfer.sender, -transfer.amount)
    change(transfer, transfer.recipient, transfer.amount)
  }
  return [...changes.values()].filter(({ row }) => row.balance !== 0n)
}
