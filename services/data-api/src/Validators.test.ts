import { readFileSync } from 'node:fs'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { Hex, NodeId } from '@firn/codec'
import { database } from '@firn/sql/testing'
import { type Accepted, type Store, Writer } from '@firn/store'
import { openStore, Recordings, recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from './primary/network/Context.ts'
import { all, client } from './testing/client.ts'
import { listen } from './testing/serve.ts'

/** A validator or delegator as reported by a recorded node. */
interface Said {
  readonly txID: string
  readonly nodeID: string
  readonly startTime: string
  readonly endTime: string
  readonly weight: string
  readonly potentialReward?: string
  readonly accruedDelegateeReward?: string
  readonly delegationFee?: string
  readonly delegatorCount?: string
  readonly delegatorWeight?: string
  readonly signer?: { readonly publicKey: string; readonly proofOfPossession: string }
  readonly rewardAddresses?: readonly string[]
  readonly delegators?: readonly Said[]
}

type Name = 'local' | 'helicon'

/** Current validators according to recorded nodes, by P-chain height and subnet. */
const SAID: Readonly<
  Record<
    Name,
    readonly { readonly height: number; readonly subnets: Readonly<Record<string, readonly Said[]>> }[]
  >
> = JSON.parse(readFileSync(new URL('../vectors/validators.json', import.meta.url), 'utf8'))

const PRIMARY = '11111111111111111111111111111111LpoYY'
const AVAX = 1_000_000_000n

// biome-ignore lint/suspicious/noExplicitAny: tests access members that only some statuses' types have
type Json = any

async function validators(sdk: Avalanche, request: object = {}): Promise<Json[]> {
  const pages = await all(sdk.data.primaryNetwork.listValidators({ pageSize: 3, ...request }))
  return pages.flatMap((page) => page.validators)
}

async function delegators(sdk: Avalanche, request: object = {}): Promise<Json[]> {
  const pages = await all(sdk.data.primaryNetwork.listDelegators({ pageSize: 2, ...request }))
  return pages.flatMap((page) => page.delegators)
}

/** Returns the Data API's expected answer for a validator that a node reported. */
function expected(said: Said, subnetId: string, total: bigint): Json {
  const common = {
    txHash: said.txID,
    nodeId: said.nodeID,
    subnetId,
    amountStaked: said.weight,
    startTimestamp: Number(said.startTime),
    endTimestamp: Number(said.endTime),
    validationStatus: 'active',
    stakePercentage: Number((BigInt(said.weight) * 100_000_000n) / total) / 1_000_000,
    uptimePerformance: -1,
    geolocation: null,
    validatorHealth: {
      reachabilityPercent: -1,
      benchedPChainRequestsPercent: -1,
      benchedXChainRequestsPercent: -1,
      benchedCChainRequestsPercent: -1,
    },
  }
  if (said.delegationFee === undefined) {
    const potentialRewards = { validationRewardAmount: '0', delegationRewardAmount: '0' }
    return { ...common, delegatorCount: 0, potentialRewards }
  }
  const [own, delegated] = [BigInt(said.weight), BigInt(said.delegatorWeight ?? 0)]
  const most = own * 5n < 3_000_000n * AVAX ? own * 5n : 3_000_000n * AVAX
  return {
    ...common,
    delegationFee: String(Number(said.delegationFee)),
    ...(said.signer === undefined ? {} : { blsCredentials: said.signer }),
    delegatorCount: Number(said.delegatorCount),
    amountDelegated: String(delegated),
    delegationCapacity: String(most - own - delegated),
    potentialRewards: {
      validationRewardAmount: said.potentialReward,
      delegationRewardAmount: said.accruedDelegateeReward,
      rewardAddresses: said.rewardAddresses,
    },
  }
}

const byHash = (a: Json, b: Json) => (a.txHash < b.txHash ? -1 : 1)
const sum = (amounts: readonly (string | bigint)[]) =>
  amounts.reduce((all: bigint, one) => all + BigInt(one), 0n)

describe.each(['local', 'helicon'] as const)('validators and delegators on the %s network', (name) => {
  test('lists the same active validators and delegators as the node at each recorded height', async () => {
    const { genesis, constants, chains } = Recordings.load(name)
    const store = await openStore()
    const { writer, state } = await Writer.open(store, genesis, constants)
    const { url, close } = await listen(store)
    const sdk = client(url)
    const blocks = Recordings.follow(state, chains)[Symbol.iterator]()
    let height = 0
    for (const { height: target, subnets } of SAID[name]) {
      const batch: Accepted[] = []
      while (height < target) {
        const { value } = blocks.next()
        if (value === undefined) throw new RangeError(`the recording ends before P-chain block ${target}`)
        batch.push(value)
        if (value.chain === 'P') height += 1
      }
      await writer.commit(batch)
      const active = await validators(sdk, { validationStatus: 'active' })
      const said = Object.entries(subnets).flatMap(([subnetId, some]) => {
        const total = sum(some.flatMap(({ weight, delegatorWeight = '0' }) => [weight, delegatorWeight]))
        return some.map((one) => expected(one, subnetId, total))
      })
      expect(active.toSorted(byHash)).toEqual(said.toSorted(byHash))
      const recorded = Object.values(subnets).flatMap((some) => some.flatMap((one) => one.delegators ?? []))
      const listed = await delegators(sdk, { delegationStatus: 'active' })
      for (const one of recorded) {
        expect(listed.find(({ txHash }) => txHash === one.txID)).toMatchObject({
          nodeId: one.nodeID,
          amountDelegated: one.weight,
          rewardAddresses: one.rewardAddresses,
          estimatedGrossReward: one.potentialReward,
          startTimestamp: Number(one.startTime),
          endTimestamp: Number(one.endTime),
        })
      }
      const counts = said
        .filter(({ subnetId }) => subnetId === PRIMARY)
        .map(({ delegatorCount }) => delegatorCount)
      expect(listed).toHaveLength(counts.reduce((a, b) => a + b, 0))
    }
    await close()
    await store.close()
  })

  test('returns each staker with exactly one status, and filters by status, node, subnet and owner', async () => {
    const { url, close } = await listen(await recordedStore(name))
    const sdk = client(url)
    const everyone = await validators(sdk)
    expect((await validators(sdk, { sortOrder: 'asc', pageSize: 1 })).toReversed()).toEqual(everyone)
    const statuses = ['active', 'pending', 'completed', 'removed'] as const
    for (const validationStatus of statuses) {
      const some = everyone.filter((one) => one.validationStatus === validationStatus)
      expect(await validators(sdk, { validationStatus })).toEqual(some)
    }
    for (const { nodeId, subnetId } of everyone) {
      const ofNode = everyone.filter((one) => one.nodeId === nodeId)
      expect(await validators(sdk, { nodeIds: nodeId })).toEqual(ofNode)
      expect(await validators(sdk, { nodeIds: nodeId, subnetId })).toEqual(
        ofNode.filter((one) => one.subnetId === subnetId),
      )
      const pages = await all(sdk.data.primaryNetwork.getValidatorDetails({ nodeId, pageSize: 1 }))
      expect(pages.flatMap((page) => page.validators)).toEqual(ofNode)
    }
    const delegations = await delegators(sdk)
    expect((await delegators(sdk, { sortOrder: 'asc' })).toReversed()).toEqual(delegations)
    for (const {
      nodeId,
      rewardAddresses: [owner],
      delegationStatus,
    } of delegations) {
      expect(await delegators(sdk, { nodeIds: nodeId, delegationStatus })).toEqual(
        delegations.filter((one) => one.nodeId === nodeId && one.delegationStatus === delegationStatus),
      )
      expect(await delegators(sdk, { rewardAddresses: owner })).toEqual(
        delegations.filter((one) => one.rewardAddresses.includes(owner)),
      )
    }
    const stakers = (await stakersOf(await recordedStore(name))).length
    expect(everyone.length + delegations.length).toBe(stakers)
    await close()
  })

  test('reports rewards of completed stakers that add up to the paid rewards', async () => {
    const store = await recordedStore(name)
    const { url, close } = await listen(store)
    const sdk = client(url)
    const gone = await validators(sdk, { validationStatus: 'completed' })
    const left = await delegators(sdk, { delegationStatus: 'completed' })
    expect([gone.length, left.length].every((count) => count > 0)).toBe(true)
    // For an auto-renewed validator, the answer contains only the reward of the last period.
    const paid = await rewardsOf(store)
    const ofLast = paid.filter(({ name: type, last }) => type !== 'RewardAutoRenewedValidatorTx' || last)
    const recorded = [
      ...gone.flatMap(({ rewards }) => [rewards.validationRewardAmount, rewards.delegationRewardAmount]),
      ...left.map(({ netReward }) => netReward),
    ]
    expect(sum(recorded)).toBe(sum(ofLast.map(({ amount }) => amount)))
    for (const { grossReward, netReward, delegationFee } of left) {
      const fee = (BigInt(grossReward) * BigInt(delegationFee * 10_000)) / 1_000_000n
      expect([0n, 1n]).toContain(BigInt(grossReward) - BigInt(netReward) - fee)
    }
    await close()
  })
})

/** Returns the distinct keys of all stakers. */
async function stakersOf(store: Store): Promise<unknown[]> {
  return database(store).selectFrom('staker').select('key').distinct().execute()
}

/** Returns the paid rewards. `last` tells whether a staker left at the height of the reward. */
async function rewardsOf(store: Store) {
  const rows = await database(store)
    .selectFrom('utxo')
    .innerJoin('transaction', 'transaction.id', 'utxo.tx_id')
    .select(['utxo.amount', 'utxo.height', 'transaction.name'])
    .where('origin', '=', 'reward')
    .execute()
  const ends = await database(store).selectFrom('staker').select(['key', 'until']).orderBy('since').execute()
  const lasts = new Set(new Map(ends.map(({ key, until }) => [Hex.encodeBare(key), until])).values())
  return rows.map(({ amount, height, name }) => ({ amount: amount ?? 0n, name, last: lasts.has(height) }))
}

describe('validators of the local network', () => {
  let sdk: Avalanche
  let active: readonly Json[]

  beforeAll(async () => {
    sdk = client((await listen(await recordedStore('local'))).url)
    active = await validators(sdk, { validationStatus: 'active' })
  })

  test('returns the removing transaction for a validator that the subnet’s owner removed', async () => {
    const removed = await validators(sdk, { validationStatus: 'removed' })
    expect(
      removed.map(({ txHash, removeTxHash, removeTimestamp }) => [
        txHash.slice(0, 4),
        removeTxHash.slice(0, 4),
        removeTimestamp,
      ]),
    ).toEqual([['Wbj8', '2LFc', 1_795_217_438]])
    for (const { removeTxHash, removeTimestamp, nodeId, subnetId } of removed) {
      const tx = await sdk.data.primaryNetwork.transactions.get({
        blockchainId: 'p-chain',
        txHash: removeTxHash,
      })
      expect(tx).toMatchObject({
        txType: 'RemoveSubnetValidatorTx',
        blockTimestamp: removeTimestamp,
        nodeId,
        subnetId,
      })
    }
  })

  test('finds nodes by a part of the node id', async () => {
    const everyone = await validators(sdk)
    for (const part of [
      '7Xhw2m',
      'NodeID-7X',
      'Lg',
      'B',
      'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
      'zzzzzz',
    ]) {
      const some = everyone.filter(({ nodeId }) => nodeId.includes(part))
      expect([part, await validators(sdk, { nodeIds: part })]).toEqual([part, some])
    }
    const both = everyone.filter(({ nodeId }) => nodeId.includes('7Xhw') || nodeId.endsWith('Zfetc'))
    const nodeIds = [...new Set(both.map(({ nodeId }) => nodeId))]
    expect(await validators(sdk, { nodeIds: ['7Xhw', ...nodeIds].join() })).toEqual(
      everyone.filter(({ nodeId }) => nodeId.includes('7Xhw') || nodeIds.includes(nodeId)),
    )
    for (const bad of ['', '0', '%', 'NodeID_', '1'.repeat(60)]) {
      await expect(validators(sdk, { nodeIds: bad })).rejects.toMatchObject({ statusCode: 400 })
    }
  })

  test('sorts active validators by capacity, fee, remaining time and uptime', async () => {
    const keys = {
      delegationCapacity: (one: Json) => BigInt(one.delegationCapacity ?? -1),
      delegationFee: (one: Json) => BigInt(Math.round(Number(one.delegationFee ?? -1) * 10_000)),
      timeRemaining: (one: Json) => BigInt(one.endTimestamp),
      uptimePerformance: () => 0n,
      blockIndex: () => 0n,
    }
    for (const [sortBy, key] of Object.entries(keys)) {
      const up = await validators(sdk, { sortBy, sortOrder: 'asc', validationStatus: 'active' })
      const values = up.map(key)
      expect([sortBy, values]).toEqual([sortBy, values.toSorted((a, b) => Number(a > b) - Number(a < b))])
      expect(
        (
          await validators(sdk, { sortBy, sortOrder: 'desc', validationStatus: 'active', pageSize: 2 })
        ).toReversed(),
      ).toEqual(up)
      expect(up.toSorted(byHash)).toEqual(active.toSorted(byHash))
    }
  })

  test('filters active validators by fee, capacity, remaining time and uptime', async () => {
    const now = 1_795_219_000
    const remaining = ({ endTimestamp }: Json) => endTimestamp - now
    const fee = ({ delegationFee }: Json) => Number(delegationFee)
    const capacity = ({ delegationCapacity }: Json) => Number(delegationCapacity)
    const filters: readonly [object, (one: Json) => boolean][] = [
      [{ minFeePercentage: 6.25 }, (one) => fee(one) >= 6.25],
      [{ minFeePercentage: 6.25, maxFeePercentage: 12.5 }, (one) => fee(one) >= 6.25 && fee(one) <= 12.5],
      [{ minDelegationCapacity: '10000000000000' }, (one) => capacity(one) >= 1e13],
      [{ maxDelegationCapacity: '999999000000000' }, (one) => capacity(one) <= 999_999_000_000_000],
      [{ minTimeRemaining: 1_000_000 }, (one) => remaining(one) > 900_000],
      [
        { maxTimeRemaining: 1_000_000, subnetId: 'R8drMr6ua5vkXrU1663ksZixHkZanPoV4ndQNJdNDYV9iQXK7' },
        (one) => one.subnetId.startsWith('R8dr'),
      ],
      [{ minUptimePerformance: 0 }, () => false],
    ]
    for (const [filter, passes] of filters) {
      const some = active.filter(passes)
      expect([filter, await validators(sdk, filter)]).toEqual([filter, some])
      const isPart = some.length > 0 && some.length < active.length
      expect([filter, isPart || 'minUptimePerformance' in filter]).toEqual([filter, true])
    }
    await expect(
      validators(sdk, { minFeePercentage: 1, validationStatus: 'completed' }),
    ).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('validationStatus: expected active'),
    })
    for (const bad of [
      { minFeePercentage: 101 },
      { maxDelegationCapacity: '720000000000000001' },
      { subnetId: 'x' },
    ]) {
      await expect(validators(sdk, bad)).rejects.toMatchObject({ statusCode: 400 })
    }
  })

  test("adds a node's observations to validators if a node is configured", async () => {
    const [first, second] = active.filter(({ subnetId }) => subnetId === PRIMARY)
    const seen: readonly (readonly [string, Observation])[] = [
      [first.nodeId, { uptime: 99.5, version: 'avalanchego/1.14.2', isConnected: true, benched: ['X'] }],
      [second.nodeId, { uptime: 12, version: undefined, isConnected: false, benched: [] }],
    ]
    const observations = new Map(seen.map(([id, one]) => [Hex.encodeBare(NodeId.parse(id)), one]))
    const { url, close } = await listen(await recordedStore('local'), {
      observations: async () => observations,
    })
    const other = client(url)
    const [best, worse] = await validators(other, { sortBy: 'uptimePerformance', subnetId: PRIMARY })
    expect(best).toMatchObject({
      nodeId: first.nodeId,
      uptimePerformance: 99.5,
      avalancheGoVersion: 'avalanchego/1.14.2',
      validatorHealth: {
        reachabilityPercent: 100,
        benchedXChainRequestsPercent: 100,
        benchedPChainRequestsPercent: 0,
      },
    })
    expect(worse).toMatchObject({
      nodeId: second.nodeId,
      uptimePerformance: 12,
      validatorHealth: { reachabilityPercent: 0 },
    })
    expect(await validators(other, { minUptimePerformance: 90, maxUptimePerformance: 100 })).toEqual([best])
    await close()
  })
})
