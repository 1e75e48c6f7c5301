import type { Avalanche } from '@avalanche-sdk/chainkit'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, expect, test } from 'vitest'
import { all, client } from './testing/client.ts'
import { listen } from './testing/serve.ts'
import type { AggregateRequest } from './upstream/AggregatorClient.ts'

let sdk: Avalanche
const asked: AggregateRequest[] = []

beforeAll(async () => {
  const { url } = await listen(await recordedStore('local'), {
    aggregate: async (request) => {
      asked.push(request)
      const { message } = request.body as { message: string }
      return { signedMessage: message.replace('0x', '') }
    },
  })
  sdk = client(url)
})

test.each(['p-chain', 'x-chain', 'c-chain'] as const)(
  'lists every transaction of the %s through the SDK, and returns each transaction by its hash',
  async (blockchainId) => {
    const pages = await all(sdk.data.primaryNetwork.transactions.listLatest({ blockchainId, pageSize: 7 }))
    const hashes = pages.flatMap(({ transactions }) => transactions.map(({ txHash }) => txHash))
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashes.length).toBe({ 'p-chain': 84, 'x-chain': 36, 'c-chain': 8 }[blockchainId])
    for (const txHash of hashes) {
      const one = await sdk.data.primaryNetwork.transactions.get({ blockchainId, txHash })
      expect(one).toMatchObject({ txHash })
    }
  },
)

test('lists subnets, blockchains and L1 validators through the SDK', async () => {
  const subnets = await all(sdk.data.primaryNetwork.listSubnets({ pageSize: 2 }))
  expect(subnets.flatMap((page) => page.subnets)).toHaveLength(6)
  const chains = await all(sdk.data.primaryNetwork.listBlockchains({ pageSize: 3 }))
  expect(chains.flatMap((page) => page.blockchains)).toHaveLength(7)
  const active = await all(sdk.data.primaryNetwork.listL1Validators({ pageSize: 3 }))
  const inactive = await all(
    sdk.data.primaryNetwork.listL1Validators({ pageSize: 3, includeInactiveL1Validators: true }),
  )
  expect(active.flatMap((page) => page.validators)).toHaveLength(13)
  expect(inactive.flatMap((page) => page.validators)).toHaveLength(17)
  for (const { blockchainId } of chains.flatMap((page) => page.blockchains)) {
    expect((await sdk.data.primaryNetwork.getBlockchainById({ blockchainId })).blockchainId).toBe(
      blockchainId,
    )
  }
})

const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'

test('applies the transaction filters of the SDK', async () => {
  const list = sdk.data.primaryNetwork.transactions
  const of = async (more: Partial<Parameters<typeof list.listLatest>[0]>) => {
    const pages = await all(list.listLatest({ blockchainId: 'p-chain', pageSize: 5, ...more }))
    return pages.flatMap(
      (page) =>
        page.transactions as {
          readonly txHash: string
          readonly txType: string
          readonly blockTimestamp: number
        }[],
    )
  }
  const mine = await of({ addresses: `P-${EWOQ}` })
  expect(mine.length).toBeGreaterThan(40)
  expect(await of({ addresses: EWOQ })).toEqual(mine)
  const bases = await of({ addresses: EWOQ, txTypes: ['BaseTx', 'CreateSubnetTx'] })
  expect(bases).toEqual(mine.filter(({ txType }) => txType === 'BaseTx' || txType === 'CreateSubnetTx'))
  const [startTimestamp, endTimestamp] = [1_795_217_425, 1_795_217_664]
  const between = mine.filter(({ blockTimestamp: t }) => t >= startTimestamp && t < endTimestamp)
  expect(between.length).toBeGreaterThan(5)
  expect(await of({ addresses: EWOQ, startTimestamp, endTimestamp })).toEqual(between)
  expect((await of({ addresses: EWOQ, sortOrder: 'asc' })).map(({ txHash }) => txHash)).toEqual(
    mine.map(({ txHash }) => txHash).reverse(),
  )
  const validation = await of({ l1ValidationId: 'YZDVkbBGceEBQwBjYJo2czHdRmpzk1ugEqmL6CkzkQigjNQjW' })
  expect(validation.map(({ txType }) => txType)).toEqual([
    'SetL1ValidatorWeightTx',
    'IncreaseL1ValidatorBalanceTx',
    'SetL1ValidatorWeightTx',
    'RegisterL1ValidatorTx',
  ])
  await expect(of({ txTypes: ['BaseTx'] })).rejects.toMatchObject({
    statusCode: 400,
    message: expect.stringContaining('txTypes: expected the parameter addresses'),
  })
})

test('returns the weight and balance of an L1 validator after each transaction', async () => {
  const pages = await all(
    sdk.data.primaryNetwork.transactions.listLatest({
      blockchainId: 'p-chain',
      l1ValidationId: 'YZDVkbBGceEBQwBjYJo2czHdRmpzk1ugEqmL6CkzkQigjNQjW',
      sortOrder: 'asc',
    }),
  )
  const left = pages.flatMap((page) =>
    (
      page.transactions as {
        readonly l1ValidatorDetails: readonly {
          readonly weight: number
          readonly remainingBalance: number
          readonly balanceChange?: number
        }[]
      }[]
    ).map(({ l1ValidatorDetails: [one] }) => [one?.weight, one?.remainingBalance, one?.balanceChange]),
  )
  // Weight, balance and balance change after registration, weight change, top-up and removal.
  expect(left).toEqual([
    [30, 3_000_000_000, 3_000_000_000],
    [44, 2_999_999_997, undefined],
    [44, 3_776_999_991, 777_000_000],
    [0, 0, -3_776_999_511],
  ])
})

test('lists stakers and filters L1 validators through the SDK', async () => {
  const { primaryNetwork } = sdk.data
  const stakers = (
    await all(
      primaryNetwork.transactions.listActiveStakingTransactions({ blockchainId: 'p-chain', pageSize: 3 }),
    )
  ).flatMap((page) => page.transactions)
  const counts = Object.groupBy(stakers, ({ txType }) => txType)
  expect(Object.fromEntries(Object.entries(counts).map(([type, some]) => [type, some?.length]))).toEqual({
    AddPermissionlessDelegatorTx: 3,
    AddPermissionlessValidatorTx: 6,
    AddSubnetValidatorTx: 3,
  })
  const validators = async (request: object) =>
    (await all(primaryNetwork.listL1Validators({ pageSize: 4, ...request }))).flatMap(
      (page) => page.validators,
    )
  const everyone = await validators({ includeInactiveL1Validators: true })
  const [one] = everyone
  expect(
    await validators({ includeInactiveL1Validators: true, l1ValidationId: one?.validationIdHex }),
  ).toEqual([one])
  expect(await validators({ includeInactiveL1Validators: true, subnetId: one?.subnetId })).toEqual(
    everyone.filter(({ subnetId }) => subnetId === one?.subnetId),
  )
  expect(await validators({ includeInactiveL1Validators: true, nodeId: one?.nodeId })).toEqual(
    everyone.filter(({ nodeId }) => nodeId === one?.nodeId),
  )
  expect(await validators({})).toEqual(everyone.filter(({ remainingBalance }) => remainingBalance > 0))
})

test('returns the signed message of an L1 transaction through the SDK, and 404 for an unknown transaction', async () => {
  const conversions = await all(
    sdk.data.primaryNetwork.transactions.listLatest({
      blockchainId: 'p-chain',
      addresses: EWOQ,
      txTypes: ['ConvertSubnetToL1Tx'],
      pageSize: 5,
    }),
  )
  const [conversion] = conversions.flatMap((page) => page.transactions as { readonly txHash: string }[])
  const { signedMessage } = await sdk.data.signatureAggregator.get({ txHash: conversion?.txHash ?? '' })
  expect(asked.at(-1)?.body).toMatchObject({ message: `0x${signedMessage}` })
  await expect(
    sdk.data.signatureAggregator.get({ txHash: '11111111111111111111111111111111LpoYY' }),
  ).rejects.toMatchObject({ statusCode: 404 })
})
