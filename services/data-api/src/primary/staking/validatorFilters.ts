import { Bytes, Hex } from '@firn/codec'
import { type Snapshot, Stakers, type Store } from '@firn/store'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import type { DataContext, Observation } from '../network/Context.ts'
import { UNKNOWN } from '../shapes/Validator.ts'
import { capacityOf, stakeLimits } from './validatorFacts.ts'

/**
 * Query parameters that use properties of active validators. These properties change with every block and
 * have no index.
 */
export const activeFilters = {
  sortBy: Parameter.optional(
    Parameter.choice([
      'blockIndex',
      'delegationCapacity',
      'timeRemaining',
      'delegationFee',
      'uptimePerformance',
    ]),
  ),
  minDelegationCapacity: Parameter.optional(amount()),
  maxDelegationCapacity: Parameter.optional(amount()),
  minTimeRemaining: Parameter.optional(seconds()),
  maxTimeRemaining: Parameter.optional(seconds()),
  minFeePercentage: Parameter.optional(percentage()),
  maxFeePercentage: Parameter.optional(percentage()),
  minUptimePerformance: Parameter.optional(percentage()),
  maxUptimePerformance: Parameter.optional(percentage()),
}

/** Parsed values of {@link activeFilters}. */
export type ActiveFilters = Parameter.Values<typeof activeFilters>

/** A validator with its sort key. Validators with equal keys are sorted by start time, then by transaction id. */
export interface Sorted {
  readonly listed: Stakers.Details
  readonly value: bigint
}

/** Maximum number of active validators that may be sorted and filtered in memory. */
const MOST = 10_000
/** Number of cached lists of active validators. A list can take some megabytes. */
const KEPT = 4

/** Returns a parameter for an amount in nAVAX, at most the maximum supply. */
function amount(): Parameter.Parameter<bigint> {
  return Parameter.text('an amount of at most 720000000000000000 nAVAX', (text) => {
    const value = /^[0-9]{1,18}$/.test(text) ? BigInt(text) : -1n
    return value >= 0n && value <= 720_000_000_000_000_000n ? value : undefined
  })
}

function seconds(): Parameter.Parameter<bigint> {
  return { ...Parameter.timestamp, expected: 'seconds' }
}

/** Returns a parameter for a percentage from 0 to 100, parsed to millionths. */
function percentage(): Parameter.Parameter<bigint> {
  const parse = (text: string) => {
    const value = /^[0-9]{1,3}(\.[0-9]{1,6})?$/.test(text) ? Math.round(Number(text) * 10_000) : -1
    return value >= 0 && value <= 1_000_000 ? BigInt(value) : undefined
  }
  const one = Parameter.text('a percentage from 0 to 100', parse)
  return { ...one, schema: Type.Number({ minimum: 0, maximum: 100 }) }
}

/** Returns whether a list has its default order and no filters for active validators. */
export function isPlain({ sortBy, ...filters }: ActiveFilters): boolean {
  const hasFilter = Object.entries(filters).some(
    ([name, value]) => name in activeFilters && value !== undefined,
  )
  return !hasFilter && (sortBy === undefined || sortBy === 'blockIndex')
}

/** Reads active validators, optionally limited to a subnet or to some nodes. */
export type ActiveValidators = (
  at: Snapshot,
  subnetId: Uint8Array | undefined,
  nodeIds: readonly Uint8Array[] | undefined,
) => Promise<readonly Stakers.Details[]>

/**
 * Creates a function that reads active validators. It caches recent lists, because each page of a request needs the
 * whole list again.
 * @throws DataApiError `DATA_PARAMETER` if a subnet has too many active validators
 */
export function createActiveValidators(store: Store): ActiveValidators {
  const kept = new LRUCache<string, readonly Stakers.Details[]>({ max: KEPT })
  return async (at, subnetId, nodeIds) => {
    const key = JSON.stringify([at.key, subnetId && Hex.encodeBare(subnetId), nodeIds?.map(Hex.encodeBare)])
    const known = kept.get(key)
    if (known !== undefined) return known
    const query = {
      role: 'validator',
      subnetId,
      nodeIds,
      status: 'active',
      after: undefined,
    } as const
    const all = await Stakers.page(store, at, { ...query, order: 'asc', limit: MOST + 1 })
    if (all.length > MOST) {
      throw Parameter.refused(
        'subnetId',
        `a subnet with at most ${MOST} active validators`,
        'more validators',
      )
    }
    kept.set(key, all)
    return all
  }
}

interface ActiveRequest {
  readonly at: Snapshot
  readonly all: readonly Stakers.Details[]
  readonly filters: ActiveFilters
  readonly order: 'asc' | 'desc'
  readonly after: (Stakers.Start & { readonly value: bigint }) | undefined
  readonly limit: number
  readonly observations: ReadonlyMap<string, Observation>
}

/**
 * Returns the active validators that match the filters, in the requested order. Validators with equal values are
 * sorted by start time in the same direction.
 */
export async function sortedActive(
  { store, constants }: DataContext,
  request: ActiveRequest,
): Promise<Sorted[]> {
  const { at, all, filters, order, after, limit, observations } = request
  const limits = await stakeLimits(
    store,
    at,
    constants,
    all.map(({ staker }) => staker),
  )
  const sorted = all.flatMap((listed): Sorted[] => {
    const { staker, setWeight } = listed
    const uptime = observations.get(Hex.encodeBare(staker.nodeId))?.uptime
    const of = {
      delegationCapacity: capacityOf(staker, setWeight, limits.get(Hex.encodeBare(staker.subnetId))),
      timeRemaining: staker.endTime > at.P.time ? staker.endTime - at.P.time : 0n,
      delegationFee: staker.kind === 'permissioned' ? undefined : BigInt(staker.shares),
      uptimePerformance: uptime === undefined ? undefined : BigInt(Math.round(uptime * 10_000)),
    }
    const passes =
      within(of.delegationCapacity, filters.minDelegationCapacity, filters.maxDelegationCapacity) &&
      within(of.timeRemaining, filters.minTimeRemaining, filters.maxTimeRemaining) &&
      within(of.delegationFee, filters.minFeePercentage, filters.maxFeePercentage) &&
      within(of.uptimePerformance, filters.minUptimePerformance, filters.maxUptimePerformance)
    const { sortBy = 'blockIndex' } = filters
    return passes ? [{ listed, value: sortBy === 'blockIndex' ? 0n : (of[sortBy] ?? BigInt(UNKNOWN)) }] : []
  })
  const sign = order === 'asc' ? 1 : -1
  sorted.sort((a, b) => sign * compare(startOf(a), startOf(b)))
  const rest = after === undefined ? sorted : sorted.filter((one) => sign * compare(startOf(one), after) > 0)
  return rest.slice(0, limit)
}

/** Returns whether a value is within limits. An unknown value satisfies no limit. */
function within(value: bigint | undefined, least: bigint | undefined, most: bigint | undefined): boolean {
  if (least === undefined && most === undefined) return true
  return value !== undefined && value >= (least ?? value) && value <= (most ?? value)
}

type Place = Stakers.Start & { readonly value: bigint }

/** Returns the position of a validator in a sorted list. */
export function startOf({ listed, value }: Sorted): Place {
  const { startTime, txId } = listed.staker
  return { value, startTime, txId }
}

function compare(a: Place, b: Place): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  if (a.startTime !== b.startTime) return a.startTime < b.startTime ? -1 : 1
  return Bytes.compare(a.txId, b.txId)
}
