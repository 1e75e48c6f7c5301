import type { Avalanche } from '@avalanche-sdk/chainkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from './testing/client.ts'
import { openSdkFixture, type SdkFixture } from './testing/sdkFixture.ts'
import { callSdk, sdkMethods } from './testing/sdkMethods.ts'

const METHODS = sdkMethods()
let fixture: SdkFixture

beforeAll(async () => {
  fixture = await openSdkFixture()
})

afterAll(() => fixture?.close())

test('finds every method of the SDK', () => {
  expect(METHODS).toHaveLength(102)
  expect(METHODS).toContainEqual({
    name: 'data.evm.address.transactions.listErc20',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20',
  })
})

test('serves the path of every method, and has no requests of other methods', () => {
  expect(METHODS.filter(({ path }) => path !== undefined && !fixture.paths.includes(path))).toEqual([])
  const isUnknown = (name: string) => !METHODS.some((one) => `${one.name}.`.startsWith(`${name}.`))
  expect(fixture.requestNames.filter(isUnknown)).toEqual([])
})

test.each(METHODS)('answers $name so that the SDK accepts the answer', async ({ name }) => {
  const { url, dagUrl, ownerKey } = fixture
  const isOwned = /^(?:webhooks|data\.usageMetrics)\./.test(name)
  const sdk: Avalanche = client(name.includes('.vertices.') ? dagUrl : url, isOwned ? ownerKey : undefined)
  const answer = await callSdk(sdk, name, fixture.requestOf(name))
  expect(JSON.stringify(answer)).not.toBe('[]')
})
