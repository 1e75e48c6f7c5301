import { expect, expectTypeOf, test } from 'vitest'
import { createValidatorSource } from './browser.ts'

const CHAIN = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
const SUBNET = '11111111111111111111111111111111LpoYY'
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const RESULTS: Readonly<Record<string, unknown>> = {
  'info.getNetworkID': { networkID: '5' },
  'platform.validatedBy': { subnetID: SUBNET },
  'platform.getProposedHeight': { height: '18446744073709551615' },
  'platform.getValidatorsAt': { [NODE]: { publicKey: null, weight: '20' } },
}

test('reads the network, the subnet, the height and the validators from the paths of a node', async () => {
  const requests: unknown[] = []
  const source = createValidatorSource({
    url: 'http://127.0.0.1:9650',
    fetch: async (url, init) => {
      init?.signal?.throwIfAborted()
      const { id, method, params } = JSON.parse(String(init?.body))
      requests.push([new URL(String(url)).pathname, method, params])
      return Response.json({ jsonrpc: '2.0', id, result: RESULTS[method] })
    },
  })
  expect(await source.getNetworkId()).toBe(5)
  expect(await source.getSubnetId(CHAIN)).toBe(SUBNET)
  expect(await source.getHeight()).toBe(2n ** 64n - 1n)
  const validators = await source.getValidators(SUBNET, 7n)
  expect(validators).toEqual(new Map([[NODE, { publicKey: null, weight: 20n }]]))
  expectTypeOf(validators.get(NODE)?.publicKey).toEqualTypeOf<string | null | undefined>()
  expect(requests).toEqual([
    ['/ext/info', 'info.getNetworkID', {}],
    ['/ext/bc/P', 'platform.validatedBy', { blockchainID: CHAIN }],
    ['/ext/bc/P', 'platform.getProposedHeight', {}],
    ['/ext/bc/P', 'platform.getValidatorsAt', { height: '7', subnetID: SUBNET }],
  ])
  await expect(source.getHeight({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'RPC_ABORTED',
  })
})
