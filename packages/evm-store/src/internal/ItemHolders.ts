import { formatArray, type Session, toKey } from '@firn/sql'
import type { ItemHolderRow } from '../EvmSchema.ts'

/** Id under which `item_holder` contains the sums over all tokens of a contract. */
export const ALL_ITEMS = -1n

type Holding = Omit<ItemHolderRow, 'balance'>

/** Collects changes of ERC-1155 balances, and of their sums over all tokens of a contract. */
export class ItemHolders {
  readonly #changes = new Map<string, { -readonly [K in keyof ItemHolderRow]: ItemHolderRow[K] }>()

  /** Adds the difference by which a balance changes. */
  add(holding: Holding, difference: bigint): void {
    this.#add(holding, difference)
    this.#add({ ...holding, token_id: ALL_ITEMS }, difference)
  }

  #add({ contract, token_id, address }: Holding, difference: bigint): void {
    const key = `${toKey(address)}${toKey(contract)}${token_id}`
    const known = this.#changes.get(key)
    if (known === undefined) this.#changes.set(key, { contract, token_id, address, balance: difference })
    else known.balance += difference
  }

  /** Changes the stored balances. Balances that become 0 are removed. */
  async write(session: Session): Promise<void> {
    const rows = [...this.#changes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
    const changed = rows.filter(({ balance }) => balance !== 0n)
    if (changed.length === 0) return
    const keys = [
      changed.map(({ address }) => address),
      changed.map(({ contract }) => contract),
      formatArray(changed.map(({ token_id }) => token_id)),
    ]
    await session.query(ADD, [...keys, formatArray(changed.map(({ balance }) => balance))])
    await session.query(REMOVE, keys)
  }
}

const ADD = `insert into item_holder as h (address, contract, token_id, balance)
  select * from unnest($1::bytea[], $2::bytea[], $3::numeric[], $4::numeric[])
  on conflict (address, contract, token_id) do update set balance = h.balance + excluded.balance`

const REMOVE = `delete from item_holder h using unnest($1::bytea[], $2::bytea[], $3::numeric[]) as k (address, contract, token_id)
  where h.address = k.address and h.contract = k.contract and h.token_id = k.token_id and h.balance = 0`
