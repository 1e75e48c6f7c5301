import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { EvmRetention, type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCompleteness } from '../changes/getCompleteness.ts'
import { listChanges } from '../changes/listChanges.ts'
import { createAccess } from '../http/admission/Access.ts'
import { restPlugin, serverOptions } from '../http/RestPlugin.ts'
import { metricsEndpoints } from '../metrics/Endpoints.ts'
import { evmContextOf } from '../testing/serveEvm.ts'
import { evmEndpoints } from './Endpoints.ts'

const CHAIN = `/v1/chains/${TEST_CHAIN.chainId}`
const BLOCKS = 90

let store: EvmStore
let server: FastifyInstance
/** First height with a header, besides the first one. */
let kept: bigint
let token: string
let hours: readonly { readonly timestamp: number }[]
const metric = `/v2/chains/${TEST_CHAIN.chainId}/metrics/txCount?timeInterval=hour&pageSize=2160`
const ask = async (path: string) => (await server.inject(path)).json()

beforeAll(async () => {
  store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const blocks = inventedChain({ seed: 3, transactions: [1, 3], accounts: 8 }).grow(BLOCKS)
  await writer.commit(blocks.map((parts) => ({ block: BlockReader.read(parts), contracts: [] })))
  const context = await evmContextOf([store])
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const access = createAccess({ keys: async () => [], counters: undefined, anonymous: none, keyed: none })
  const endpoints = [...evmEndpoints(context), ...metricsEndpoints(context), getCompleteness(context)]
  const streams = [listChanges(context)]
  server = fastify(serverOptions)
  await server.register(
    restPlugin({ title: 'Firn', version: '0', endpoints, streams, access, timeoutMs: 600_000 }),
  )
  token = (await ask(`${CHAIN}/blocks?pageSize=${BLOCKS - 1}`)).nextPageToken
  hours = (await ask(metric)).results
  const ofTransactions = { logs: 0n, traces: 0n, events: 0n, transfers: 0n, transactions: 0n }
  const keep = { ...ofTransactions, blocks: 0n, changes: 0n, metrics: 0n }
  while (await writer.prune({ keep, depth: 20n }));
  kept = (await EvmRetention.keptFrom(store, 'blocks')) ?? 0n
})
afterAll(async () => {
  await server?.close()
  await store?.close()
})

describe('a chain of which headers, changes and totals per hour were removed', () => {
  it('lists the kept blocks, and tells where they begin', async () => {
    const { blocks, completeFromBlock, nextPageToken } = await ask(`${CHAIN}/blocks?pageSize=100`)
    expect(completeFromBlock).toBe(String(kept))
    expect(nextPageToken).toBeUndefined()
    const numbers = blocks.map(({ blockNumber }: { blockNumber: string }) => BigInt(blockNumber))
    expect(numbers).toEqual(Array.from({ length: BLOCKS - Number(kept) }, (_, i) => BigInt(BLOCKS - 1 - i)))
    expect((await ask(`${CHAIN}/blocks?pageToken=${token}`)).blocks).toEqual([])
  })

  it('has the first block and the kept ones, and says from where on headers are kept', async () => {
    expect((await ask(`${CHAIN}/blocks/0`)).blockNumber).toBe('0')
    expect((await ask(`${CHAIN}/blocks/${kept}`)).blockNumber).toBe(String(kept))
    const missing = await ask(`${CHAIN}/blocks/${kept - 1n}`)
    expect([missing.statusCode, missing.message]).toEqual([
      404,
      expect.stringContaining(`from block ${kept} on`),
    ])
  })

  it('tells in the completeness what is kept', async () => {
    const found = await ask(`/v1/completeness/${TEST_CHAIN.chainId}`)
    expect(found.blocksFromBlock).toBe(String(kept))
    expect(BigInt(found.hourlyMetricsFromTimestamp)).toBe(await EvmRetention.hoursFrom(store))
    expect(found.ranges).toMatchObject([{ firstBlockNumber: '0', lastBlockNumber: `${BLOCKS - 1}` }])
  })

  it('answers 410 to readers of removed changes, with the cursor from which they are kept', async () => {
    const oldest = await database(store)
      .selectFrom('change')
      .select('sequence')
      .orderBy('sequence')
      .executeTakeFirstOrThrow()
    const gone = await server.inject(`/v1/changes/${TEST_CHAIN.chainId}?cursor=1`)
    expect([gone.statusCode, gone.json().oldestCursor]).toEqual([410, String(oldest.sequence)])
  })

  it('lists the kept hours, and tells where they begin', async () => {
    const { results, completeFromTimestamp } = await ask(metric)
    expect(completeFromTimestamp).toBe(Number(await EvmRetention.hoursFrom(store)))
    expect(results).toEqual(hours.filter(({ timestamp }) => timestamp >= completeFromTimestamp))
    expect(results.length).toBeLessThan(hours.length)
    const earlier = await ask(`${metric}&endTimestamp=${completeFromTimestamp - 7_200}`)
    expect(earlier).toEqual({ completeFromTimestamp, results: [] })
  })

  it('has no holders at times before the kept headers', async () => {
    const { contract } = await database(store)
      .selectFrom('token_holder')
      .select('contract')
      .where('standard', '=', 20)
      .executeTakeFirstOrThrow()
    const address = `0x${Buffer.from(contract).toString('hex')}`
    const path = `/v2/chains/${TEST_CHAIN.chainId}/contracts/${address}/balances?threshold=0`
    const { time } = await database(store)
      .selectFrom('block')
      .select('time')
      .where('height', '=', kept)
      .executeTakeFirstOrThrow()
    expect((await server.inject(path)).statusCode).toBe(200)
    expect((await server.inject(`${path}&startTimestamp=${time - 1n}`)).statusCode).toBe(404)
  })
})
