import { join } from 'node:path'
import { type ChainAlias, Hex } from '@firn/codec'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import { Lease } from '@firn/sql'
import { TestPostgres } from '@firn/sql/testing'
import { StateDigest, Store, Writer } from '@firn/store'
import { eachDatabase, recordedStore } from '@firn/store/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMonitorApp, ofNetwork } from '../monitor/Monitor.ts'
import { temporaryFolder, unpack } from '../testing/archives.ts'
import { createFaultyUpstream, type FaultyUpstream } from '../testing/FaultyUpstream.ts'
import { createFakeNode, type FakeNode } from '../testing/fakeNode.ts'
import { seeded } from '../testing/random.ts'
import { replay } from '../testing/replay.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import { writeArchive } from './archive/ArchiveWriter.ts'
import * as GenesisFiles from './archive/GenesisFiles.ts'
import { createIndexer, type Indexer, type IndexerOptions } from './Indexer.ts'
import { createUpstreamSource } from './node/UpstreamSource.ts'
import type { Source } from './Source.ts'
import { createStoreSource } from './StoreSource.ts'

const { folder, remove } = temporaryFolder()
const archive = join(folder, 'local')
const fast: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) }
let rules: GenesisFiles.NetworkRules
let expected = ''
let node: FakeNode
let order: readonly ChainAlias[] = []
beforeAll(async () => {
  unpack('local', archive)
  rules = await GenesisFiles.load({ archive, now: 0n })
  expected = await digestOf(await recordedStore('local'))
  order = (await replay(createArchiveSource(archive), rules)).blocks.map(({ chain }) => chain)
  node = await createFakeNode(archive, { most: 9 })
})
afterAll(remove)
let open: FaultyUpstream[] = []
afterEach(async () => {
  for (const upstream of open) await upstream.close()
  open = []
})

const digestOf = async (store: Store) => Hex.encode(await StateDigest.of(store))
const run = async (store: Store, source: Source, options: Partial<IndexerOptions> = {}) => {
  const indexer = createIndexer({ store, source, ...rules, once: true, clock: fast, ...options })
  await indexer.run(new AbortController().signal)
  await source.close()
  return indexer
}
const upstreamOf = async (rate: number, seed = 1) => {
  const upstream = await createFaultyUpstream(node, { rate, random: seeded(seed) })
  open.push(upstream)
  return {
    upstream,
    source: createUpstreamSource({ nodes: [{ url: upstream.url }], clock: fast }),
  }
}
const until = async (isSo: () => boolean) => {
  while (!isSo()) await systemClock.sleep(5)
}
/**
 * Returns the height of each chain after `blocks` blocks in the order of their times. In this order, no block
 * imports something that is exported later.
 */
const cut = (blocks: number): Record<ChainAlias, number> => {
  const taken = order.slice(0, blocks)
  const heightOf = (chain: ChainAlias) => taken.filter((it) => it === chain).length
  return { P: heightOf('P'), X: heightOf('X'), C: heightOf('C') }
}

/** Returns the stored heights of an indexer as text, for comparison. */
const keyOf = (indexer: Indexer) => {
  const { P, X, C } = indexer.status().chains ?? {}
  return `${P?.height}.${X?.height}.${C?.height}`
}

eachDatabase(({ name, open: openStore, again }) => {
  it('computes the same digest from an archive, a node and a faulty node', async () => {
    const fromArchive = await openStore()
    const indexer = await run(fromArchive, createArchiveSource(archive), { batchBlocks: 17 })
    expect(await digestOf(fromArchive)).toBe(expected)
    expect(indexer.status()).toMatchObject({ phase: 'stopped', problems: [] })
    const fromNode = await openStore()
    await run(fromNode, (await upstreamOf(0.4)).source)
    expect(await digestOf(fromNode)).toBe(expected)
  })

  it("indexes a Helicon network by building X-chain blocks from the X-chain's transactions", async () => {
    const store = await openStore()
    const other = join(folder, 'helicon')
    unpack('helicon', other)
    await run(store, createArchiveSource(other), await GenesisFiles.load({ archive: other, now: 0n }))
    expect(await digestOf(store)).toBe(await digestOf(await recordedStore('helicon')))
  })

  it('resumes where another indexer stopped, and writes blocks one by one at the tip', async () => {
    const store = await openStore()
    node.limit = cut(90)
    const { source } = await upstreamOf(0)
    const stop = new AbortController()
    const indexer = createIndexer({ store, source, ...rules, clock: fast })
    const running = indexer.run(stop.signal)
    await until(() => indexer.status().phase === 'tip')
    const { P } = cut(90)
    expect(indexer.status().chains?.P).toMatchObject({ height: BigInt(P), tip: BigInt(P) })
    const written = async () =>
      (await indexer.metrics.getSingleMetric('firn_indexer_commits_total')?.get())?.values[0]?.value
    const before = await written()
    for (let blocks = 91; blocks <= 95; blocks++) {
      node.limit = cut(blocks)
      const total = () =>
        Object.values(indexer.status().chains ?? {}).reduce((sum, { height }) => sum + height, 0n)
      await until(() => total() === BigInt(blocks))
    }
    expect(await written()).toBe((before ?? 0) + 5)
    stop.abort()
    await running
    expect(indexer.status().phase).toBe('stopped')
    node.limit = {}
    // A commit may become visible to another store a moment later, so the store that wrote it is queried.
    const second = await again(store)
    await run(second, createArchiveSource(archive))
    expect(await digestOf(second)).toBe(expected)
  })

  it('writes at most 40 lines to the log in 24 hours without a fault', async () => {
    const store = await openStore()
    const { source } = await upstreamOf(0)
    const stop = new AbortController()
    const [start, pollMs] = [1_800_000_000_000, 300_000]
    let time = start
    const clock: Clock = {
      ...systemClock,
      now: () => time,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted()
        if (ms >= pollMs) time += ms
        // A block is accepted every half hour.
        node.limit = cut(20 + Math.floor((time - start) / 1_800_000))
        if (time - start > 86_400_000) stop.abort()
        await new Promise(setImmediate)
      },
    }
    node.limit = cut(20)
    const lines: string[] = []
    const take = (_facts: object, message: string) => void lines.push(message)
    const log: Logger = { ...silentLogger, info: take, warn: take, error: take }
    const indexer = createIndexer({ store, source, ...rules, clock, pollMs, log, random: () => 0.5 })
    await indexer.run(stop.signal)
    const { P, X, C } = cut(68)
    const heights = indexer.status().chains
    expect([heights?.P.height, heights?.X.height, heights?.C.height]).toEqual([P, X, C].map(BigInt))
    expect(lines.filter((line) => line === 'reached the tip')).toHaveLength(1)
    expect(lines.length).toBeLessThanOrEqual(40)
    node.limit = {}
  })

  it('stands by while another indexer writes, and takes over when the other stops', async () => {
    const store = await openStore()
    const other = await again(store)
    node.limit = cut(60)
    const stops = [new AbortController(), new AbortController()] as const
    const first = createIndexer({ store, source: (await upstreamOf(0)).source, ...rules, clock: fast })
    const running = first.run(stops[0].signal)
    await until(() => first.status().phase === 'tip')
    const lines: string[] = []
    const log: Logger = {
      ...silentLogger,
      info: (_facts, message) => void lines.push(message.split(' ')[0] ?? ''),
    }
    const second = createIndexer({
      store: other,
      source: (await upstreamOf(0)).source,
      ...rules,
      clock: fast,
      log,
    })
    const waiting = second.run(stops[1].signal)
    await until(() => second.status().phase === 'standby')
    const app = createMonitorApp(ofNetwork(second))
    const health = await app.inject('/health')
    expect([health.statusCode, health.json()]).toMatchObject([
      200,
      { status: 'up', phase: 'standby', problems: [] },
    ])
    expect((await app.inject('/metrics')).body).toContain('firn_indexer_standby 1')
    node.limit = cut(70)
    const { P } = cut(70)
    await until(() => second.status().chains?.P.height === BigInt(P))
    expect(second.status().phase).toBe('standby')
    stops[0].abort()
    await running
    await until(() => second.status().phase === 'tip')
    expect(lines).toEqual(['standing', 'following', 'reached'])
    const metrics = (await app.inject('/metrics')).body
    expect(metrics).toContain('firn_indexer_standby 0')
    expect(metrics).toMatch(/^process_resident_memory_bytes [1-9]/m)
    expect(metrics).toMatch(/^nodejs_heap_size_used_bytes [1-9]/m)
    expect(metrics).toMatch(
      /firn_indexer_upstream_request_seconds_count\{upstream="[^"]+",outcome="ok"\} [1-9]/,
    )
    node.limit = {}
    await until(() => second.status().phase === 'tip' && second.status().chains?.C.height === 83n)
    stops[1].abort()
    await waiting
    expect(await digestOf(other)).toBe(expected)
  })

  it('stops on an abort signal while on standby', async () => {
    const store = await openStore()
    const lease = await Lease.take(store, { holder: 'another' })
    const stop = new AbortController()
    const indexer = createIndexer({ store, source: (await upstreamOf(0)).source, ...rules })
    const running = indexer.run(stop.signal)
    await until(() => indexer.status().phase === 'standby')
    stop.abort()
    await running
    expect(indexer.status().phase).toBe('stopped')
    await lease?.release()
  })

  it('resumes after another indexer took over the database for a while', async () => {
    const store = await openStore()
    node.limit = cut(20)
    const { source } = await upstreamOf(0)
    const stop = new AbortController()
    const indexer = createIndexer({ store, source, ...rules, clock: fast })
    const running = indexer.run(stop.signal)
    await until(() => indexer.status().phase === 'tip')
    await Writer.open(await again(store), rules.genesis, rules.constants)
    node.limit = {}
    await until(() => indexer.status().phase === 'tip' && indexer.status().chains?.C.height === 83n)
    stop.abort()
    await running
    expect(await digestOf(store)).toBe(expected)
  })

  it('writes an archive from which another indexer computes the same digest', async () => {
    const first = await openStore()
    await run(first, createArchiveSource(archive))
    const to = join(folder, `again-${name}`)
    const settings = { clock: fast, random: () => 0.5, log: silentLogger, pollMs: 5, rules, to }
    await writeArchive({ ...settings, source: createStoreSource(first) }, new AbortController().signal)
    const second = await openStore()
    const read = await GenesisFiles.load({ archive: to, now: 0n })
    await run(second, createArchiveSource(to), read)
    expect(await digestOf(second)).toBe(expected)
  })
})

describe('database server that crashes and loses its last commits', () => {
  const reason = TestPostgres.missing()
  it.skipIf(reason !== undefined)(
    'detects lost commits after a crash of the database server, and leaves no gap',
    { tags: ['postgres'] },
    async () => {
      const late = ['fsync=off', 'synchronous_commit=off', 'bgwriter_lru_maxpages=0', 'autovacuum=off']
      const server = await TestPostgres.start(late)
      const store = await Store.open({ url: server.url, schema: 'forgetful' })
      try {
        await store.migrate()
        node.limit = cut(40)
        const stop = new AbortController()
        const { source } = await upstreamOf(0)
        const indexer = createIndexer({ store, source, ...rules, clock: fast })
        const running = indexer.run(stop.signal)
        await until(() => indexer.status().phase === 'tip')
        await store.driver.control('checkpoint')
        // Without the process that flushes the log, a crash of the server loses all later commits.
        const [writer] = await store.driver.control(
          `select pid from pg_stat_activity where backend_type = 'walwriter'`,
        )
        process.kill(writer?.['pid'] as number, 'SIGSTOP')
        const stored = async () => (await store.snapshot()).key
        const before = await stored()
        node.limit = cut(60)
        await until(() => keyOf(indexer) !== before && indexer.status().phase === 'tip')
        await server.restart()
        expect(await stored()).toBe(before)
        node.limit = {}
        await until(() => indexer.status().phase === 'tip' && indexer.status().chains?.C.height === 83n)
        stop.abort()
        await running
        expect(await digestOf(store)).toBe(expected)
      } finally {
        node.limit = {}
        await store.close()
        await server.close()
      }
    },
  )
})

describe('database server that accepts no writes', () => {
  const reason = TestPostgres.missing()
  it.skipIf(reason !== undefined)(
    'waits until the database accepts writes',
    { tags: ['postgres'] },
    async () => {
      const server = await TestPostgres.start()
      const store = await Store.open({ url: server.url, schema: 'read_only' })
      const other = await Store.open({ url: server.url, schema: 'public' })
      const setReadOnly = async (value: 'on' | 'off') => {
        await other.driver.control(`alter system set default_transaction_read_only = ${value}`)
        await other.driver.control('select pg_reload_conf()')
      }
      try {
        await store.migrate()
        node.limit = cut(40)
        const stop = new AbortController()
        const { source } = await upstreamOf(0)
        const indexer = createIndexer({ store, source, ...rules, clock: fast })
        const running = indexer.run(stop.signal)
        await until(() => indexer.status().phase === 'tip')
        await setReadOnly('on')
        node.limit = {}
        await until(() => indexer.status().problems.some((words) => words.includes('read-only')))
        expect(indexer.status().phase).toBe('standby')
        await setReadOnly('off')
        await until(() => indexer.status().phase === 'tip' && indexer.status().chains?.C.height === 83n)
        expect(indexer.status().problems).toEqual([])
        stop.abort()
        await running
        expect(await digestOf(store)).toBe(expected)
      } finally {
        node.limit = {}
        await other.close()
        await store.close()
        await server.close()
      }
    },
  )
})

describe('lost connection to the database', () => {
  const reason = TestPostgres.missing()
  it.skipIf(reason !== undefined)(
    'reports a lost database connection, is unhealthy until it reconnects, and then continues',
    { tags: ['postgres'] },
    async () => {
      const server = await TestPostgres.start()
      const store = await Store.open({ url: server.url, schema: 'lost' })
      try {
        await store.migrate()
        const lines: string[] = []
        const answers: Promise<{ readonly statusCode: number; json(): unknown }>[] = []
        const log: Logger = {
          ...silentLogger,
          error(_facts, message) {
            lines.push(message)
            answers.push(app.inject('/health'))
          },
        }
        const { source } = await upstreamOf(0)
        node.limit = cut(60)
        const stop = new AbortController()
        const indexer = createIndexer({ store, source, ...rules, clock: fast, log })
        const app = createMonitorApp(ofNetwork(indexer))
        const running = indexer.run(stop.signal)
        await until(() => indexer.status().phase === 'tip')
        expect((await app.inject('/health')).statusCode).toBe(200)
        let blocks = 60
        const growing = setInterval(() => {
          blocks += 1
          node.limit = cut(blocks)
        }, 100)
        // A block must arrive during the outage. Otherwise no query might fail before the pool reconnects.
        for (let i = 0; i < 5 && lines.length === 0; i++) await server.restart(300)
        clearInterval(growing)
        node.limit = {}
        expect(lines[0]).toMatch(/^database error: /)
        const health = await answers[0]
        expect(health?.statusCode).toBe(503)
        expect(health?.json()).toMatchObject({
          status: 'down',
          problems: [expect.stringContaining('database')],
        })
        await until(() => indexer.status().chains?.C.height === 83n && indexer.status().phase === 'tip')
        stop.abort()
        await running
        expect(indexer.status().problems).toEqual([])
        expect(await indexer.metrics.metrics()).toMatch(
          /store_faults_total\{code="STORE_UNAVAILABLE"\} [1-9]/,
        )
        expect(await digestOf(store)).toBe(expected)
      } finally {
        node.limit = {}
        await store.close()
        await server.close()
      }
    },
  )
})
