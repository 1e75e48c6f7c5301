import { byteas, list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { TableRows } from '../../internal/rows.ts'
import { EVM_TABLES, type TokenBalanceRow, type TokenHolderRow } from '../EvmSchema.ts'

/** Collects the newest and the highest balances of holders of ERC-20 and ERC-721 tokens. */
export class Holders {
  readonly #rows = new Map<string, TokenHolderRow>()
  readonly #isNew: (key: string) => boolean

  /** @param isNew returns whether no balance is stored for a key yet */
  constructor(isNew: (key: string) => boolean) {
    this.#isNew = isNew
  }

  /** Adds the balance of a holder after a block that changed it. Blocks must be added in order. */
  add(key: string, { contract, standard, address, since, balance }: TokenBalanceRow): void {
    if (standard === 1155) return
    const known = this.#rows.get(key)
    if (known === undefined) {
      this.#rows.set(key, { contract, standard, address, since, balance, peak: balance, peak_since: since })
      return
    }
    Object.assign(known, { since, balance })
    if (balance > known.peak) Object.assign(known, { peak: balance, peak_since: since })
  }

  /** Stores the collected balances. */
  async write(session: Session): Promise<void> {
    const added = new TableRows<TokenHolderRow>('token_holder', EVM_TABLES.token_holder)
    const rows: TokenHolderRow[] = []
    // Rows in the order of the primary key cost a quarter less, because neighbours share the pages of the indexes.
    for (const [key, row] of [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (this.#isNew(key)) added.add(row)
      else rows.push(row)
    }
    if (added.count > 0) await session.copy(added.target, added.finish())
    if (rows.length === 0) return
    await session.query(STORE, [
      byteas(rows.map(({ contract }) => contract)),
      list(rows.map(({ standard }) => standard)),
      byteas(rows.map(({ address }) => address)),
      list(rows.map(({ since }) => since)),
      list(rows.map(({ balance }) => balance)),
      list(rows.map(({ peak }) => peak)),
      list(rows.map(({ peak_since }) => peak_since)),
    ])
  }
}

/** An address with a stored balance may have no row here, if only its wrapped amount has changed so far. */
const STORE = `insert into token_holder as h (contract, standard, address, since, balance, peak, peak_since)
  select * from unnest($1::bytea[], $2::int4[], $3::bytea[], $4::int8[], $5::numeric[], $6::numeric[], $7::int8[])
  on conflict (contract, standard, address) do update set since = excluded.since, balance = excluded.balance,
    peak = greatest(h.peak, excluded.peak),
    peak_since = case when excluded.peak > h.peak then excluded.peak_since else h.peak_since end`
