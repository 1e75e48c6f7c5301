import { Avalanche } from '@avalanche-sdk/chainkit'
import { HTTPClient } from '@avalanche-sdk/chainkit/lib/http.js'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, expect, test } from 'vitest'
import { listen } from './testing/serve.ts'

let sdk: Avalanche

beforeAll(async () => {
  const { url } = await listen(await recordedStore('local'))
  const httpClient = new HTTPClient({
    fetcher: (input, init) => {
      const request = input instanceof Request ? input : new Request(input, init)
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(url + pathname + search, request))
    },
  })
  sdk = new Avalanche({
    network: 'fuji',
    enableTelemetry: false,
    retryConfig: { strategy: 'none' },
    httpClient,
  })
}, 60_000)

/** All elements of a paged call, read by the client itself. */
async function all<T>(pages: Promise<AsyncIterable<{ readonly result: T }>>): Promise<T[]> {
  const results: T[] = []
  for await (const page of await pages) results.push(page.result)
  return results
}

test.each(['p-chain', 'x-chain', 'c-chain'] as const)(
  'the client reads every transaction of the %s',
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

test('the client reads subnets, blockchains and L1 validators', async () => {
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
