import { BlockReader } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, recordedEvmStore, TEST_CHAIN, withMessages } from '@firn/evm-store/testing'
import type { Store } from '@firn/store'
import { loadDag, openStore, recordedStore, storeDag } from '@firn/store/testing'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { evmEndpoints } from './evm/Endpoints.ts'
import { icmEndpoints } from './evm/icm/Endpoints.ts'
import { metricsEndpoints, stakingMetricsEndpoints } from './metrics/Endpoints.ts'
import { type Comparison, createReader, runChecks } from './testing/agreement/Checks.ts'
import { CHAIN_CHECKS, ICM_CHECKS, NETWORK_CHECKS, REASONS } from './testing/agreement/table.ts'
import { documented } from './testing/document.ts'
import { contextOf, endpointsOf } from './testing/serve.ts'
import { createEvm, evmContextOf } from './testing/serveEvm.ts'

const CHAINS = { c: 43_112n, l1: 99_112n, helicon: 43_111n } as const

/** Number of comparisons by operation, of all tests. */
const counts = new Map<string, number>()

function assertEqual({ faults, counts: found }: Comparison): void {
  for (const [operation, count] of Object.entries(found))
    counts.set(operation, (counts.get(operation) ?? 0) + count)
  expect(faults).toEqual([])
}

function readerOf(server: FastifyInstance) {
  return createReader(async (path) => {
    const answer = await server.inject(path)
    return { status: answer.statusCode, json: answer.json() }
  })
}

/** Returns a recorded network whose X-chain had vertices. */
async function dagStore(): Promise<Store> {
  const store = await openStore()
  await storeDag(store, loadDag('dag'), 'nodes')
  return store
}

/** Returns a chain with interchain messages. */
async function messengerStore(): Promise<EvmStore> {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const blocks = inventedChain({ seed: 3 }).grow(40).map(BlockReader.read).map(withMessages)
  const facts = (block: (typeof blocks)[number]) =>
    block.transactions.flatMap(({ logs }) => logs.map(({ address }) => inventedFacts(address)))
  await writer.commit(blocks.map((block) => ({ block, contracts: facts(block) })))
  return store
}

test('knows every list and detail of the OpenAPI document', async () => {
  const { endpoints } = await documented()
  const read = endpoints.filter(({ method, operationId }) => method === 'GET' || /V2$/.test(operationId))
  const table = [NETWORK_CHECKS, CHAIN_CHECKS, ICM_CHECKS, REASONS].flatMap((checks) => Object.keys(checks))
  expect(table.toSorted()).toEqual(read.map(({ operationId }) => operationId).toSorted())
})

describe('lists equal the answers about their elements', () => {
  test.each(['local', 'helicon', 'eras', 'dag'] as const)('on the network %s', async (name) => {
    const store = await (name === 'dag' ? dagStore() : recordedStore(name))
    const context = await contextOf(store, {})
    const server = await createEvm([...(await endpointsOf(store)), ...stakingMetricsEndpoints(context)])
    const now = Math.floor(context.now() / 1_000)
    assertEqual(await runChecks(NETWORK_CHECKS, { ...readerOf(server), network: 'fuji', now }))
  })

  test('on EVM chains', async () => {
    const recorded = Object.entries(CHAINS).map(([name, chainId]) =>
      recordedEvmStore(name as keyof typeof CHAINS, undefined, { chainId }),
    )
    const stores = [...(await Promise.all(recorded)), await messengerStore()]
    const context = await evmContextOf(stores, { nativeBalance: async () => 1n })
    const server = await createEvm([
      ...evmEndpoints(context),
      ...icmEndpoints(context),
      ...metricsEndpoints(context),
    ])
    for (const { chainId } of stores) {
      const chain = { chainId: String(chainId), most: Number.POSITIVE_INFINITY }
      assertEqual(await runChecks(CHAIN_CHECKS, { ...readerOf(server), ...chain }))
    }
    assertEqual(await runChecks(ICM_CHECKS, readerOf(server)))
  })

  test('with each operation of the table', () => {
    const compared = Object.keys({ ...NETWORK_CHECKS, ...CHAIN_CHECKS, ...ICM_CHECKS })
    expect(compared.filter((operation) => !counts.has(operation))).toEqual([])
  })
})
