import { recordedEvmStore } from '@firn/evm-store/testing'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataApi, type DataApiService } from './service/Service.ts'
import { all, client } from './testing/client.ts'

/** A blockchain as the Primary Network's endpoints return it. */
interface ChainEntry {
  readonly blockchainId: string
  readonly blockchainName: string
  readonly evmChainId?: number | undefined
}

const OPTIONS = {
  host: '127.0.0.1',
  port: 0,
  limits: undefined,
  aggregateStatus: 200,
  timeoutMs: 600_000,
  version: '0',
} as const

let service: DataApiService
let listed: readonly ChainEntry[]
/** The two served EVM chains, the C-chain and an L1. Both are configured without a blockchain id. */
let [cChain, l1]: (ChainEntry | undefined)[] = []

const get = async (path: string) => {
  const response = await fetch(service.url + path)
  return { status: response.status, json: (await response.json()) as never }
}

beforeAll(async () => {
  const store = await recordedStore('local')
  service = await createDataApi({ ...OPTIONS, store })
  const pages = await all(
    client(service.url).data.primaryNetwork.listBlockchains({ network: 'testnet', pageSize: 100 }),
  )
  listed = pages.flatMap(({ blockchains }) => blockchains)
  await service.close()
  cChain = listed.find(({ blockchainName }) => blockchainName === 'C-Chain')
  l1 = listed.find(({ evmChainId }) => evmChainId !== 0 && evmChainId !== cChain?.evmChainId)
  const recordings = [
    ['c', cChain],
    ['l1', l1],
  ] as const
  const chains = await Promise.all(
    recordings.map(async ([name, of]) => ({
      store: await recordedEvmStore(name, () => [], {
        chainId: BigInt(of?.evmChainId ?? -1),
        blockchainId: undefined,
        subnetId: undefined,
      }),
      nodes: [],
    })),
  )
  service = await createDataApi({ ...OPTIONS, store, chains, alias: 'acme' })
})

afterAll(() => service?.close())

test.each([
  ['p-chain', undefined],
  ['x-chain', expect.stringMatching(/^0x[0-9a-f]+$/)],
])('returns 0 as the EVM chain id of the %s, and no object as its genesis', async (alias, genesis) => {
  const { json } = await get(`/v1/networks/acme/blockchains/${alias}`)
  const { evmChainId, genesisData } = json as { readonly evmChainId: unknown; readonly genesisData?: unknown }
  expect([evmChainId, genesisData]).toEqual([0, genesis])
  expect(listed.every((one) => typeof one.evmChainId === 'number')).toBe(true)
})

test('returns null for members of an EVM genesis that may be null and are absent', async () => {
  const { json } = await get(`/v1/networks/acme/blockchains/${cChain?.blockchainId}`)
  const { genesisData } = json as { readonly genesisData: object }
  expect(genesisData).toMatchObject({
    config: { chainId: cChain?.evmChainId },
    ...{ airdropAmount: null, baseFeePerGas: null, excessBlobGas: null, blobGasUsed: null },
  })
})

describe('chainId parameter', () => {
  test('accepts a blockchain id in every path that has an EVM chain id', async () => {
    const { paths } = (await get('/openapi.json')).json as { paths: Record<string, { get?: object }> }
    const ofChains = Object.entries(paths).flatMap(([path, { get: read }]) =>
      path.includes('{chainId}') && !path.includes('/changes/') && read !== undefined ? [path] : [],
    )
    expect(ofChains.length).toBeGreaterThan(25)
    const values: Readonly<Record<string, string>> = {
      address: `0x${'12'.repeat(20)}`,
      blockId: '1',
      txHash: `0x${'12'.repeat(32)}`,
      tokenId: '1',
      imageHash: `0x${'12'.repeat(32)}`,
      name: 'Transfer',
    }
    for (const path of ofChains) {
      const metric = path.includes('teleporter') ? 'teleporterTotalTxnCount' : 'txCount'
      const url = path.replace(/\{(\w+)\}/g, (whole, name: string) => ({ ...values, metric })[name] ?? whole)
      const query = path.endsWith('/balances') ? '?threshold=0' : ''
      for (const chain of [cChain, l1]) {
        const ask = (chainId: unknown) => get(url.replace('{chainId}', String(chainId)) + query)
        const [byId, byBlockchain] = [await ask(chain?.evmChainId), await ask(chain?.blockchainId)]
        expect([url, JSON.stringify(byBlockchain)]).toEqual([url, JSON.stringify(byId)])
        expect([url, byId.status]).not.toEqual([url, 400])
      }
    }
  })

  test('returns 404 for an unknown blockchain id, and for a known blockchain that the service does not serve', async () => {
    const others = listed.filter(
      ({ blockchainId }) => blockchainId !== cChain?.blockchainId && blockchainId !== l1?.blockchainId,
    )
    for (const { blockchainId, evmChainId } of others) {
      if (evmChainId === l1?.evmChainId) continue
      expect([blockchainId, (await get(`/v1/chains/${blockchainId}/blocks`)).status]).toEqual([
        blockchainId,
        404,
      ])
    }
    expect((await get('/v1/chains/2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ/blocks')).status).toBe(
      404,
    )
  })

  test("returns the C-chain with its blockchain id and the Primary Network's subnet id", async () => {
    const { json } = await get(`/v1/chains/${cChain?.blockchainId}`)
    expect(json).toMatchObject({
      chainId: String(cChain?.evmChainId),
      platformChainId: cChain?.blockchainId,
      subnetId: '11111111111111111111111111111111LpoYY',
    })
  })
})

describe('network parameter', () => {
  test('accepts each name of the network, and returns the alias in answers', async () => {
    for (const name of ['acme', 'local', 'testnet']) {
      const { json } = await get(`/v1/networks/${name}/blockchains/p-chain/transactions?pageSize=1`)
      expect(json).toMatchObject({ chainInfo: { network: 'acme' } })
      for (const path of [
        `/v1/chains?network=${name}`,
        `/v1/blocks?network=${name}`,
        `/v2/chains?network=${name}`,
      ]) {
        const found = (await get(path)).json as { chains?: []; blocks?: [] }
        expect([path, (found.chains ?? found.blocks ?? []).length]).toEqual([
          path,
          path.includes('blocks') ? 10 : 2,
        ])
      }
      expect((await get(`/v2/chains/${name}/metrics/txCount`)).status).toBe(200)
      expect((await get(`/v2/networks/${name}/metrics/validatorCount`)).status).toBe(200)
    }
    expect((await get('/v1/chains?network=mainnet')).json).toEqual({ chains: [] })
    expect((await get('/v1/networks/mainnet/subnets')).status).toBe(400)
  })

  test('returns the requested network name in answers if no alias is configured', async () => {
    const plain = await createDataApi({ ...OPTIONS, store: await recordedStore('local') })
    const { primaryNetwork } = client(plain.url).data
    for (const blockchainId of ['p-chain', 'x-chain', 'c-chain'] as const) {
      const asked = { network: 'testnet', blockchainId, pageSize: 1 } as const
      const page = await primaryNetwork.transactions.listLatest(asked)
      expect(page.result.chainInfo.network).toBe('testnet')
    }
    await plain.close()
  })
})
