import { Address, Hex, Id, NodeId } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { adding, inventedStaker, inventedSubnet, Recordings } from '@firn/store/testing'
import type { UnsignedTx } from '@firn/txs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InventedPlatform, inventPlatform } from '../testing/inventedPlatform.ts'

const id = (fill: number) => new Uint8Array(32).fill(fill)
const node = (fill: number) => new Uint8Array(20).fill(fill)
const address = (fill: number) => Address.format({ chain: 'P', hrp: 'local', payload: node(fill) })
const owner = (fill: number) => ({ locktime: 7n, threshold: 1, addresses: [node(fill)] })
const AVAX = Recordings.load('local').genesis.avaxAssetId

const ELASTIC = id(0xe1)
const ASSET = id(0xa5)
const TRANSFORMATION: UnsignedTx.Of<'TransformSubnetTx'> = {
  type: 'TransformSubnetTx',
  networkID: 12345,
  blockchainID: Id.EMPTY,
  outputs: [],
  inputs: [],
  memo: new Uint8Array(),
  subnetID: ELASTIC,
  assetID: ASSET,
  initialSupply: 1000n,
  maximumSupply: 2000n,
  minConsumptionRate: 1n,
  maxConsumptionRate: 2n,
  minValidatorStake: 11n,
  maxValidatorStake: 12n,
  minStakeDuration: 1,
  maxStakeDuration: 2,
  minDelegationFee: 1,
  minDelegatorStake: 13n,
  maxValidatorWeightFactor: 1,
  uptimeRequirement: 1,
  subnetAuthorization: { type: 'Input', signatureIndices: [] },
}

function output(
  assetId: Uint8Array,
  amount: bigint,
  fill: number,
  lockedUntil?: bigint,
): Records.Staker['stake'][number] {
  const transfer = {
    type: 'TransferOutput',
    amount,
    locktime: 0n,
    threshold: 1,
    addresses: [node(fill)],
  } as const
  if (lockedUntil === undefined) return { assetID: assetId, output: transfer }
  return { assetID: assetId, output: { type: 'LockOut', locktime: lockedUntil, output: transfer } }
}

const staker = (fill: number, given: Partial<Records.Staker>) =>
  adding('staker', inventedStaker({ txId: id(fill), nodeId: node(fill), ...given }))

const elastic = { subnetId: ELASTIC, kind: 'permissionless' } as const
const END = 1_900_000_000n

let platform: InventedPlatform
beforeAll(async () => {
  platform = await inventPlatform([
    {
      changes: [
        adding(
          'subnet',
          inventedSubnet({ subnetId: ELASTIC, transformation: { txId: id(0x7f), tx: TRANSFORMATION } }),
        ),
        adding('supply', { subnetId: ELASTIC, supply: 1234n }),
        // The elastic subnet has two delegators, and a validator that was added while the subnet was still
        // permissioned.
        staker(1, {
          ...elastic,
          weight: 500n,
          endTime: END + 1n,
          shares: 333_333,
          potentialReward: 17n,
          delegateeReward: 3n,
          rewardsOwner: owner(0x11),
          delegationRewardsOwner: owner(0x12),
          stake: [output(ASSET, 500n, 0x33)],
        }),
        staker(2, { ...elastic, kind: 'permissioned', weight: 9n, endTime: END, rewardsOwner: undefined }),
        staker(3, {
          ...elastic,
          nodeId: node(1),
          role: 'delegator',
          weight: 70n,
          endTime: END + 1n,
          potentialReward: 5n,
          rewardsOwner: owner(0x13),
          stake: [output(ASSET, 70n, 0x33)],
        }),
        staker(4, {
          ...elastic,
          nodeId: node(1),
          role: 'delegator',
          weight: 30n,
          endTime: END,
          stake: [output(ASSET, 30n, 0x34)],
        }),
        // The Primary Network has a current staker, a pending validator and a pending delegator.
        staker(5, {
          weight: 40n,
          endTime: END - 5n,
          stake: [output(AVAX, 25n, 0x33, 99n), output(AVAX, 15n, 0x34)],
        }),
        staker(6, {
          status: 'pending',
          startTime: END - 90n,
          priority: 2,
          stake: [output(AVAX, 600n, 0x33)],
        }),
        staker(7, {
          status: 'pending',
          startTime: END - 99n,
          priority: 1,
          role: 'delegator',
          stake: [output(AVAX, 7000n, 0x33)],
        }),
        adding('member', { subnetId: ELASTIC, nodeId: node(1), weight: 600n, publicKey: undefined }),
        adding('member', { subnetId: ELASTIC, nodeId: node(2), weight: 9n, publicKey: undefined }),
      ],
    },
  ])
})
afterAll(() => platform.close())

const subnetId = Id.format(ELASTIC)
const base = (fill: number, nodeFill: number, weight: string, endTime: bigint) => ({
  txID: Id.format(id(fill)),
  startTime: '1800000000',
  endTime: `${endTime}`,
  weight,
  nodeID: NodeId.format(node(nodeFill)),
})
const owners = (fill: number) => ({ locktime: '7', threshold: '1', addresses: [address(fill)] })

describe('elastic subnet', () => {
  const VALIDATOR = {
    ...base(1, 1, '500', END + 1n),
    validationRewardOwner: owners(0x11),
    delegationRewardOwner: owners(0x12),
    potentialReward: '17',
    accruedDelegateeReward: '3',
    delegationFee: '33.3333',
    delegatorCount: '2',
    delegatorWeight: '100',
  }

  test('lists validators of an elastic subnet by end time, without uptimes and including permissioned validators', async () => {
    const answer = await platform.ask('getCurrentValidators', { subnetID: subnetId })
    expect(answer).toEqual({ validators: [base(2, 2, '9', END), VALIDATOR] })
  })

  test('lists delegators individually if only one NodeID is requested, even if the request repeats it', async () => {
    const nodeId = NodeId.format(node(1))
    const delegators = [
      { ...base(4, 1, '30', END), rewardOwner: { ...owners(9), locktime: '0' }, potentialReward: '0' },
      { ...base(3, 1, '70', END + 1n), rewardOwner: owners(0x13), potentialReward: '5' },
    ]
    for (const nodeIds of [[nodeId], [nodeId, nodeId]]) {
      const answer = await platform.ask('getCurrentValidators', { subnetID: subnetId, nodeIDs: nodeIds })
      expect(answer).toEqual({ validators: [{ ...VALIDATOR, delegators }] })
    }
    const others = [nodeId, NodeId.format(node(77))]
    expect(await platform.ask('getCurrentValidators', { subnetID: subnetId, nodeIDs: others })).toEqual({
      validators: [VALIDATOR],
    })
  })

  test('reports the staking rules, asset and supply of an elastic subnet, without control keys', async () => {
    expect(await platform.ask('getMinStake', { subnetID: subnetId })).toEqual({
      minValidatorStake: '11',
      minDelegatorStake: '13',
    })
    expect(await platform.ask('getStakingAssetID', { subnetID: subnetId })).toEqual({
      assetID: Id.format(ASSET),
    })
    expect(await platform.ask('getCurrentSupply', { subnetID: subnetId })).toEqual({
      supply: '1234',
      height: '1',
    })
    expect(await platform.ask('getTotalStake', { subnetID: subnetId })).toEqual({
      stake: '609',
      weight: '609',
    })
    expect(await platform.ask('getSubnet', { subnetID: subnetId })).toMatchObject({
      isPermissioned: false,
      controlKeys: [address(9)],
      subnetTransformationTxID: Id.format(id(0x7f)),
      conversionID: Id.format(Id.EMPTY),
      managerAddress: null,
    })
    const listed = { id: subnetId, controlKeys: [], threshold: '0' }
    expect(await platform.ask('getSubnets')).toEqual({
      subnets: [listed, { ...listed, id: Id.format(Id.EMPTY) }],
    })
    expect(await platform.ask('getSubnets', { ids: [subnetId, Id.format(id(2)), subnetId] })).toEqual({
      subnets: [listed],
    })
    expect(await platform.ask('getSubnets', { ids: [Id.format(id(2))] })).toEqual({ subnets: null })
  })
})

describe('getStake', () => {
  const locked = `0x0000${Hex.encode(AVAX).slice(2)}0000001600000000000000630000000700000000000000190000000000000000000000010000000133${'33'.repeat(19)}`

  test('sums the staked outputs of an address by asset over all subnets, including pending stakers', async () => {
    const answer = await platform.ask('getStake', { addresses: [address(0x33)], encoding: 'hexnc' })
    expect(answer).toMatchObject({
      staked: '7625',
      stakeds: { [Id.format(AVAX)]: '7625', [Id.format(ASSET)]: '570' },
      encoding: 'hexnc',
    })
    const { stakedOutputs } = answer as { stakedOutputs: string[] }
    const amounts = stakedOutputs.map((text) => Number(`0x${text.slice(-88, -72)}`))
    expect(amounts).toEqual([25, 500, 70, 7000, 600])
    expect(stakedOutputs[0]).toBe(locked)
  })

  test('omits the stakes of delegators if only validators are requested', async () => {
    const addresses = [address(0x33), address(0x34)]
    expect(await platform.ask('getStake', { addresses, validatorsOnly: true })).toMatchObject({
      staked: '640',
      stakeds: { [Id.format(AVAX)]: '640', [Id.format(ASSET)]: '500' },
    })
  })

  test('rejects more than 256 addresses, an invalid address, and JSON as the encoding of outputs', async () => {
    const many = Array.from({ length: 257 }, () => address(0x33))
    expect(await platform.ask('getStake', { addresses: many })).toBe(
      '257 addresses provided but this method can take at most 256',
    )
    expect(await platform.ask('getStake', { addresses: many.slice(1) })).toMatchObject({ staked: '7625' })
    expect(await platform.ask('getStake', { addresses: ['X'] })).toBe(
      'couldn\'t parse address "X": no separator found in address',
    )
    expect(await platform.ask('getStake', { addresses: [address(0x34)], encoding: 'json' })).toBe(
      `couldn't encode output ${Id.format(AVAX)} as json: unsupported encoding in method`,
    )
    expect(await platform.ask('getStake', { encoding: 'json' })).toEqual({
      staked: '0',
      stakeds: {},
      stakedOutputs: [],
      encoding: 'json',
    })
  })
})

test('omits pending validators from the list of current validators', async () => {
  const { validators } = (await platform.ask('getCurrentValidators')) as { validators: { txID: string }[] }
  const invented = validators.filter(({ txID: txId }) =>
    [5, 6, 7].map((fill) => Id.format(id(fill))).includes(txId),
  )
  expect(invented).toEqual([
    {
      ...base(5, 5, '40', END - 5n),
      validationRewardOwner: { ...owners(9), locktime: '0' },
      delegationRewardOwner: { ...owners(9), locktime: '0' },
      potentialReward: '0',
      accruedDelegateeReward: '0',
      delegationFee: '2.0000',
      uptime: '50.0000',
      connected: true,
      delegatorCount: '0',
      delegatorWeight: '0',
    },
  ])
  expect(validators.length).toBe(6)
  const waiting = [NodeId.format(node(6))]
  expect(await platform.ask('getCurrentValidators', { nodeIDs: waiting })).toEqual({ validators: [] })
})

test('rejects a total weight above 64 bits, and omits the subnet from the canonical validator sets', async () => {
  const huge = (fill: number, subnet: number) =>
    adding('member', { subnetId: id(subnet), nodeId: node(fill), weight: 2n ** 63n, publicKey: undefined })
  const platform = await inventPlatform([{ changes: [huge(1, 1), huge(2, 1), huge(1, 2)] }])
  expect(await platform.ask('getTotalStake', { subnetID: Id.format(id(1)) })).toBe(
    `couldn't get total weight: total weight is not a uint64, total weight: ${2n ** 64n}`,
  )
  const { validatorSets } = (await platform.ask('getAllValidatorsAt', { height: 1 })) as {
    validatorSets: object
  }
  expect(Object.keys(validatorSets).sort()).toEqual([Id.format(Id.EMPTY), Id.format(id(2))].sort())
  expect(await platform.ask('getStake', { addresses: [] })).toMatchObject({ staked: '0' })
  await platform.close()
})
