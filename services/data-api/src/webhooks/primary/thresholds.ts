import { Hex } from '@firn/codec'
import { L1Validators, type Store } from '@firn/store'
import type { Filters } from '../common/Filters.ts'
import { observes, type ValidatorFilter } from './validatorFilter.ts'

/** The balance of an L1 validator, which a block has brought below the amount of webhooks. */
export interface BelowThreshold {
  readonly height: bigint
  readonly nodeId: Uint8Array
  readonly subnetId: Uint8Array
  readonly validationId: Uint8Array
  /** Balance after the block, and the amount, in nAVAX. */
  readonly balance: bigint
  readonly threshold: bigint
  readonly webhooks: readonly string[]
  /** Fees lower balances with each block, so no transaction is the cause. */
  readonly cause: undefined
}

/**
 * Returns where balances of L1 validators fell below the amounts of webhooks, in the blocks after the height `after` through
 * `until`, in order. All webhooks together need two statements.
 */
export async function belowThresholds(
  store: Store,
  { after, until }: { readonly after: bigint; readonly until: bigint },
  filters: Filters<ValidatorFilter>,
): Promise<readonly BelowThreshold[]> {
  const asking = [...filters.all()].filter(
    ({ subEvents, threshold }) => threshold !== undefined && subEvents.has('l1_validator_balance_threshold'),
  )
  if (asking.length === 0) return []
  const keysOf = (keyType: ValidatorFilter['keyType']) =>
    asking.filter((filter) => filter.keyType === keyType).map(({ key }) => key)
  const scope = { nodeIds: keysOf('nodeId'), subnetIds: keysOf('subnetId') }
  const heights = Array.from({ length: Number(until - after) + 1 }, (_, i) => after + BigInt(i))
  const [validators, fees] = await Promise.all([
    L1Validators.between(store, scope, after, until),
    L1Validators.accruedFeesAt(store, heights),
  ])
  const crossings = [...validators.values()].flatMap((versions) =>
    heights.slice(1).flatMap((height) => {
      const [before, now] = [balanceAt(versions, fees, height - 1n), balanceAt(versions, fees, height)]
      if (before === undefined || now === undefined || now.balance >= before.balance) return []
      return thresholdsBetween(asking, height, before.balance, now)
    }),
  )
  return crossings.toSorted((one, other) => Number(one.height - other.height))
}

interface Held {
  readonly validator: L1Validators.Version['validator']
  readonly balance: bigint
}

/** Returns the balance of a validator after a block; undefined if it does not exist then. */
function balanceAt(
  versions: readonly L1Validators.Version[],
  fees: ReadonlyMap<bigint, bigint>,
  height: bigint,
): Held | undefined {
  const version = versions.find(
    ({ since, until }) => since <= height && (until === undefined || until > height),
  )
  if (version === undefined) return undefined
  const rest = version.validator.endAccumulatedFee - (fees.get(height) ?? 0n)
  return { validator: version.validator, balance: rest > 0n ? rest : 0n }
}

/** Returns the amounts between two balances, each with the webhooks that ask for it. */
function thresholdsBetween(
  asking: readonly ValidatorFilter[],
  height: bigint,
  before: bigint,
  { validator, balance }: Held,
): readonly BelowThreshold[] {
  const { nodeId, subnetId, validationId } = validator
  const event = { subEvent: 'l1_validator_balance_threshold', height, nodeId, subnetId } as const
  const keys = new Set([nodeId, subnetId].map((id) => Hex.encodeBare(id)))
  const crossed = asking.filter(
    (filter) =>
      filter.threshold !== undefined &&
      before >= filter.threshold &&
      balance < filter.threshold &&
      filter.keys.some((key) => keys.has(key)) &&
      observes(filter, event),
  )
  return [...Map.groupBy(crossed, ({ threshold }) => threshold)].map(([threshold = 0n, group]) => ({
    ...{ height, nodeId, subnetId, validationId, balance, threshold, cause: undefined },
    webhooks: group.map(({ id }) => id),
  }))
}
