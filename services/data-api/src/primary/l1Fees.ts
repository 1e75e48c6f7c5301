import { Hex } from '@firn/codec'
import { Blocks, L1Validators, type Snapshot, type Store } from '@firn/store'
import { LRUCache } from 'lru-cache'

/** What L1 validators paid on a day. */
export interface FeeDay {
  /** Start of the day in UTC, in Unix seconds. */
  readonly day: bigint
  /** Fees in nAVAX. */
  readonly fees: bigint
  /** Number of validators that paid. */
  readonly paying: bigint
}

/** Reads the fees of each day, oldest first, from the day of the first charge. Empty if none was ever charged. */
export type ReadFees = (at: Snapshot, scope: L1Validators.FeeScope) => Promise<readonly FeeDay[]>

const DAY = 86_400n
/** Maximum number of scopes whose past days are cached. */
const MAX_KEPT = 500

/**
 * Creates a function that reads fees by day. Past days never change, so the past days of a scope are cached for the rest of the
 * day.
 * @param since time of the upgrade that introduced L1 validators, in Unix seconds
 */
export function createFeeReader(store: Store, since: bigint): ReadFees {
  const kept = new LRUCache<string, Promise<readonly FeeDay[]>>({ max: MAX_KEPT })
  const past = (before: Snapshot, today: bigint, scope: L1Validators.FeeScope) => {
    const { validationId, nodeId, subnetId } = scope
    const key = [
      before.key,
      today,
      ...[validationId, nodeId, subnetId].map((id) => id && Hex.encodeBare(id)),
    ].join()
    const known = kept.get(key)
    if (known !== undefined) return known
    const read = feesSince(store, before, scope, { after: 0n, from: since, to: today - 1n })
    kept.set(key, read)
    read.catch(() => kept.delete(key))
    return read
  }
  return async (at, scope) => {
    const today = at.P.time - (at.P.time % DAY)
    const yesterday = await Blocks.snapshotAt(store, at, today - 1n)
    if (yesterday === undefined)
      return fromFirst(await feesSince(store, at, scope, { after: 0n, from: since, to: today }))
    const [before, now] = await Promise.all([
      past(yesterday, today, scope),
      feesSince(store, at, scope, { after: yesterday.P.height, from: today, to: today }),
    ])
    return fromFirst([...before, ...now])
  }
}

function fromFirst(days: readonly FeeDay[]): readonly FeeDay[] {
  const first = days.findIndex(({ paying }) => paying > 0n)
  return first < 0 ? [] : days.slice(first)
}

/** The days that contain the times from `from` to `to`, and the height after which fees count. */
interface Range {
  readonly after: bigint
  readonly from: bigint
  readonly to: bigint
}

/** Returns the days of a range with the fees up to the snapshot. */
async function feesSince(
  store: Store,
  at: Snapshot,
  scope: L1Validators.FeeScope,
  { after, from, to }: Range,
): Promise<readonly FeeDay[]> {
  const [charges, days] = await Promise.all([
    L1Validators.charges(store, at, scope, after),
    L1Validators.accruedByDay(store, at, from, to),
  ])
  return byDay(charges, days)
}

/**
 * Distributes charges over days. Accrued fees only grow, so a day is a range of accrued fees, and a validator paid on that
 * day what its charges have in common with the range. What was charged before the first day counts for that day.
 */
export function byDay(
  charges: readonly L1Validators.Charge[],
  days: readonly L1Validators.DayEnd[],
): readonly FeeDay[] {
  const sums = days.map(({ day }) => ({ day, fees: 0n, paying: 0n }))
  let validator = ''
  let counted = -1
  for (const { validationId, from, to } of charges) {
    const id = Hex.encodeBare(validationId)
    if (id !== validator) [validator, counted] = [id, -1]
    for (let i = firstAfter(days, from); i < days.length; i++) {
      const start = i === 0 ? from : greater(from, days[i - 1]?.accrued ?? 0n)
      const paid = (i === days.length - 1 ? to : lesser(to, days[i]?.accrued ?? 0n)) - start
      const sum = sums[i]
      if (start >= to || sum === undefined) break
      if (paid <= 0n) continue
      sum.fees += paid
      if (i > counted) sum.paying += 1n
      counted = i
    }
  }
  return sums
}

/** Returns the index of the first day at whose end more than `accrued` had accrued. */
function firstAfter(days: readonly L1Validators.DayEnd[], accrued: bigint): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle]?.accrued ?? 0n) > accrued) high = middle
    else low = middle + 1
  }
  return low
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
