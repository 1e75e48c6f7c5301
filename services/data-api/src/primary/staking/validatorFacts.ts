import { Hex } from '@firn/codec'
import type { Networks } from '@firn/genesis'
import type { Records } from '@firn/ledger'
import { type Snapshot, Stakers, type Store, Subnets, Validators } from '@firn/store'
import type { DataContext, Observation } from '../network/Context.ts'
import { stakerRewards } from '../network/stakerRewards.ts'
import { percentOf } from '../shapes/Percent.ts'
import type { ValidatorFacts } from '../shapes/Validator.ts'

/**
 * Reads the data of a page of validators with a fixed number of statements, plus two for each subnet on the
 * page.
 */
export async function validatorFacts(
  { store, constants }: DataContext,
  at: Snapshot,
  page: readonly Stakers.Details[],
  observations: ReadonlyMap<string, Observation>,
): Promise<ValidatorFacts[]> {
  const validations = page.map(({ staker, since, end }) => ({ ...staker, since, until: end?.height }))
  const completed = page.filter(({ status }) => status === 'completed')
  const active = page.filter(({ status }) => status === 'active').map(({ staker }) => staker)
  const [delegated, rewards, totals, limits] = await Promise.all([
    Stakers.delegated(store, at, validations),
    stakerRewards(store, at, completed),
    bySubnet(active, (subnetId) => Validators.totalWeight(store, at, subnetId)),
    stakeLimits(store, at, constants, active),
  ])
  return page.map((listed, i) => {
    const { staker, setWeight } = listed
    const subnet = Hex.encodeBare(staker.subnetId)
    return {
      listed,
      delegated: delegated[i] ?? { count: 0n, weight: 0n },
      stakePercentage: percentOf(staker.weight, totals.get(subnet) ?? 0n),
      capacity: capacityOf(staker, setWeight, limits.get(subnet)),
      reward: rewards.get(Hex.encodeBare(staker.txId)),
      observation: observations.get(Hex.encodeBare(staker.nodeId)),
    }
  })
}

/** Limits on the stake of one validator of a subnet, including delegations. */
export interface StakeLimit {
  readonly maxValidatorStake: bigint
  /** Maximum total stake as a multiple of the validator's own stake. */
  readonly factor: bigint
}

/**
 * Maximum total stake of a Primary Network validator, as a multiple of its own stake. It equals
 * `MaxValidatorWeightFactor` in avalanchego.
 */
const PRIMARY_FACTOR = 5n

/** Returns the stake limits of subnets that allow delegation, by subnet id in hex. */
export function stakeLimits(
  store: Store,
  at: Snapshot,
  { staking }: Networks.Constants,
  stakers: readonly Records.Staker[],
): Promise<ReadonlyMap<string, StakeLimit | undefined>> {
  const open = stakers.filter(({ kind }) => kind !== 'permissioned')
  return bySubnet(open, async (subnetId, { kind }) => {
    if (kind === 'primary') return { maxValidatorStake: staking.maxValidatorStake, factor: PRIMARY_FACTOR }
    const tx = (await Subnets.byId(store, at, subnetId))?.transformation?.tx
    return tx && { maxValidatorStake: tx.maxValidatorStake, factor: BigInt(tx.maxValidatorWeightFactor) }
  })
}

/**
 * Returns the stake that a validator can still accept from delegators, or undefined if it accepts none.
 * `weight` is the total weight of its node.
 */
export function capacityOf(
  { kind, weight }: Records.Staker,
  setWeight: bigint,
  limit: StakeLimit | undefined,
): bigint | undefined {
  if (kind === 'permissioned' || limit === undefined) return undefined
  let room = weight * limit.factor - setWeight
  const under = limit.maxValidatorStake - setWeight
  if (under < room) room = under
  return room > 0n ? room : 0n
}

async function bySubnet<T>(
  stakers: readonly Records.Staker[],
  read: (subnetId: Uint8Array, one: Records.Staker) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const one = new Map(stakers.map((staker) => [Hex.encodeBare(staker.subnetId), staker]))
  const entries = [...one].map(async ([key, staker]) => [key, await read(staker.subnetId, staker)] as const)
  return new Map(await Promise.all(entries))
}
