import { Hex } from '@firn/codec'
import { BlockReader, EventAbi } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { EventTables, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { EvmAddress } from '@firn/keys'
import { STEP } from '@firn/sql/testing'
import { parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { metricsEndpoints } from '../metrics/Endpoints.ts'
import { createEvm, evmContextOf } from '../testing/serveEvm.ts'
import { evmEndpoints } from './Endpoints.ts'

/** Endpoints whose answers contain no EVM address. */
const WITHOUT_ADDRESSES: readonly (string | RegExp)[] = [
  '/v1/chains',
  '/v1/chains/{chainId}',
  '/v1/chains/{chainId}/blocks',
  '/v2/chains/{chainId}/teleporterMetrics/{metric}',
  '/v1/chains/{chainId}/blocks/{blockId}',
  '/v1/blocks',
  '/v1/chains/allBlocks',
  '/v1/address/{address}/chains',
  '/v1/chains/address/{address}',
  '/v1/chains/{chainId}/addresses/{address}/balances:getNative',
  '/v2/icm/summary',
  '/v2/icm/timeseries',
  // The made-up chain has no BTC.b.
  '/v2/chains/43114/btcb/bridged:getAddresses',
  /^\/v1\/avg_tps\//,
  /^\/v2\/chains(\/\{chainId\})?$/,
  /\/(rollingWindowM|m)etrics\//,
]

/** Yields every EVM address (20 bytes in hex) in an answer. */
function* addressesIn(body: unknown): Iterable<string> {
  if (typeof body === 'string' && /^0x[0-9a-fA-F]{40}$/.test(body)) yield body
  if (typeof body === 'object' && body !== null)
    for (const member of Object.values(body)) yield* addressesIn(member)
}

test('formats every address in every answer with its ERC-55 checksum', async () => {
  const store = await openEvm()
  const chain = inventedChain({ seed: 5, transactions: [4, 8], accounts: 8 })
  const blocks = chain.grow(60).map((parts) => BlockReader.read(parts))
  const logs = blocks.flatMap(({ transactions }) => transactions.flatMap((tx) => tx.logs))
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit(
    blocks.map((block) => ({
      block,
      contracts: block.transactions.flatMap((tx) => tx.logs.map(({ address }) => inventedFacts(address))),
    })),
  )
  const [event] = EventAbi.parse(
    parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
  )
  const source = { abi: 'Coin', event: event as EventAbi.EventAbi, addresses: [] }
  while (await EventTables.advance(store, await EventTables.create(store, [source])));
  const context = await evmContextOf([store], { nativeBalance: async () => 1n })
  const endpoints = [...evmEndpoints(context), ...metricsEndpoints(context)]
  const server = await createEvm(endpoints)
  const ask = async (url: string) => (await server.inject(url)).json()
  const transactions = blocks.flatMap((block) => block.transactions)
  const addresses = [
    ...transactions.flatMap(({ from, contractAddress = from }) => [from, contractAddress]),
    ...logs.map(({ address }) => address),
  ].map((address) => Hex.encode(address))
  const nft = await collection()
  const tokens = await ask(`/v1/chains/1337/nfts/collections/${nft}/tokens`)
  const values: Readonly<Record<string, readonly string[]>> = {
    chainId: ['1337'],
    address: [...new Set([nft, ...[...new Set(addresses)].filter((_, i) => i % STEP === 0)])],
    txHash: transactions.slice(0, 20).map(({ hash }) => Hex.encode(hash)),
    blockId: ['1', '20', '40'],
    metric: ['txCount'],
    name: ['Transfer'],
    tokenId: tokens.tokens.map(({ tokenId }: { tokenId: string }) => tokenId),
  }
  const silent: string[] = []
  for (const { path, method } of endpoints) {
    if (method !== 'GET') continue
    const found: string[] = []
    for (const url of urlsOf(path, values)) {
      found.push(
        ...addressesIn(await ask(`${url}?pageSize=100${path.endsWith('/balances') ? '&threshold=0' : ''}`)),
      )
    }
    for (const address of new Set(found)) {
      expect([path, address]).toEqual([path, EvmAddress.format(Hex.decode(address.toLowerCase()))])
    }
    if (found.length === 0) silent.push(path)
  }
  const isExpected = (path: string) =>
    WITHOUT_ADDRESSES.some((one) => (typeof one === 'string' ? one === path : one.test(path)))
  expect(silent.filter((path) => !isExpected(path))).toEqual([])
  await server.close()
  await store.close()

  /** Returns the address of a contract that has tokens. */
  async function collection(): Promise<string> {
    for (const { address } of logs) {
      const { tokens = [] } = await ask(`/v1/chains/1337/nfts/collections/${Hex.encode(address)}/tokens`)
      if (tokens.length > 0) return Hex.encode(address)
    }
    return ''
  }
})

/** Returns a URL for each combination of the given parameter values. */
function urlsOf(path: string, values: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1]
  if (name === undefined) return [path]
  return (values[name] ?? []).flatMap((value) => urlsOf(path.replace(`{${name}}`, value), values))
}
