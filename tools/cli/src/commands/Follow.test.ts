import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHAIN_ALIASES } from '@firn/codec'
import { createIndexer, createNodeSource } from '@firn/indexer'
import { createConfiguration, openService } from '@firn/node'
import { database } from '@firn/sql/testing'
import { type Accepted, StateDigest, type Store, Writer } from '@firn/store'
import { openStore, Recordings } from '@firn/store/testing'
import { afterAll, expect, test } from 'vitest'

const { genesis, constants, chains } = Recordings.load('local')
const HEIGHTS = { P: 85n, X: 35n, C: 83n }

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Opens a database in memory. The test adds recorded blocks to it on demand. */
const openDatabase = async () => {
  const store = await openStore()
  closers.push(() => store.close())
  await store.migrate()
  return store
}

/**
 * Opens a database, and returns it with a function that adds blocks. Without `hasContainers`, it stores no
 * containers, as if the blocks came from a node's block methods.
 */
const openFirst = async (hasContainers: boolean) => {
  const store = await openDatabase()
  const { writer, state } = await Writer.open(store, genesis, constants)
  const withContainers = [...Recordings.follow(state, chains)]
  const blocks: readonly Accepted[] = hasContainers
    ? withContainers
    : withContainers.map(({ container: _container, ...block }) => block)
  return { store, writer, blocks }
}

/** The EVM API of a real node, limited to the requests of the indexer. */
const evm = (async (_url: unknown, { body = '' }: { readonly body?: string } = {}) => {
  const request = await new Response(body).json()
  const { id, method, params } = request as { id: number; method: string; params: readonly string[] }
  const results: Readonly<Record<string, () => unknown>> = {
    'info.getNetworkID': () => ({ networkID: '12345' }),
    eth_blockNumber: () => `0x${chains.C.length.toString(16)}`,
    debug_getRawBlock: () => `0x${Buffer.from(chains.C[Number(params[0]) - 1]?.bytes ?? []).toString('hex')}`,
  }
  return Response.json({ jsonrpc: '2.0', id, result: results[method]?.() })
}) as typeof fetch

/** Serves the node API on a database, and returns its URL. */
const serve = async (store: Store, options: { indexEnabled: boolean; upstream: readonly string[] }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'firn-follow-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const configuration = createConfiguration({ dataDir, httpPort: 0, stakingPort: 0, ...options })
  const display = { write: () => undefined }
  const service = await openService({ configuration, store, display, fetch: evm })
  closers.push(() => service.close())
  return service.url
}

/** Runs an indexer that follows a node until its database reaches the recorded heights. */
const follow = (store: Store, url: string) => {
  const source = createNodeSource({ url })
  const controller = new AbortController()
  const indexer = createIndexer({ store, source, genesis, constants, pollMs: 10 })
  const run = indexer.run(controller.signal)
  const isThere = () => {
    const { chains: found } = indexer.status()
    return found !== undefined && CHAIN_ALIASES.every((chain) => found[chain].height === HEIGHTS[chain])
  }
  const end = async () => {
    while (!isThere()) await Promise.race([run, sleep(10)])
    controller.abort()
    await run
  }
  return { indexer, end }
}

const digestsOf = async (store: Store) =>
  database(store)
    .selectFrom('block')
    .select(['chain', 'height', 'id', 'digest'])
    .orderBy('chain')
    .orderBy('height')
    .execute()

const expectEqual = async (second: Store, first: Store) => {
  expect(await digestsOf(second)).toEqual(await digestsOf(first))
  expect(await StateDigest.of(second)).toEqual(await StateDigest.of(first))
}

test('follows a node through the Index API while blocks are added', async () => {
  const { store: first, writer, blocks } = await openFirst(true)
  await writer.commit(blocks.slice(0, 60))
  const second = await openDatabase()
  const { indexer, end } = follow(second, await serve(first, { indexEnabled: true, upstream: [] }))
  const heightOf = () => indexer.status().chains?.P.height ?? 0n
  while (heightOf() === 0n) await sleep(5)
  for (let i = 60; i < blocks.length; i += 3) {
    await writer.commit(blocks.slice(i, i + 3))
    await sleep(5)
  }
  await end()
  expect((await digestsOf(second)).length).toBe(85 + 35 + 83 + 2)
  await expectEqual(second, first)
})

test('follows a node through block methods if its index is disabled', async () => {
  const { store: first, writer, blocks } = await openFirst(false)
  await writer.commit(blocks)
  const second = await openDatabase()
  const upstream = ['http://127.0.0.1:9']
  await follow(second, await serve(first, { indexEnabled: false, upstream })).end()
  await expectEqual(second, first)
})
