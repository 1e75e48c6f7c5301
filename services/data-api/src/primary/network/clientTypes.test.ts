import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, client } from '../../testing/client.ts'
import { listen } from '../../testing/serve.ts'

const LIST = '/v1/networks/fuji/blockchains/p-chain/transactions'
const NAMES = ['AddAutoRenewedValidatorTx', 'RewardAutoRenewedValidatorTx', 'SetAutoRenewedValidatorConfigTx']
const NEXT_CLIENT = 'speakeasy-sdk/typescript 0.4.0 2.900.0 1.0.0 @avalanche-sdk/chainkit'

let served: Awaited<ReturnType<typeof listen>>
// biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
let byName: readonly any[]

const get = (path: string, userAgent = 'curl/8') =>
  fetch(served.url + path, { headers: { 'user-agent': userAgent } })

async function read(path: string, userAgent?: string) {
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
  return (await (await get(path, userAgent)).json()) as any
}

beforeAll(async () => {
  served = await listen(await recordedStore('eras'))
  const listed = []
  for (let token = ''; ; ) {
    const page = await read(`${LIST}?pageSize=100&pageToken=${token}`)
    listed.push(...page.transactions)
    token = page.nextPageToken ?? ''
    if (token === '') break
  }
  byName = listed.filter(({ txType }) => NAMES.includes(txType))
})

afterAll(() => served.close())

test('names the types of auto-renewed validators, in lists and filters', async () => {
  expect([...new Set(byName.map(({ txType }) => txType))].toSorted()).toEqual(NAMES)
  for (const { txHash, txType } of byName) {
    expect(await read(`${LIST}/${txHash}`)).toMatchObject({ txType })
    expect(await read(`${LIST}/${txHash}`, NEXT_CLIENT)).toMatchObject({ txType })
  }
  const outputs = byName.flatMap(({ consumedUtxos, emittedUtxos }) => [...consumedUtxos, ...emittedUtxos])
  const owners = new Set(outputs.flatMap(({ addresses }) => addresses))
  const moving = byName.filter(
    ({ consumedUtxos, emittedUtxos }) => consumedUtxos.length + emittedUtxos.length > 0,
  )
  for (const filter of [NAMES.join('&txTypes='), 'UNKNOWN']) {
    const found = await read(`${LIST}?addresses=${[...owners].join()}&pageSize=100&txTypes=${filter}`)
    expect(found.transactions).toEqual(moving)
  }
  const staking = await read(`${LIST}:listStaking?pageSize=100&txTypes=AddAutoRenewedValidatorTx`)
  for (const { txType } of staking.transactions) expect(txType).toBe('AddAutoRenewedValidatorTx')
})

test('returns UNKNOWN to versions of the official client that would reject the whole page', async () => {
  const { transactions } = client(served.url).data.primaryNetwork
  const list = { blockchainId: 'p-chain', pageSize: 100 } as const
  const pages = await all(transactions.listLatest(list))
  const listed = new Map<string, string>()
  for (const { txHash, txType } of pages.flatMap((page) => [...page.transactions])) listed.set(txHash, txType)
  for (const { txHash } of byName) {
    expect(listed.get(txHash)).toBe('UNKNOWN')
    expect(await transactions.get({ blockchainId: 'p-chain', txHash })).toMatchObject({ txType: 'UNKNOWN' })
    expect(await read(`${LIST}/${txHash}`)).not.toMatchObject({ txType: 'UNKNOWN' })
  }
  await all(transactions.listActiveStakingTransactions(list))
})

test('lets caches keep an answer for each user agent', async () => {
  const paths = [LIST, `${LIST}/${byName[0].txHash}`, `${LIST}:listStaking`]
  for (const path of paths) {
    const { status, headers } = await get(path)
    expect([path, status, headers.get('vary')]).toEqual([path, 200, 'accept-encoding, user-agent'])
  }
})
