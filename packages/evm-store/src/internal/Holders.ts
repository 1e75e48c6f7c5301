import { formatArray, type Session, TableRows } from '@firn/sql'
import { EVM_TABLES, type TokenBalanceRow, type TokenHolderRow } from '../EvmSchema.ts'

/** The newest balance of a holder within a batch, and the highest one. */
interface Held {
  row: TokenBalanceRow
  peak: TokenBalanceRow
}

/** Collects the newest and the highest balances of holders of ERC-20 and ERC-721 tokens. */
export class Holders {
  readonly #held = new Map<string, Held>()
  readonly #isNew: (key: string) => boolean

  /** @param isNew returns whether no balance is stored for a key yet */
  constructor(isNew: (key: string) => boolean) {
    this.#isNew = isNew
  }

  /**
   * Adds the balance of a holder after a block that changed it. Blocks must be added in order. Returns the balance that
   * it replaces, if there is one in the batch.
   */
  add(key: string, row: TokenBalanceRow): TokenBalanceRow | undefined {
    const known = this.#held.get(key)
    if (known === undefined) {
      this.#held.set(key, { row, peak: row })
      return undefined
    }
    const replaced = known.row
    known.row = row
    if (row.balance > known.peak.balance) known.peak = row
    return replaced
  }

  /** Stores the collected balances. Balances that they replace are moved to `token_balance`. */
  async write(session: Session): Promise<void> {
    const added = new TableRows<TokenHolderRow>('token_holder', EVM_TABLES.token_holder)
    const rows: TokenHolderRow[] = []
    // Rows in the order of the keys cost a quarter less, because neighbours share the pages of the indexes.
    for (const key of [...this.#held.keys()].sort()) {
      const row = rowOf(this.#held.get(key) as Held)
      if (this.#isNew(key)) added.add(row)
      else rows.push(row)
    }
    if (added.count > 0) await session.copy(added.target, added.finish())
    if (rows.length === 0) return
    const keys = [
      rows.map(({ address }) => address),
      formatArray(rows.map(({ standard }) => standard)),
      rows.map(({ contract }) => contract),
    ]
    await session.query(MOVE, keys)
    await session.query(STORE, [
      ...keys,
      formatArray(rows.map(({ since }) => since)),
      formatArray(rows.map(({ balance }) => balance)),
      formatArray(rows.map(({ wrapped }) => wrapped)),
      formatArray(rows.map(({ peak }) => peak ?? 'null')),
      formatArray(rows.map(({ peak_since }) => peak_since ?? 'null')),
    ])
  }
}

function rowOf({ row, peak }: Held): TokenHolderRow {
  const { contract, standard, address, since, balance, wrapped } = row
  const earlier =
    peak === row ? { peak: null, peak_since: null } : { peak: peak.balance, peak_since: peak.since }
  return { contract, standard, address, since, balance, wrapped, ...earlier }
}

const KEYS = '$1::bytea[], $2::int4[], $3::bytea[]'

/** Copies the stored balances of holders before they are replaced. */
const MOVE = `insert into token_balance (address, standard, contract, token_id, since, balance, wrapped)
  select h.address, h.standard, h.contract, 0, h.since, h.balance, h.wrapped
  from unnest(${KEYS}) as k (address, standard, contract)
  join token_holder h on h.address = k.address and h.standard = k.standard and h.contract = k.contract`

const IS_HIGHER = 'coalesce(excluded.peak, excluded.balance) > coalesce(h.peak, h.balance)'

/** An address with a stored balance may have no row here, if only its wrapped amount has changed so far. */
const STORE = `insert into token_holder as h (address, standard, contract, since, balance, wrapped, peak, peak_since)
  select * from unnest(${KEYS}, $4::int8[], $5::numeric[], $6::numeric[], $7::numeric[], $8::int8[])
  on conflict (address, standard, contract) do update set since = excluded.since, balance = excluded.balance,
    wrapped = excluded.wrapped,
    peak = case when ${IS_HIGHER} then excluded.peak else coalesce(h.peak, h.balance) end,
    peak_since = case when ${IS_HIGHER} then excluded.peak_since else coalesce(h.peak_since, h.since) end`
