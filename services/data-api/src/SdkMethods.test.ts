import type { Avalanche } from '@avalanche-sdk/chainkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from './testing/client.ts'
import { openSdkFixture, type SdkFixture } from './testing/sdkFixture.ts'
import { callSdk, sdkMethods } from './testing/sdkMethods.ts'

/** Methods that have no meaning outside the hosted service, with the reason. There are at most six. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'metrics.chains.listBTCbBridgersAboveThreshold':
    'It lists users of one contract on the C-chain of Mainnet by the bookkeeping of the operator of that bridge. Holders of any token are in /v2/chains/{chainId}/contracts/{address}/balances.',
}

const METHODS = sdkMethods()
const SERVED = METHODS.filter(({ name }) => !(name in EXCEPTIONS))
let fixture: SdkFixture

beforeAll(async () => {
  fixture = await openSdkFixture()
}, 180_000)

afterAll(() => fixture?.close())

test('finds every method of the SDK', () => {
  expect(METHODS).toHaveLength(102)
  expect(METHODS).toContainEqual({
    name: 'data.evm.address.transactions.listErc20',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20',
  })
})

test('has reasons for at most six exceptions, and no rows of other methods', () => {
  const names = METHODS.map(({ name }) => name)
  expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(6)
  for (const reason of Object.values(EXCEPTIONS)) expect(reason.split(' ').length).toBeGreaterThan(5)
  const rows = Object.keys(EXCEPTIONS)
  expect(rows.filter((name) => !names.includes(name))).toEqual([])
  expect(
    fixture.requestNames.filter((name) => !SERVED.some((one) => `${one.name}.`.startsWith(`${name}.`))),
  ).toEqual([])
})

test('lists no path of a served method as an exception', () => {
  const rows = METHODS.filter((method) => !SERVED.includes(method))
  expect(rows.filter(({ path }) => path !== undefined && fixture.paths.includes(path))).toEqual([])
})

test.each(SERVED)('answers $name so that the SDK accepts the answer', async ({ name }) => {
  const { url, dagUrl, ownerKey } = fixture
  const isOwned = /^(?:webhooks|data\.usageMetrics)\./.test(name)
  const sdk: Avalanche = client(name.includes('.vertices.') ? dagUrl : url, isOwned ? ownerKey : undefined)
  const answer = await callSdk(sdk, name, fixture.requestOf(name))
  expect(JSON.stringify(answer)).not.toBe('[]')
})
