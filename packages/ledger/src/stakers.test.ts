import { Hex, Id } from '@firn/codec'
import { Networks, Rewards, Upgrades } from '@firn/genesis'
import { describe, expect, it } from 'vitest'
import type { Change } from './Change.ts'
import { memberKey, type Staker, unlocked } from './Records.ts'
import * as txs from './testing/txs.ts'
import { AUTHORIZATION, id, node, World } from './testing/world.ts'

const supply = ({ state }: World) => [...state.tables.supply.ordered()][0]?.supply ?? 0n
const member = ({ state }: World, seed: number) =>
  state.tables.member.get(memberKey(Networks.PRIMARY_NETWORK_ID, node(seed)))?.weight
const stakerOf = ({ state }: World, txId: Uint8Array) =>
  state.tables.staker.get(Hex.encodeBare(txId)) as Staker

/** Returns the output index and amount of each UTXO that `changes` created with the given origin. */
function made(changes: readonly Change[], origin: string): (readonly [number, bigint])[] {
  return changes.flatMap((change) => {
    if (change.type !== 'utxo' || change.after?.origin !== origin) return []
    const { outputIndex } = change.after.utxo
    const output = unlocked(change.after.utxo.output)
    return output.type === 'TransferOutput' ? [[outputIndex, output.amount] as const] : []
  })
}

describe('stakers since Durango', () => {
  it('rejects a second validator for the same node, and a delegator without a validator', () => {
    const world = new World()
    expect(world.refusal(txs.addDelegator(world, 1))).toBe('LEDGER_STAKER')
    world.issue(txs.addValidator(world, 1))
    expect(world.refusal(txs.addValidator(world, 1))).toBe('LEDGER_STAKER')
    world.issue(txs.addDelegator(world, 1, { seconds: 600 }))
    expect(member(world, 1)).toBe(2n * txs.STAKE)
  })

  it('rewards stakers when their staking period ends, delegators before validators', () => {
    const world = new World()
    const before = supply(world)
    const end = world.after(100_000)
    const validator = world.issue(txs.addValidator(world, 1, { seconds: 99_999 }))
    const delegator = world.issue({
      ...txs.addDelegator(world, 1),
      validator: { nodeID: node(1), start: 0n, end, weight: txs.STAKE },
    })
    const earned = [validator, delegator].map((txId) => stakerOf(world, txId).potentialReward)
    expect(supply(world)).toBe(before + (earned[0] as bigint) + (earned[1] as bigint))
    const propose = (txId: Uint8Array, time: bigint) =>
      world.refusalOf(
        world.block({
          type: 'BanffProposalBlock',
          time,
          txs: [],
          tx: { unsignedTx: txs.reward(txId), credentials: [] },
        }),
      )
    expect(propose(delegator, end - 1n)).toBe('LEDGER_STAKER')
    expect(propose(validator, end)).toBe('LEDGER_STAKER')
    const own = world.propose(txs.reward(delegator), 'Abort', end)
    expect([made(own, 'stake'), made(own, 'reward')]).toEqual([[[1, txs.STAKE]], []])
    expect(supply(world)).toBe(before + (earned[0] as bigint))
    expect(stakerOf(world, validator).delegateeReward).toBe(0n)
    const last = world.propose(txs.reward(validator), 'Commit')
    expect([made(last, 'stake'), made(last, 'reward')]).toEqual([[[1, txs.STAKE]], [[2, earned[0]]]])
    expect(member(world, 1)).toBeUndefined()
  })

  it('grants a smaller reward after Helicon', () => {
    const reward = (helicon: bigint) => {
      const world = new World({ helicon })
      return stakerOf(world, world.issue(txs.addValidator(world, 1, { seconds: 86_400 * 30 })))
        .potentialReward
    }
    expect(reward(Upgrades.INITIALLY_ACTIVE)).toBeLessThan(reward(Upgrades.UNSCHEDULED))
  })
})

describe('stakers before Durango', () => {
  const EARLY = { durango: Upgrades.UNSCHEDULED, etna: Upgrades.UNSCHEDULED }

  it('activates pending stakers at their start time, validators before delegators', () => {
    const world = new World(EARLY)
    const validator = world.issue(txs.addValidator(world, 1, { start: 100 }))
    const before = supply(world)
    const delegation = txs.addDelegator(world, 1, { start: 99 })
    const { subnetID: _, ...rest } = delegation
    const delegator = world.issue({ ...rest, type: 'AddDelegatorTx' })
    expect([validator, delegator].map((txId) => stakerOf(world, txId).status)).toEqual(['pending', 'pending'])
    expect(member(world, 1)).toBeUndefined()
    expect(supply(world)).toBe(before)
    const { startTime } = stakerOf(world, validator)
    expect(stakerOf(world, delegator).startTime).toBe(startTime)
    const changes = world.accept(world.block({ type: 'BanffStandardBlock', time: startTime, txs: [] }))
    const order = changes.flatMap((change) =>
      change.type === 'staker' && change.after !== undefined ? [change.after.role] : [],
    )
    expect(order).toEqual(['validator', 'delegator'])
    expect(member(world, 1)).toBe(2n * txs.STAKE)
    const earned = [validator, delegator].map((txId) => stakerOf(world, txId).potentialReward)
    expect(supply(world)).toBe(before + (earned[0] as bigint) + (earned[1] as bigint))
    // The delegator was first in the queue, so its reward was computed before the validator's reward was
    // added to the supply.
    expect(stakerOf(world, delegator).endTime).toBeLessThanOrEqual(stakerOf(world, validator).endTime)
  })

  it("defers a validator's share of delegation rewards only since Cortina", () => {
    const rewards = (cortina: bigint) => {
      const world = new World({ ...EARLY, durango: Upgrades.INITIALLY_ACTIVE, cortina })
      world.issue(txs.addValidator(world, 1))
      const delegator = world.issue(txs.addDelegator(world, 1, { seconds: 50_000 }))
      return made(
        world.propose(txs.reward(delegator), 'Commit', stakerOf(world, delegator).endTime),
        'reward',
      )
    }
    expect(rewards(Upgrades.UNSCHEDULED)).toHaveLength(2)
    expect(rewards(Upgrades.INITIALLY_ACTIVE)).toHaveLength(1)
  })

  it('adds stakers and advances time through proposals before Banff', () => {
    const world = new World({ ...EARLY, banff: Upgrades.UNSCHEDULED })
    const before = world.tip.time
    const aborted = world.propose(txs.addOldValidator(world, 1, { start: 50 }), 'Abort')
    expect(made(aborted, 'stake')).toEqual([[1, txs.STAKE]])
    expect([...world.state.tables.staker.ordered()].filter(({ status }) => status === 'pending')).toEqual([])
    const committed = world.propose(txs.addOldValidator(world, 1, { start: 50 }), 'Commit')
    expect(made(committed, 'stake')).toEqual([])
    world.propose({ type: 'AdvanceTimeTx', time: before + 50n }, 'Abort')
    expect(world.tip.time).toBe(before)
    world.propose({ type: 'AdvanceTimeTx', time: before + 50n }, 'Commit')
    expect(member(world, 1)).toBe(txs.STAKE)
    const atomic = (tx: object) =>
      world.refusalOf(world.block({ type: 'ApricotAtomicBlock', tx: { unsignedTx: tx, credentials: [] } }))
    const exported = {
      ...world.base(5n),
      destinationChain: world.state.rules.chainIds.X,
      exportedOutputs: [world.out(5n)],
    }
    expect(atomic({ type: 'ExportTx', ...exported })).toBe('LEDGER_BLOCK_TYPE')
    const older = new World({ ...EARLY, banff: Upgrades.UNSCHEDULED, apricotPhase5: Upgrades.UNSCHEDULED })
    const block = {
      type: 'ApricotAtomicBlock',
      tx: { unsignedTx: { type: 'ExportTx', ...exported }, credentials: [] },
    }
    expect(older.refusalOf(older.block(block as Parameters<World['block']>[0]))).toBe('none')
  })
})

describe('elastic subnets', () => {
  const world = new World({ etna: Upgrades.UNSCHEDULED })
  const subnetId = world.issue(txs.createSubnet(world))
  const [initialSupply, maximumSupply] = [1_000_000_000n, 2_000_000_000n]
  const transform = txs.transform(world, subnetId, { initialSupply, maximumSupply })
  const stakerOn = (seed: number) => ({
    ...txs.addValidator(world, seed, { stake: 1_000_000n, seconds: 31_536_000 }),
    subnetID: subnetId,
    signer: { type: 'Empty' } as const,
  })

  it('tracks supply and rewards separately for each elastic subnet', () => {
    expect(world.refusal(stakerOn(1))).toBe('LEDGER_SUPPLY')
    expect(world.refusal({ ...transform, maximumSupply: maximumSupply + 1n })).toBe('TXS_FUNDS')
    world.issue(transform)
    const txId = world.issue(stakerOn(1))
    const { potentialReward, priority, kind } = stakerOf(world, txId)
    // The expected reward is for a full period at the maximum rate of 10 % of the remaining supply.
    const stake = { duration: 31_536_000n * 1_000_000_000n, amount: 1_000_000n, currentSupply: initialSupply }
    const config = {
      ...world.state.rules.constants.reward,
      minConsumptionRate: 10n,
      maxConsumptionRate: 100_000n,
    }
    expect(potentialReward).toBe(Rewards.calculate({ ...config, supplyCap: maximumSupply }, stake))
    expect([priority, kind]).toEqual([9, 'permissionless'])
    const own = [...world.state.tables.supply.ordered()].find(
      (item) => Id.format(item.subnetId) === Id.format(subnetId),
    )
    expect(own?.supply).toBe(initialSupply + potentialReward)
    expect(world.refusal(txs.createChain(world, subnetId))).toBe('LEDGER_SUBNET')
    const { nodeId } = [...world.state.tables.staker.ordered()].find(
      (item) => item.kind === 'primary',
    ) as Staker
    expect(world.refusal(txs.addSubnetValidator(world, subnetId, nodeId))).toBe('LEDGER_SUBNET')
  })
})

describe('auto-renewed validators', () => {
  const HELICON = { helicon: Upgrades.INITIALLY_ACTIVE }

  it('changes the configuration of auto-renewed validators only', () => {
    const world = new World(HELICON)
    const usual = world.issue(txs.addValidator(world, 2))
    const txId = world.issue(txs.addAutoRenewed(world, 1, 86_400n, 0))
    const configure = (target: Uint8Array) =>
      ({
        type: 'SetAutoRenewedValidatorConfigTx',
        ...world.base(),
        txID: target,
        auth: AUTHORIZATION,
        autoCompoundRewardShares: 7,
        period: 90_000n,
      }) as const
    expect(world.refusal(txs.addAutoRenewed(world, 1, 86_400n, 0))).toBe('LEDGER_STAKER')
    expect(world.refusal(configure(id(9)))).toBe('LEDGER_STAKER')
    expect(world.refusal(configure(usual))).toBe('LEDGER_STAKER')
    world.issue(configure(txId))
    const autoRenewal = { autoCompoundRewardShares: 7, nextPeriod: 90_000n }
    expect(stakerOf(world, txId)).toMatchObject({ autoRenewal })
  })

  it('restakes the rewards of an auto-renewed validator up to the maximum stake', () => {
    const room = 1000n
    const world = new World(HELICON, (constants) => ({
      ...constants,
      staking: { ...constants.staking, maxValidatorStake: txs.STAKE + room },
    }))
    const period = 86_400n
    const txId = world.issue(txs.addAutoRenewed(world, 1, period, 1_000_000))
    const { potentialReward } = stakerOf(world, txId)
    expect(potentialReward).toBeGreaterThan(room)
    const end = world.tip.time + period
    const proposal = { type: 'RewardAutoRenewedValidatorTx', txID: txId, timestamp: end } as const
    const early = { ...proposal, timestamp: end - 1n }
    const block = (unsignedTx: object) =>
      world.block({ type: 'BanffProposalBlock', time: end, txs: [], tx: { unsignedTx, credentials: [] } })
    expect(world.refusalOf(block(early))).toBe('LEDGER_TIME')
    expect(world.refusalOf(block(txs.reward(txId)))).toBe('LEDGER_TX_TYPE')
    const changes = world.propose(proposal, 'Commit', end)
    expect(made(changes, 'reward')).toEqual([[0, potentialReward - room]])
    expect(member(world, 1)).toBe(txs.STAKE + room)
    expect(stakerOf(world, txId)).toMatchObject({ startTime: end, endTime: end + period })
  })
})
