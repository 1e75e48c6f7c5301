import { Hex } from '@firn/codec'
import { Activity } from '@firn/evm'
import { list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { TableRows } from '../../internal/rows.ts'
import { type ActiveAddressRow, type BlockRow, EVM_TABLES, PERIODS, type Period } from '../EvmSchema.ts'
import type { Added } from './Added.ts'
import { type RollupSums, startOf } from './Rollups.ts'

/**
 * The kinds of activity. Each has a bit, a column of `active_address`, and the member of a block's activity
 * that lists the addresses.
 */
const MEANINGS = [
  { bit: 1, column: 'since', of: 'addresses' },
  { bit: 2, column: 'sender_since', of: 'senders' },
  { bit: 4, column: 'deployer_since', of: 'deployers' },
] as const
const BITS = MEANINGS.length
const ALL = (1 << BITS) - 1
/**
 * Bit mask that repeats the bits of an activity for every period (`bits * EACH`), because an address that is active
 * in a block is active in all periods that contain the block.
 */
const EACH = PERIODS.reduce((bits, _, i) => bits | (1 << (BITS * i)), 0)

/** The heights at which an address was first active within a run of blocks that are in the same periods. */
interface First extends Pick<ActiveAddressRow, (typeof MEANINGS)[number]['column']> {
  /** Address in lowercase hex. */
  readonly address: string
  /** Bits of the kinds of activity and periods that are already stored; undefined while unknown. */
  stored: number | undefined
}

/** Consecutive blocks in the same periods; `starts` contains the start of each period. */
interface Run {
  readonly starts: readonly bigint[]
  readonly blocks: Added[]
}

/** Tracks which addresses were active in which period. */
export class Actives {
  /** The stored kinds of activity by address, three bits for each current period. */
  readonly #known = new Map<string, number>()
  readonly #most: number
  #starts: readonly bigint[] = []
  /** Bits of the periods for which the cache contains all stored addresses. */
  #whole = 0

  constructor(remembered: number) {
    this.#most = remembered
  }

  /**
   * Stores and counts the addresses that are active for the first time in a period. `before` is the block
   * before the first of `blocks`.
   */
  async write(
    session: Session,
    blocks: readonly Added[],
    before: BlockRow | undefined,
    sums: RollupSums,
  ): Promise<void> {
    for (const run of runsOf(blocks)) {
      this.#begin(run.starts, before)
      const firsts = this.#firstsOf(run.blocks)
      await this.#resolve(session, firsts)
      await store(session, run.starts, firsts, sums)
    }
  }

  /** Removes the cached activity of periods that have ended. */
  #begin(starts: readonly bigint[], before: BlockRow | undefined): void {
    const stored = this.#starts.length > 0 ? this.#starts : startsOf(before)
    let ended = 0
    PERIODS.forEach((_, i) => {
      if (stored[i] !== starts[i]) ended |= ALL << (BITS * i)
    })
    this.#starts = starts
    this.#whole |= ended
    if (ended === 0) return
    for (const [address, bits] of this.#known) this.#known.set(address, bits & ~ended)
  }

  #firstsOf(blocks: readonly Added[]): First[] {
    const firsts = new Map<string, First>()
    for (const { block, transfers, row } of blocks) {
      for (const [address, bits] of bitsOf(Activity.of(block, transfers))) {
        const known = this.#known.get(address)
        if (known !== undefined && (~known & (bits * EACH)) === 0) continue
        let first = firsts.get(address)
        if (first === undefined) {
          const stored = known ?? (this.#whole === ALL * EACH ? 0 : undefined)
          first = { address, stored, since: null, sender_since: null, deployer_since: null }
          firsts.set(address, first)
        }
        for (const { bit, column } of MEANINGS) if ((bits & bit) !== 0) first[column] ??= row.height
      }
    }
    return [...firsts.values()]
  }

  /** Reads the stored activity of the addresses that aren't cached yet, and caches it. */
  async #resolve(session: Session, firsts: readonly First[]): Promise<void> {
    const unknown = firsts.filter(({ stored }) => stored === undefined)
    if (unknown.length > 0) {
      for (const first of unknown) first.stored = 0
      const values = [list(PERIODS), list(this.#starts), addressesOf(unknown)]
      for (const row of await session.query(STORED, values)) {
        const first = unknown[Number(row['place']) - 1] as First
        const shift = BITS * (Number(row['period_place']) - 1)
        for (const { bit, column } of MEANINGS) {
          if (row[column] !== null) first.stored = (first.stored ?? 0) | (bit << shift)
        }
      }
    }
    if (this.#known.size + firsts.length > this.#most) {
      this.#known.clear()
      this.#whole = 0
    }
    for (const first of firsts) this.#known.set(first.address, (first.stored ?? 0) | (bitsIn(first) * EACH))
  }

  /** Clears the cache after an undo. */
  forget(): void {
    this.#known.clear()
    this.#starts = []
    this.#whole = 0
  }
}

function startsOf(block: BlockRow | undefined): readonly bigint[] {
  return block === undefined ? [] : PERIODS.map((period) => startOf(period, block.time))
}

function runsOf(blocks: readonly Added[]): Run[] {
  const runs: Run[] = []
  for (const block of blocks) {
    const starts = startsOf(block.row)
    const last = runs.at(-1)
    if (last?.starts.every((start, i) => start === starts[i])) last.blocks.push(block)
    else runs.push({ starts, blocks: [block] })
  }
  return runs
}

function bitsOf(activity: Activity.Activity): Map<string, number> {
  const bits = new Map<string, number>()
  for (const { bit, of } of MEANINGS) {
    for (const address of activity[of]) bits.set(address, (bits.get(address) ?? 0) | bit)
  }
  return bits
}

function bitsIn(first: First): number {
  return MEANINGS.reduce((bits, { bit, column }) => (first[column] === null ? bits : bits | bit), 0)
}

function addressesOf(firsts: readonly First[]): string {
  return list(firsts.map(({ address }) => `"\\\\x${address.slice(2)}"`))
}

/** Each key is looked up separately, because the planner might read a whole period for an ordinary join. */
const STORED = `select k.place, p.place as period_place, a.since, a.sender_since, a.deployer_since
  from unnest($3::bytea[]) with ordinality as k (address, place)
  cross join unnest($1::text[], $2::int8[]) with ordinality as p (period, start, place)
  cross join lateral (select a.since, a.sender_since, a.deployer_since from active_address a
    where a.period = p.period and a.start = p.start and a.address = k.address offset 0) a`

async function store(
  session: Session,
  starts: readonly bigint[],
  firsts: readonly First[],
  sums: RollupSums,
): Promise<void> {
  const rows = new TableRows<ActiveAddressRow>('active_address', EVM_TABLES.active_address)
  const added = firsts.map((first) => ({ first, bits: bitsIn(first), address: Hex.decode(first.address) }))
  const changed: Changed[] = []
  for (const [i, period] of PERIODS.entries()) {
    const start = starts[i] ?? 0n
    const shift = BITS * i
    const counts = [0, 0, 0]
    for (const { first, bits, address } of added) {
      const stored = ((first.stored ?? 0) >> shift) & ALL
      const fresh = bits & ~stored
      if (fresh === 0) continue
      MEANINGS.forEach(({ bit }, m) => {
        if ((fresh & bit) !== 0) counts[m] = (counts[m] ?? 0) + 1
      })
      const { since, sender_since, deployer_since } = first
      if (stored === 0) rows.add({ period, start, address, since, sender_since, deployer_since })
      else changed.push({ period, start, first })
    }
    const [addresses = 0, senders = 0, deployers = 0] = counts.map(BigInt)
    const row = sums.row(period, start)
    row.addresses += BigInt(addresses)
    row.senders += BigInt(senders)
    row.deployers += BigInt(deployers)
    if (period !== 'all') continue
    for (const [j, other] of PERIODS.entries()) {
      const sum = sums.row(other, starts[j] ?? 0n)
      sum.new_addresses += BigInt(addresses)
      sum.new_deployers += BigInt(deployers)
    }
  }
  if (rows.count > 0) await session.copy(rows.target, rows.finish())
  if (changed.length > 0) await session.query(UPDATE, valuesOf(changed))
}

/** An address with a new kind of activity in a period. */
interface Changed {
  readonly period: Period
  readonly start: bigint
  readonly first: First
}

function valuesOf(changed: readonly Changed[]): string[] {
  const sinces = MEANINGS.map(({ column }) => list(changed.map(({ first }) => first[column] ?? 'null')))
  return [
    list(changed.map(({ period }) => period)),
    list(changed.map(({ start }) => start)),
    addressesOf(changed.map(({ first }) => first)),
    ...sinces,
  ]
}

/** Heights that are already stored must not be overwritten. */
const UPDATE = `update active_address a set ${MEANINGS.map(({ column }) => `${column} = coalesce(a.${column}, k.${column})`).join(', ')}
  from unnest($1::text[], $2::int8[], $3::bytea[], $4::int8[], $5::int8[], $6::int8[])
    as k (period, start, address, since, sender_since, deployer_since)
  where a.period = k.period and a.start = k.start and a.address = k.address`
