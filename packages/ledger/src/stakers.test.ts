import { Hex, Id } from '@firn/codec'
import { Networks, Rewards, Upgrades } from '@firn/genesis'
import { describe, expect, it } from 'vitest'
import type { Change } from './Change.ts'
import { memberKey, type Staker, unlocked } from './Records.ts'
import { AUTHORIZATION, id, node, PlatformTestChain } from './testing/platformTestChain.ts'
import * as txs from './testing/txs.ts'

const supply = ({ state }: PlatformTestChain) => [...state.tables.supply.ordered()][0]?.supply ?? 0n
const member = ({ state }: PlatformTestChain, seed: number) =>
  state.tables.member.get(memberKey(Networks.PRIMARY_NETWORK_ID, node(seed)))?.weight
const stakerOf = ({ state }: PlatformTestChain, txId: Uint8Array) =>
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
    const testChain = new PlatformTestChain()
    expect(testChain.refusal(txs.addDelegator(testChain, 1))).toBe('LEDGER_STAKER')
    testChain.issue(txs.addValidator(testChain, 1))
    expect(testChain.refusal(txs.addValidator(testChain, 1))).toBe('LEDGER_STAKER')
    testChain.issue(txs.addDelegator(testChain, 1, { seconds: 600 }))
    expect(member(testChain, 1)).toBe(2n * txs.STAKE)
  })

  it('rewards stakers when their staking period ends, delegators before validators', () => {
    const testChain = new PlatformTestChain()
    const before = supply(testChain)
    const end = testChain.after(100_000)
    const validator = testChain.issue(txs.addValidator(testChain, 1, { seconds: 99_999 }))
    const delegator = testChain.issue({
      ...txs.addDelegator(testChain, 1),
      validator: { nodeID: node(1), start: 0n, end, weight: txs.STAKE },
    })
    const earned = [validator, delegator].map((txId) => stakerOf(testChain, txId).potentialReward)
    expect(supply(testChain)).toBe(before + (earned[0] as bigint) + (earned[1] as bigint))
    const propose = (txId: Uint8Array, time: bigint) =>
      testChain.refusalOf(
        testChain.block({
          type: 'BanffProposalBlock',
          time,
          txs: [],
          tx: { unsignedTx: txs.reward(txId), credentials: [] },
        }),
      )
    expect(propose(delegator, end - 1n)).toBe('LEDGER_STAKER')
    expect(propose(validator, end)).toBe('LEDGER_STAKER')
    const own = testChain.propose(txs.reward(delegator), 'Abort', end)
    expect([made(own, 'stake'), made(own, 'reward')]).toEqual([[[1, txs.STAKE]], []])
    expect(supply(testChain)).toBe(before + (earned[0] as bigint))
    expect(stakerOf(testChain, validator).delegateeReward).toBe(0n)
    const last = testChain.propose(txs.reward(validator), 'Commit')
    expect([made(last, 'stake'), made(last, 'reward')]).toEqual([[[1, txs.STAKE]], [[2, earned[0]]]])
    expect(member(testChain, 1)).toBeUndefined()
  })

  it('grants a smaller reward after Helicon', () => {
    const reward = (helicon: bigint) => {
      const testChain = new PlatformTestChain({ helicon })
      return stakerOf(testChain, testChain.issue(txs.addValidator(testChain, 1, { seconds: 86_400 * 30 })))
        .potentialReward
    }
    expect(reward(Upgrades.INITIALLY_ACTIVE)).toBeLessThan(reward(Upgrades.UNSCHEDULED))
  })
})

describe('stakers before Durango', () => {
  const EARLY = { durango: Upgrades.UNSCHEDULED, etna: Upgrades.UNSCHEDULED }

  it('activates pending stakers at their start time, validators before delegators', () => {
    const testChain = new PlatformTestChain(EARLY)
    const validator = testChain.issue(txs.addValidator(testChain, 1, { start: 100 }))
    const before = supply(testChain)
    const delegation = txs.addDelegator(testChain, 1, { start: 99 })
    const { subnetID: _, ...rest } = delegation
    const delegator = testChain.issue({ ...rest, type: 'AddDelegatorTx' })
    expect([validator, delegator].map((txId) => stakerOf(testChain, txId).status)).toEqual([
      'pending',
      'pending',
    ])
    expect(member(testChain, 1)).toBeUndefined()
    expect(supply(testChain)).toBe(before)
    const { startTime } = stakerOf(testChain, validator)
    expect(stakerOf(testChain, delegator).startTime).toBe(startTime)
    const changes = testChain.accept(
      testChain.block({ type: 'BanffStandardBlock', time: startTime, txs: [] }),
    )
    const order = changes.flatMap((change) =>
      change.type === 'staker' && change.after !== undefined ? [change.after.role] : [],
    )
    expect(order).toEqual(['validator', 'delegator'])
    expect(member(testChain, 1)).toBe(2n * txs.STAKE)
    const earned = [validator, delegator].map((txId) => stakerOf(testChain, txId).potentialReward)
    expect(supply(testChain)).toBe(before + (earned[0] as bigint) + (earned[1] as bigint))
    // The delegator was first in the queue, so its reward was computed before the validator's reward was
    // added to the supply.
    expect(stakerOf(testChain, delegator).endTime).toBeLessThanOrEqual(stakerOf(testChain, validator).endTime)
  })

  it("defers a validator's share of delegation rewards only since Cortina", () => {
    const rewards = (cortina: bigint) => {
      const testChain = new PlatformTestChain({ ...EARLY, durango: Upgrades.INITIALLY_ACTIVE, cortina })
      testChain.issue(txs.addValidator(testChain, 1))
      const delegator = testChain.issue(txs.addDelegator(testChain, 1, { seconds: 50_000 }))
      return made(
        testChain.propose(txs.reward(delegator), 'Commit', stakerOf(testChain, delegator).endTime),
        'reward',
      )
    }
    expect(rewards(Upgrades.UNSCHEDULED)).toHaveLength(2)
    expect(rewards(Upgrades.INITIALLY_ACTIVE)).toHaveLength(1)
  })

  it('adds stakers and advances time through proposals before Banff', () => {
    const testChain = new PlatformTestChain({ ...EARLY, banff: Upgrades.UNSCHEDULED })
    const before = testChain.tip.time
    const aborted = testChain.propose(txs.addOldValidator(testChain, 1, { start: 50 }), 'Abort')
    expect(made(aborted, 'stake')).toEqual([[1, txs.STAKE]])
    expect([...testChain.state.tables.staker.ordered()].filter(({ status }) => status === 'pending')).toEqual(
      [],
    )
    const committed = testChain.propose(txs.addOldValidator(testChain, 1, { start: 50 }), 'Commit')
    expect(made(committed, 'stake')).toEqual([])
    testChain.propose({ type: 'AdvanceTimeTx', time: before + 50n }, 'Abort')
    expect(testChain.tip.time).toBe(before)
    testChain.propose({ type: 'AdvanceTimeTx', time: before + 50n }, 'Commit')
    expect(member(testChain, 1)).toBe(txs.STAKE)
    const atomic = (tx: object) =>
      testChain.refusalOf(
        testChain.block({ type: 'ApricotAtomicBlock', tx: { unsignedTx: tx, credentials: [] } }),
      )
    const exported = {
      ...testChain.base(5n),
      destinationChain: testChain.state.rules.chainIds.X,
      exportedOutputs: [testChain.out(5n)],
    }
    expect(atomic({ type: 'ExportTx', ...exported })).toBe('LEDGER_BLOCK_TYPE')
    const older = new PlatformTestChain({
      ...EARLY,
      banff: Upgrades.UNSCHEDULED,
      apricotPhase5: Upgrades.UNSCHEDULED,
    })
    const block = {
      type: 'ApricotAtomicBlock',
      tx: { unsignedTx: { type: 'ExportTx', ...exported }, credentials: [] },
    }
    expect(older.refusalOf(older.block(block as Parameters<PlatformTestChain['block']>[0]))).toBe('none')
  })
})

describe('elastic subnets', () => {
  const testChain = new PlatformTestChain({ etna: Upgrades.UNSCHEDULED })
  const subnetId = testChain.issue(txs.createSubnet(testChain))
  const [initialSupply, maximumSupply] = [1_000_000_000n, 2_000_000_000n]
  const transform = txs.transform(testChain, subnetId, { initialSupply, maximumSupply })
  const stakerOn = (seed: number) => ({
    ...txs.addValidator(testChain, seed, { stake: 1_000_000n, seconds: 31_536_000 }),
    subnetID: subnetId,
    signer: { type: 'Empty' } as const,
  })

  it('tracks supply and rewards separately for each elastic subnet', () => {
    expect(testChain.refusal(stakerOn(1))).toBe('LEDGER_SUPPLY')
    expect(testChain.refusal({ ...transform, maximumSupply: maximumSupply + 1n })).toBe('TXS_FUNDS')
    testChain.issue(transform)
    const txId = testChain.issue(stakerOn(1))
    const { potentialReward, priority, kind } = stakerOf(testChain, txId)
    // The expected reward is for a full period at the maximum rate of 10 % of the remaining supply.
    const stake = { duration: 31_536_000n * 1_000_000_000n, amount: 1_000_000n, currentSupply: initialSupply }
    const config = {
      ...testChain.state.rules.constants.reward,
      minConsumptionRate: 10n,
      maxConsumptionRate: 100_000n,
    }
    expect(potentialReward).toBe(Rewards.calculate({ ...config, supplyCap: maximumSupply }, stake))
    expect([priority, kind]).toEqual([9, 'permissionless'])
    const own = [...testChain.state.tables.supply.ordered()].find(
      (item) => Id.format(item.subnetId) === Id.format(subnetId),
    )
    expect(own?.supply).toBe(initialSupply + potentialReward)
    expect(testChain.refusal(txs.createChain(testChain, subnetId))).toBe('LEDGER_SUBNET')
    const { nodeId } = [...testChain.state.tables.staker.ordered()].find(
      (item) => item.kind === 'primary',
    ) as Staker
    expect(testChain.refusal(txs.addSubnetValidator(testChain, subnetId, nodeId))).toBe('LEDGER_SUBNET')
  })
})

describe('auto-renewed validators', () => {
  const HELICON = { helicon: Upgrades.INITIALLY_ACTIVE }

  it('changes the configuration of auto-renewed validators only', () => {
    const testChain = new PlatformTestChain(HELICON)
    const usual = testChain.issue(txs.addValidator(testChain, 2))
    const txId = testChain.issue(txs.addAutoRenewed(testChain, 1, 86_400n, 0))
    const configure = (target: Uint8Array) =>
      ({
        type: 'SetAutoRenewedValidatorConfigTx',
        ...testChain.base(),
        txID: target,
        auth: AUTHORIZATION,
        autoCompoundRewardShares: 7,
        period: 90_000n,
      }) as const
    expect(testChain.refusal(txs.addAutoRenewed(testChain, 1, 86_400n, 0))).toBe('LEDGER_STAKER')
    expect(testChain.refusal(configure(id(9)))).toBe('LEDGER_STAKER')
    expect(testChain.refusal(configure(usual))).toBe('LEDGER_STAKER')
    testChain.issue(configure(txId))
    const autoRenewal = { autoCompoundRewardShares: 7, nextPeriod: 90_000n }
    expect(stakerOf(testChain, txId)).toMatchObject({ autoRenewal })
  })

  it('restakes the rewards of an auto-renewed validator up to the maximum stake', () => {
    const room = 1000n
    const testChain = new PlatformTestChain(HELICON, (constants) => ({
      ...constants,
      staking: { ...constants.staking, maxValidatorStake: txs.STAKE + room },
    }))
    const period = 86_400n
    const txId = testChain.issue(txs.addAutoRenewed(testChain, 1, period, 1_000_000))
    const { potentialReward } = stakerOf(testChain, txId)
    expect(potentialReward).toBeGreaterThan(room)
    const end = testChain.tip.time + period
    const proposal = { type: 'RewardAutoRenewedValidatorTx', txID: txId, timestamp: end } as const
    const early = { ...proposal, timestamp: end - 1n }
    const block = (unsignedTx: object) =>
      testChain.block({ type: 'BanffProposalBlock', time: end, txs: [], tx: { unsignedTx, credentials: [] } })
    expect(testChain.refusalOf(block(early))).toBe('LEDGER_TIME')
    expect(testChain.refusalOf(block(txs.reward(txId)))).toBe('LEDGER_TX_TYPE')
    const changes = testChain.propose(proposal, 'Commit', end)
    expect(made(changes, 'reward')).toEqual([[0, potentialReward - room]])
    expect(member(testChain, 1)).toBe(txs.STAKE + room)
    expect(stakerOf(testChain, txId)).toMatchObject({ startTime: end, endTime: end + period })
  })
})
