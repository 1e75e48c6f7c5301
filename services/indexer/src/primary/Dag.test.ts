import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hex, Id } from '@firn/codec'
import { createRecordedDevnet, RecordedNetwork } from '@firn/devnet'
import { VertexOrder, Vertices } from '@firn/ledger'
import { type Clock, silentLogger, systemClock } from '@firn/runtime'
import { FetchedVertices, StateDigest, type Store, Vertices as StoredVertices } from '@firn/store'
import { inventedDag, loadDag, openStore, type RecordedDag, Recordings } from '@firn/store/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, writeDag } from '../testing/archives.ts'
import { createFaultyUpstream, type FaultyUpstream } from '../testing/FaultyUpstream.ts'
import {
  type Container,
  createFakeNode,
  type FakeNode,
  type FakeNodeOptions,
  type IndexedVertex,
} from '../testing/fakeNode.ts'
import { seeded } from '../testing/random.ts'
import * as Archive from './archive/Archive.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import { writeArchive } from './archive/ArchiveWriter.ts'
import { createIndexer } from './Indexer.ts'
import { createUpstreamSource } from './node/UpstreamSource.ts'
import * as NetworkPeers from './peers/NetworkPeers.ts'
import { createPeerSource } from './peers/PeerSource.ts'
import type { Source } from './Source.ts'

const STARTED = systemClock.now()
/** A time after the recordings, and pauses of a hundredth of the requested time. */
const CLOCK: Clock = {
  ...systemClock,
  now: () => Date.parse('2026-11-29T00:00:00Z') - STARTED + systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
}
const { folder, remove } = temporaryFolder()
const FIRST = loadDag('dag')
const SECOND = loadDag('second-dag')
const SINCE = FIRST.genesis.platform.timestamp
const NETWORKS = [
  ['dag', FIRST],
  ['second-dag', SECOND],
] as const

const DIGESTS = new Map<string, string>()
beforeAll(async () => {
  for (const [name, dag] of NETWORKS) {
    writeDag(dag, join(folder, name))
    const store = await index(dag, createArchiveSource(join(folder, name)))
    DIGESTS.set(name, await digest(store))
  }
})
afterAll(remove)

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

async function empty(): Promise<Store> {
  const store = await openStore()
  opened.push(store)
  return store
}

const settingsOf = ({ genesis, constants }: Pick<RecordedDag, 'genesis' | 'constants'>) => {
  return { genesis, constants, once: true, clock: CLOCK, pollMs: 5, random: () => 0.5 }
}

/** Indexes a source up to its tip, in an empty database. */
async function index(dag: Omit<RecordedDag, 'order'>, source: Source, store?: Store): Promise<Store> {
  const into = store ?? (await empty())
  try {
    await createIndexer({ ...settingsOf(dag), store: into, source }).run(new AbortController().signal)
  } finally {
    await source.close()
  }
  return into
}

const digest = async (store: Store) => Hex.encode(await StateDigest.of(store))

/** Returns the vertices of a network in the order and with the times of the recorded node, if there is one. */
function indexOf({ vertices, order }: RecordedDag): readonly IndexedVertex[] {
  const byId = new Map(vertices.map((bytes) => [Id.format(Id.hash(bytes)), bytes]))
  if (order === undefined) return vertices.map((bytes) => ({ bytes, at: '2026-11-28T02:02:05Z' }))
  return order.vtx.map(({ id, at }) => ({ bytes: byId.get(Id.format(id)) ?? id, at }))
}

async function nodeOf(
  name: string,
  dag: RecordedDag,
  options: FakeNodeOptions = {},
): Promise<FaultyUpstream> {
  const node = await createFakeNode(join(folder, name), { vertices: indexOf(dag), ...options })
  const upstream = await createFaultyUpstream(node, { rate: 0, random: seeded(1) })
  opened.push(upstream)
  return upstream
}

const upstreams = (...nodes: readonly FaultyUpstream[]): Source =>
  createUpstreamSource({ nodes: nodes.map(({ url }) => ({ url })), clock: CLOCK, cooldownMs: 0 })

describe.each(NETWORKS)('the recorded network %s', (name, dag) => {
  it('leads to the same digest from a node', async () => {
    const store = await index(dag, upstreams(await nodeOf(name, dag)))
    expect(await digest(store)).toBe(DIGESTS.get(name))
    expect(await FetchedVertices.count(store)).toBe(0)
  })

  it('leads to the same digest from five peers of which two lie', async () => {
    const source = createArchiveSource(join(folder, name))
    const network = await RecordedNetwork.read({ rules: dag, source })
    const devnet = await createRecordedDevnet({ network, validators: 5, faults: { 1: 'any', 3: 'any' } })
    opened.push(devnet)
    const { ids, ips } = devnet.bootstrap
    const beacons = NetworkPeers.parseBeacons(ids.split(','), ips.split(','))
    const store = await empty()
    await index(
      dag,
      createPeerSource({ genesis: dag.genesis, constants: dag.constants, store, beacons }),
      store,
    )
    expect(await digest(store)).toBe(DIGESTS.get(name))
  })

  it('leads to the same digest from an archive of a node', async () => {
    const to = join(folder, `${name}-archive`)
    await archive(dag, upstreams(await nodeOf(name, dag)), to)
    expect(await digest(await index(dag, createArchiveSource(to)))).toBe(DIGESTS.get(name))
    const lines = readFileSync(join(to, Archive.VERTICES), 'utf8').trim().split('\n')
    const times = new Map(indexOf(dag).map(({ bytes, at }) => [Id.format(Id.hash(bytes)), at]))
    expect(lines).toHaveLength(dag.vertices.length)
    for (const line of lines) {
      const { id, timestamp } = JSON.parse(line) as { readonly id: string; readonly timestamp: string }
      expect(timestamp).toBe(times.get(id))
    }
    expect(existsSync(join(to, 'x', '.fetched'))).toBe(false)
    // A process that is killed after the last vertex was written leaves the database behind.
    mkdirSync(join(to, 'x', '.fetched', 'left'), { recursive: true })
    await archive(dag, upstreams(await nodeOf(name, dag)), to)
    expect(existsSync(join(to, 'x', '.fetched'))).toBe(false)
  })
})

function archive(
  dag: Omit<RecordedDag, 'order'>,
  source: Source,
  to: string,
  signal = new AbortController().signal,
) {
  const { genesis, constants } = dag
  const rules = { genesis, constants }
  return writeArchive({ ...settingsOf(dag), source, rules, to, log: silentLogger }, signal)
}

it('has the index numbers and times of the recorded node', async () => {
  const store = await index(FIRST, upstreams(await nodeOf('dag', FIRST)))
  const { first, vertices, transactions } = await StoredVertices.extent(store)
  const stored = await StoredVertices.range(store, 0, vertices)
  const found = stored.map(({ id, acceptedAt }) => [Id.format(id), Archive.formatTime(acceptedAt ?? 0n)])
  expect(found).toEqual(FIRST.order?.vtx.map(({ id, at }) => [Id.format(id), at]))
  const txs = await StoredVertices.transactions(store, first, first + transactions)
  expect(txs.map(({ id }) => Id.format(id))).toEqual(FIRST.order?.tx.map(({ id }) => Id.format(id)))
  expect(txs.every(({ acceptedAt }) => acceptedAt !== null)).toBe(true)
})

/** Returns an answer whose first vertex is changed. */
const again = ([first, ...rest]: readonly Container[], changes: Partial<Container>) => [
  { ...(first as Container), ...changes },
  ...rest,
]
const STRANGER = SECOND.vertices[40] ?? new Uint8Array()
const bytesOf = (bytes: Uint8Array) => ({ id: Id.format(Id.hash(bytes)), bytes: checked(bytes) })
const checked = (bytes: Uint8Array) => {
  const sum = Id.hash(bytes).slice(-4)
  return `${Hex.encode(bytes)}${Hex.encodeBare(sum)}`
}

/** Returns the bytes of a vertex with another parent. */
const reparented = (text: string): Uint8Array => {
  const bytes = Hex.decode(text).slice(0, -4)
  // The first parent follows the version, the chain's id, the height, the epoch and the number of parents.
  bytes.fill(7, 2 + 32 + 8 + 4 + 4, 2 + 32 + 8 + 4 + 4 + 32)
  return bytes
}
const LIES: readonly (readonly [
  string,
  (containers: readonly Container[]) => readonly Container[],
  string,
])[] = [
  [
    'other parents under the right id',
    (all) => all.map((one, i) => (i === 99 ? { ...one, bytes: checked(reparented(one.bytes)) } : one)),
    'id',
  ],
  [
    'other parents under their own id',
    (all) => all.map((one, i) => (i === 99 ? { ...one, ...bytesOf(reparented(one.bytes)) } : one)),
    'parent',
  ],
  ['an invented vertex', (all) => again(all, bytesOf(STRANGER)), 'parent'],
  ['a list without its end', (all) => all.slice(0, -10), 'count'],
  ['a list without its start', (all) => all.slice(10), 'count'],
  ['a list with a gap', (all) => all.toSpliced(50, 1), 'count'],
  ['no vertices', () => [], 'count'],
  ['numbers of other vertices', (all) => all.map((one, i) => ({ ...one, index: `${i + 1}` })), 'number'],
  ['one vertex twice', (all) => again(all, { ...all[1], index: '0' }), 'repeated'],
  [
    'children before parents',
    (all) => all.toReversed().map((one, i) => ({ ...one, index: `${i}` })),
    'parent',
  ],
  ['a text that is no time', (all) => again(all, { timestamp: 'yesterday' }), 'answer'],
  ['a time before the genesis', (all) => again(all, { timestamp: '2020-01-01T00:00:00Z' }), 'time'],
  ['a time in the future', (all) => again(all, { timestamp: '2126-11-28T02:02:05Z' }), 'time'],
  ['times out of order', (all) => again(all, { timestamp: '2026-11-28T09:02:05Z' }), 'time'],
  ['bytes that end early', (all) => again(all, { bytes: (all[0]?.bytes ?? '').slice(0, -20) }), 'bytes'],
  ['bytes that are not hex', (all) => again(all, { bytes: 'vertex' }), 'bytes'],
]

describe('a node that lies about vertices', () => {
  it.each(LIES)('is blamed for %s, and another node is asked', async (_, lie, reason) => {
    const [liar, honest] = [await nodeOf('dag', FIRST, { lie }), await nodeOf('dag', FIRST)]
    const alone = upstreams(liar)
    const target = { store: await empty(), stopVertexId: stopOf(FIRST), since: SINCE }
    await expect(alone.fetchVertices?.(target)).rejects.toMatchObject({
      code: 'INDEXER_BLOCK',
      details: { reason },
    })
    expect(await FetchedVertices.count(target.store)).toBe(0)
    await alone.close()
    const lines: string[] = []
    const log = { ...silentLogger, warn: (_: object, text?: string) => void lines.push(text ?? '') }
    const nodes = [liar, honest].map(({ url }) => ({ url }))
    const source = createUpstreamSource({ nodes, clock: CLOCK, log })
    await source.fetchVertices?.(target)
    await source.close()
    const found = await FetchedVertices.page(target.store, undefined, 1_000)
    expect(found.map(({ bytes }) => Hex.encode(bytes))).toEqual(
      FIRST.vertices.map((bytes) => Hex.encode(bytes)),
    )
    const { host } = new URL(liar.url)
    expect(
      lines.filter((line) => line.includes('returned wrong or incomplete data') && line.includes(host)),
    ).toHaveLength(1)
  })

  it('alone does not end the indexer, which names the problem and goes on when the node is honest', async () => {
    let isHonest = false
    const [, lie] = LIES[0] ?? []
    const liar = await nodeOf('dag', FIRST, { lie: (all) => (isHonest ? all : (lie?.(all) ?? all)) })
    const store = await empty()
    const source = upstreams(liar)
    const indexer = createIndexer({ ...settingsOf(FIRST), once: false, store, source })
    const stop = new AbortController()
    const running = indexer.run(stop.signal)
    while (source.warnings?.().length === 0) await systemClock.sleep(5)
    expect(indexer.status().problems.join()).toContain('vertex of the X-chain')
    expect((await StoredVertices.extent(store)).vertices).toBe(0)
    isHonest = true
    while (indexer.status().phase !== 'tip') await systemClock.sleep(5)
    expect(await digest(store)).toBe(DIGESTS.get('dag'))
    stop.abort()
    await running
    await source.close()
  })
})

/** Faults of a node that pass, with their answers. */
const FAULTS: readonly (readonly [
  string,
  { readonly status: number; readonly body: (id: number) => string },
])[] = [
  ['the status 503', { status: 503, body: () => 'unavailable' }],
  ['the status 429', { status: 429, body: () => 'too many requests' }],
  ['a rate limit', { status: 200, body: errorOf(-32005, 'rate limit exceeded') }],
  ['a size limit', { status: 200, body: errorOf(-32003, 'response too large') }],
  ['an internal error', { status: 200, body: errorOf(-32603, 'internal error') }],
]

function errorOf(code: number, message: string) {
  return (id: number) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

describe('a node without vertices', () => {
  it('is named, with what to do', async () => {
    const node = await createFakeNode(join(folder, 'dag'))
    const upstream = await createFaultyUpstream(node, { rate: 0, random: seeded(1) })
    opened.push(upstream)
    const expected = { code: 'INDEXER_NO_VERTICES', message: expect.stringContaining('--index-enabled') }
    await expect(index(FIRST, upstreams(upstream))).rejects.toMatchObject(expected)
    const to = join(folder, 'no-vertices')
    const source = upstreams(upstream)
    await expect(archive(FIRST, source, to)).rejects.toMatchObject(expected)
    expect(existsSync(join(to, Archive.FILES.P))).toBe(false)
    await source.close()
    const honest = await nodeOf('dag', FIRST)
    expect(await digest(await index(FIRST, upstreams(upstream, honest)))).toBe(DIGESTS.get('dag'))
  })

  it.each(FAULTS)('does not end an archive while the node with vertices returns %s', async (label, fault) => {
    const without = await createFakeNode(join(folder, 'dag'))
    const fake = await createFakeNode(join(folder, 'dag'), { vertices: indexOf(FIRST) })
    // The node fails until the other one was asked, and then works.
    const faulty: FakeNode = {
      ...fake,
      answer: (path, body) =>
        path.endsWith('/vtx') && without.calls('index.getIndex') === 0
          ? { ...fault, body: fault.body(JSON.parse(body).id) }
          : fake.answer(path, body),
    }
    const nodes: FaultyUpstream[] = []
    for (const node of [faulty, without])
      nodes.push(await createFaultyUpstream(node, { rate: 0, random: seeded(1) }))
    opened.push(...nodes)
    const to = join(folder, `archive-after ${label}`)
    const source = upstreams(...nodes)
    await archive(FIRST, source, to)
    await source.close()
    expect(without.calls('index.getIndex')).toBe(1)
    const lines = readFileSync(join(to, Archive.VERTICES), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(FIRST.vertices.length)
  })

  it('is still the first one that is asked for blocks', async () => {
    const without = await createFakeNode(join(folder, 'dag'))
    const first = await createFaultyUpstream(without, { rate: 0, random: seeded(1) })
    opened.push(first)
    const nodes = [first, await nodeOf('dag', FIRST)].map(({ url }) => ({ url }))
    const source = createUpstreamSource({ nodes, clock: CLOCK })
    await source.fetchVertices?.({ store: await empty(), stopVertexId: stopOf(FIRST), since: SINCE })
    const [block] = await source.blocks('P', 1n, 1)
    expect(block?.origin).toBe(new URL(first.url).host)
    await source.close()
  })

  it('is refused if its index begins after the first vertex', async () => {
    const late = await nodeOf('dag', FIRST, { vertices: indexOf(FIRST).slice(100) })
    const source = upstreams(late)
    const target = { store: await empty(), stopVertexId: stopOf(FIRST), since: 0n }
    await expect(source.fetchVertices?.(target)).rejects.toThrow('its index lacks')
    await source.close()
  })
})

const stopOf = ({ constants }: Pick<RecordedDag, 'constants'>) => constants.upgrades.cortinaXChainStopVertexId

describe('a large DAG', () => {
  const LARGE = {
    ...inventedDag(Recordings.load('local'), {
      transactions: 60,
      seed: 8,
      base: VertexOrder.MAX_VERTICES + 200,
    }),
    order: undefined,
  }
  const at = '2026-11-28T00:00:00Z'
  beforeAll(() => writeDag(LARGE, join(folder, 'large')))

  it('is continued with a node that has another order, after a node failed', async () => {
    const byHeight = LARGE.vertices.map((bytes) => ({ bytes, at }))
    const decoded = LARGE.vertices.map((bytes) => Vertices.decode(bytes, LARGE.genesis.xChain.blockchainId))
    const other = VertexOrder.ofNode(decoded, stopOf(LARGE)).vertices.map(({ bytes }) => ({ bytes, at }))
    let answers = 0
    const lie = (all: readonly Container[]) => (answers++ === 0 ? all : [])
    const nodes = [
      await nodeOf('large', LARGE, { vertices: byHeight, lie }),
      await nodeOf('large', LARGE, { vertices: other }),
    ]
    const source = upstreams(...nodes)
    const store = await empty()
    const target = { store, stopVertexId: stopOf(LARGE), since: 0n }
    await source.fetchVertices?.(target)
    expect(answers).toBe(2)
    const found = await FetchedVertices.page(store, undefined, LARGE.vertices.length + 1)
    expect(found.map(({ bytes }) => Hex.encode(bytes))).toEqual(
      LARGE.vertices.map((bytes) => Hex.encode(bytes)),
    )
    expect(found.every(({ acceptedAt }) => acceptedAt !== undefined)).toBe(true)
    await source.close()
  })

  it('is written to an archive that is continued after a kill', async () => {
    const to = join(folder, 'large-archive')
    const stop = new AbortController()
    const vertices = LARGE.vertices.map((bytes) => ({ bytes, at }))
    let answers = 0
    const lie = (all: readonly Container[]) => {
      if (answers++ === 1) stop.abort()
      return all
    }
    const node = await nodeOf('large', LARGE, { vertices, lie })
    const first = upstreams(node)
    await archive(LARGE, first, to, stop.signal)
    await first.close()
    expect(existsSync(join(to, 'x', '.fetched'))).toBe(true)
    const second = upstreams(node)
    await archive(LARGE, second, to)
    await second.close()
    // The page that was being stored when the signal came is fetched again.
    expect(answers).toBe(4)
    const lines = readFileSync(join(to, Archive.VERTICES), 'utf8').trim().split('\n')
    const found = lines.map((line) => Hex.encode(Archive.parseVertex(line, to).bytes))
    expect(found).toEqual(LARGE.vertices.map((bytes) => Hex.encode(bytes)))
  })
})
