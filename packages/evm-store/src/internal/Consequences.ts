import { type Session, TableRows } from '@firn/sql'
import { type BlockRow, EVM_TABLES, type WrappingRow } from '../EvmSchema.ts'
import { Actives } from './Actives.ts'
import type { Added } from './Added.ts'
import { Airdrops } from './Airdrops.ts'
import { Balances } from './Balances.ts'
import { Contracts } from './Contracts.ts'
import { inParallel } from './inParallel.ts'
import { RollupSums } from './Rollups.ts'
import { writeIcm } from './storeIcm.ts'
import * as Tokens from './Tokens.ts'

/** Derives data from blocks, stores it, and caches part of it. */
export class Consequences {
  readonly contracts = new Contracts()
  readonly #balances: Balances
  readonly #actives: Actives

  /**
   * @param remembered approximate number of balances, and of active addresses, to keep in memory
   */
  constructor(remembered: number) {
    this.#balances = new Balances(remembered)
    this.#actives = new Actives(remembered)
  }

  /** Stores the data derived from blocks. `before` is the block before the first of `blocks`. */
  async write(session: Session, blocks: readonly Added[], before: BlockRow | undefined): Promise<void> {
    const sums = new RollupSums()
    blocks.forEach(({ row }, i) => {
      sums.add(row, i === 0 ? before : blocks[i - 1]?.row)
    })
    const parts = [
      () => this.contracts.write(session, blocks),
      () => Tokens.write(session, blocks),
      () => writeWrappings(session, blocks),
      () => writeMessages(session, blocks),
      () => writeAirdrops(session, blocks),
      () => this.#balances.write(session, blocks),
      () => this.#actives.write(session, blocks, sums),
    ]
    await inParallel(parts, blocks.length > 1)
    await sums.write(session)
  }

  /** Clears the cache after an undo. */
  forget(): void {
    this.contracts.forget()
    this.#balances.forget()
    this.#actives.forget()
  }
}

async function writeMessages(session: Session, blocks: readonly Added[]): Promise<void> {
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (first === undefined || last === undefined) return
  const heights = { first: first.row.height, last: last.row.height }
  await writeIcm(
    session,
    blocks.flatMap(({ icm }) => icm),
    heights,
  )
}

async function writeAirdrops(session: Session, blocks: readonly Added[]): Promise<void> {
  const airdrops = new Airdrops()
  for (const { rows } of blocks) {
    const origins = new Map(
      rows.transaction.map(({ transaction_index, sender }) => [transaction_index, sender]),
    )
    airdrops.add(
      rows.transfer.map((one) => ({ ...one, origin: origins.get(one.transaction_index) as Uint8Array })),
    )
  }
  await airdrops.write(session)
}

async function writeWrappings(session: Session, blocks: readonly Added[]): Promise<void> {
  const rows = new TableRows<WrappingRow>('wrapping', EVM_TABLES.wrapping)
  for (const { wrappings } of blocks) for (const row of wrappings) rows.add(row)
  if (rows.count > 0) await session.copy(rows.target, rows.finish())
}
