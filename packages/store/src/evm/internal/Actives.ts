import { Hex } from '@firn/codec'
import { Activity } from '@firn/evm'
import { list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { TableRows } from '../../internal/rows.ts'
import { type ActiveAddressRow, type BlockRow, PERIODS, type Period } from '../EvmSchema.ts'
import type { Added } from './EvmBatch.ts'
import { EVM_COLUMNS } from './evmColumns.ts'
import { type RollupSums, startOf } from './Rollups.ts'

/** By what an address is active: the bit that remembers it, its column, and who are so in a block. */
const MEANINGS = [
  { bit: 1, column: 'since', of: 'addresses' },
  { bit: 2, column: 'sender_since', of: 'senders' },
  { bit: 4, column: 'deployer_since', of: 'deployers' },
] as const
type Sinces = Pick<ActiveAddressRow, (typeof MEANINGS)[number]['column']>

/** What is remembered of the last period of a kind. */
interface Current {
  readonly start: bigint
  /** By which meanings addresses are active in it already. */
  readonly seen: Map<string, number>
  /** Whether `seen` has all who are. */
  isWhole: boolean
}

/** By which heights of a batch an address was active in a period as it wasn't before. */
interface First extends Sinces {
  readonly period: Period
  readonly start: bigint
  /** Small hex. */
  readonly address: string
  /** By which meanings it is stored; undefined while that isn't known. */
  stored: number | undefined
}

/** Who was active in which period. */
export class Actives {
  readonly #current = new Map<Period, Current>()
  readonly #most: number

  constructor(remembered: number) {
    this.#most = remembered
  }

  /** Stores who was active in blocks for the first time in a period, and counts them. `before` is the block before. */
  async write(
    session: Session,
    blocks: readonly Added[],
    before: BlockRow | undefined,
    sums: RollupSums,
  ): Promise<void> {
    const firsts = this.#firstsOf(blocks, before)
    await this.#resolve(session, firsts)
    const times = new Map(blocks.map(({ row }) => [row.height, row.time]))
    for (const first of firsts) count(sums, first, times)
    await store(session, firsts)
  }

  #firstsOf(blocks: readonly Added[], before: BlockRow | undefined): First[] {
    const firsts: First[] = []
    const batch = new Map<Period, { readonly start: bigint; readonly known: Map<string, First> }>()
    let last = before
    for (const { block, transfers, row } of blocks) {
      const active = bitsOf(Activity.of(block, transfers))
      for (const period of PERIODS) {
        const current = this.#at(period, row.time, last)
        if (batch.get(period)?.start !== current.start) {
          batch.set(period, { start: current.start, known: new Map() })
        }
        const known = batch.get(period)?.known ?? new Map<string, First>()
        for (const [address, bits] of active) {
          const missing = bits & ~(current.seen.get(address) ?? 0)
          if (missing === 0) continue
          let first = known.get(address)
          if (first === undefined) {
            first = firstOf(period, current, address)
            known.set(address, first)
            firsts.push(first)
          }
          mark(first, missing, row.height)
          this.#remember(current, address, missing)
        }
      }
      last = row
    }
    return firsts
  }

  /** The period of a kind at a time. */
  #at(period: Period, time: bigint, before: BlockRow | undefined): Current {
    const start = startOf(period, time)
    const known = this.#current.get(period)
    if (known?.start === start) return known
    // Nobody is stored of one that begins with this block.
    const isWhole = before === undefined || startOf(period, before.time) < start
    const current = { start, seen: new Map<string, number>(), isWhole }
    this.#current.set(period, current)
    return current
  }

  #remember(current: Current, address: string, bits: number): void {
    const known = current.seen.get(address)
    if (known === undefined && (!current.isWhole || current.seen.size >= this.#most)) current.isWhole = false
    else current.seen.set(address, (known ?? 0) | bits)
  }

  /** Asks what is stored of those of whom it isn't known, and leaves of all what is new. */
  async #resolve(session: Session, firsts: readonly First[]): Promise<void> {
    const unknown = firsts.filter(({ stored }) => stored === undefined)
    for (const first of unknown) first.stored = 0
    if (unknown.length > 0) {
      for (const row of await session.query(STORED, keysOf(unknown))) {
        const first = unknown[Number(row['place']) - 1] as First
        for (const { bit, column } of MEANINGS) {
          if (row[column] === null) continue
          first[column] = null
          first.stored = (first.stored ?? 0) | bit
        }
      }
    }
    for (const { period, start, address, stored = 0, ...sinces } of unknown) {
      const current = this.#current.get(period)
      if (current?.start !== start || current.seen.size >= this.#most) continue
      current.seen.set(address, stored | bitsIn(sinces))
    }
  }

  /** After blocks were undone. */
  forget(): void {
    this.#current.clear()
  }
}

const KEYS = `unnest($1::text[], $2::int8[], $3::bytea[])`
const STORED = `select k.place, a.since, a.sender_since, a.deployer_since
  from ${KEYS} with ordinality as k (period, start, address, place)
  join active_address a on a.period = k.period and a.start = k.start and a.address = k.address`

function keysOf(firsts: readonly First[]): string[] {
  return [
    list(firsts.map(({ period }) => period)),
    list(firsts.map(({ start }) => start)),
    list(firsts.map(({ address }) => `"\\\\x${address.slice(2)}"`)),
  ]
}

function bitsOf(activity: Activity.Activity): Map<string, number> {
  const bits = new Map<string, number>()
  for (const { bit, of } of MEANINGS) {
    for (const address of activity[of]) bits.set(address, (bits.get(address) ?? 0) | bit)
  }
  return bits
}

function bitsIn(sinces: Sinces): number {
  return MEANINGS.reduce((bits, { bit, column }) => (sinces[column] === null ? bits : bits | bit), 0)
}

function firstOf(period: Period, { start, seen, isWhole }: Current, address: string): First {
  const stored = seen.get(address) ?? (isWhole ? 0 : undefined)
  return { period, start, address, stored, since: null, sender_since: null, deployer_since: null }
}

function mark(first: First, bits: number, height: bigint): void {
  for (const { bit, column } of MEANINGS) {
    if ((bits & bit) !== 0) first[column] ??= height
  }
}

function count(sums: RollupSums, first: First, times: ReadonlyMap<bigint, bigint>): void {
  const row = sums.row(first.period, first.start)
  for (const { column, of } of MEANINGS) {
    const height = first[column]
    if (height === null) continue
    row[of]++
    if (first.period !== 'all' || of === 'senders') continue
    for (const period of PERIODS) sums.row(period, startOf(period, times.get(height) ?? 0n))[`new_${of}`]++
  }
}

async function store(session: Session, firsts: readonly First[]): Promise<void> {
  const rows = new TableRows<ActiveAddressRow>('active_address', EVM_COLUMNS.active_address)
  for (const first of firsts) {
    if (first.stored === 0) rows.add({ ...first, address: Hex.decode(first.address) })
  }
  if (rows.count > 0) await session.copy(rows.target, rows.finish())
  const changed = firsts.filter((first) => first.stored !== 0 && bitsIn(first) !== 0)
  if (changed.length === 0) return
  await session.query(UPDATE, [
    ...keysOf(changed),
    ...MEANINGS.map(({ column }) => list(changed.map((first) => first[column] ?? 'null'))),
  ])
}

const UPDATE = `update active_address a set ${MEANINGS.map(({ column }) => `${column} = coalesce(a.${column}, k.${column})`).join(', ')}
  from unnest($1::text[], $2::int8[], $3::bytea[], $4::int8[], $5::int8[], $6::int8[])
    as k (period, start, address, since, sender_since, deployer_since)
  where a.period = k.period and a.start = k.start and a.address = k.address`
