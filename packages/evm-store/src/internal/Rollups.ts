import { Periods, Rates } from '@firn/evm'
import { formatArray, type Session } from '@firn/sql'
import { type BlockRow, PERIODS, type Period, type RollupRow } from '../EvmSchema.ts'

/** Returns the start of the period that contains a time, in Unix seconds. Returns 0 for the period `all`. */
export function startOf(period: Period, time: bigint): bigint {
  return period === 'all' ? 0n : Periods.startOf(period, time)
}

/** Returns the rollup of an empty period. */
export function empty(period: Period, start: bigint): RollupRow {
  return {
    period,
    start,
    blocks: 0,
    transactions: 0n,
    gas: 0n,
    fees: 0n,
    gas_price_sum: 0n,
    gas_price_max: null,
    creations: 0n,
    addresses: 0n,
    senders: 0n,
    deployers: 0n,
    new_addresses: 0n,
    new_deployers: 0n,
    last_milliseconds: 0n,
    max_gas_per_second: 0,
    max_transactions_per_second: 0,
  }
}

/** Adds the totals of a period to the totals of a longer period that contains it. */
export function merge(into: RollupRow, other: RollupRow): void {
  into.blocks += other.blocks
  for (const name of SUMS) into[name] += other[name]
  into.gas_price_max = greatest(into.gas_price_max, other.gas_price_max)
  into.last_milliseconds = greatest(into.last_milliseconds, other.last_milliseconds) ?? 0n
  for (const name of RATES) into[name] = Math.max(into[name], other[name])
}

/**
 * The columns that count addresses. An undo can't recompute them from shorter periods, because an address counts only
 * once in `addresses`, `senders` and `deployers` of a longer period.
 */
export const COUNTS = ['addresses', 'senders', 'deployers', 'new_addresses', 'new_deployers'] as const
const SUMS = ['transactions', 'gas', 'fees', 'gas_price_sum', 'creations', ...COUNTS] as const
const RATES = ['max_gas_per_second', 'max_transactions_per_second'] as const

/** Returns the greater of two values. Null stands for a missing value. */
export function greatest(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

/**
 * Returns the rollup of a single block, except for the address counts. The first block of a chain has no rates,
 * because it has no predecessor.
 */
export function ofBlock(period: Period, block: BlockRow, before: BlockRow | undefined): RollupRow {
  const times = timesOf(block)
  const rate = (amount: bigint | number) =>
    before === undefined ? 0 : Rates.of(amount, timesOf(before), times)
  return {
    ...empty(period, startOf(period, block.time)),
    blocks: 1,
    transactions: BigInt(block.transactions),
    gas: block.gas_executed,
    fees: block.fees_spent,
    gas_price_sum: block.gas_price_sum,
    gas_price_max: block.gas_price_max,
    creations: BigInt(block.contracts),
    last_milliseconds: Rates.milliseconds(times),
    max_gas_per_second: rate(block.gas_executed),
    max_transactions_per_second: rate(block.transactions),
  }
}

function timesOf({ time, time_milliseconds }: BlockRow): Rates.Times {
  return { timestamp: time, timestampMilliseconds: time_milliseconds ?? undefined }
}

/** Collects the amounts that blocks add to the rollups. */
export class RollupSums {
  readonly #rows = new Map<string, RollupRow>()

  /** Adds the totals of a block, except for the address counts. */
  add(block: BlockRow, before: BlockRow | undefined): void {
    const one = ofBlock('all', block, before)
    for (const period of PERIODS) merge(this.row(period, startOf(period, block.time)), one)
  }

  /** Returns the totals collected for a period. */
  row(period: Period, start: bigint): RollupRow {
    const key = `${period} ${start}`
    let row = this.#rows.get(key)
    if (row === undefined) {
      row = empty(period, start)
      this.#rows.set(key, row)
    }
    return row
  }

  /** Adds the collected totals to the stored rollups. */
  async write(session: Session): Promise<void> {
    await write(session, [...this.#rows.values()])
  }
}

/** Adds the given totals to the stored rollups. */
export async function write(session: Session, rows: readonly RollupRow[]): Promise<void> {
  if (rows.length === 0) return
  const values = Object.keys(TYPES).map((name) =>
    formatArray(rows.map((row) => row[name as keyof RollupRow] ?? 'null')),
  )
  await session.query(ADD, values)
}

const TYPES: { readonly [C in keyof RollupRow]: string } = {
  period: 'text',
  start: 'int8',
  blocks: 'int4',
  transactions: 'int8',
  gas: 'numeric',
  fees: 'numeric',
  gas_price_sum: 'numeric',
  gas_price_max: 'numeric',
  creations: 'int8',
  addresses: 'int8',
  senders: 'int8',
  deployers: 'int8',
  new_addresses: 'int8',
  new_deployers: 'int8',
  last_milliseconds: 'int8',
  max_gas_per_second: 'float8',
  max_transactions_per_second: 'float8',
}

const NAMES = Object.keys(TYPES)
const GREATEST = ['gas_price_max', 'last_milliseconds', ...RATES]
const ADD = `insert into rollup as r (${NAMES.join(', ')})
  select * from unnest(${Object.values(TYPES)
    .map((type, i) => `$${i + 1}::${type}[]`)
    .join(', ')})
  on conflict (period, start) do update set ${NAMES.slice(2)
    .map((name) =>
      GREATEST.includes(name)
        ? `${name} = greatest(r.${name}, excluded.${name})`
        : `${name} = r.${name} + excluded.${name}`,
    )
    .join(', ')}`
