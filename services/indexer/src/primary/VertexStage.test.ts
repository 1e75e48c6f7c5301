import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHAIN_ALIASES, type ChainAlias, Hex } from '@firn/codec'
import { VertexOrder, Vertices } from '@firn/ledger'
import { silentLogger, systemClock } from '@firn/runtime'
import { StateDigest, type Store } from '@firn/store'
import { eachDatabase, type InventedDag, inventedDag, openStore, Recordings } from '@firn/store/testing'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { seeded } from '../common/seeded.ts'
import { health } from '../monitor/Monitor.ts'
import { temporaryFolder } from '../testing/archives.ts'
import * as Archive from './archive/Archive.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import * as Doctor from './doctor/Doctor.ts'
import { createIndexer, type Indexer } from './Indexer.ts'
import type { Source, SourceBlock } from './Source.ts'
import type { IndexerStatus } from './Status.ts'
import { createStoreSource } from './StoreSource.ts'

const LOCAL = Recordings.load('local')
const DAG = inventedDag(LOCAL, { transactions: 60, seed: 7 })
/** More vertices than fit in one answer of a node, so they are applied in batches. */
const LARGE = inventedDag(LOCAL, { transactions: 60, seed: 8, base: VertexOrder.MAX_VERTICES + 200 })
const FAST = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
}

const { folder, remove } = temporaryFolder()
afterAll(remove)

/** Returns a source of a network that is complete from the start. */
function sourceOf(dag: InventedDag, changes: Partial<Source> = {}): Source {
  const decoded = dag.vertices.map((bytes) => Vertices.decode(bytes, dag.genesis.xChain.blockchainId))
  const origin = 'made up'
  return {
    name: origin,
    isFixed: false,
    tip: async (chain) => BigInt(dag.chains[chain].length),
    blocks: async (chain, from, limit) =>
      dag.chains[chain]
        .slice(Number(from) - 1, Number(from) - 1 + limit)
        .map(({ bytes }): SourceBlock => ({ kind: 'block', bytes, origin })),
    async vertices(after, limit) {
      const at =
        after === undefined ? 0 : decoded.findIndex(({ id }) => Hex.encode(id) === Hex.encode(after.id)) + 1
      return dag.vertices.slice(at, at + limit).map((bytes) => ({ bytes, origin }))
    },
    refuse: () => undefined,
    close: async () => undefined,
    ...changes,
  }
}

function indexerOf(store: Store, source: Source, once = true, { genesis, constants } = DAG): Indexer {
  return createIndexer({ store, source, genesis, constants, once, clock: FAST, pollMs: 5, random: () => 0.5 })
}

async function index(
  store: Store,
  source: Source,
  signal = new AbortController().signal,
  dag = DAG,
): Promise<IndexerStatus> {
  const indexer = indexerOf(store, source, true, dag)
  try {
    await indexer.run(signal)
  } finally {
    await source.close()
  }
  return indexer.status()
}

async function digest(store: Store): Promise<string> {
  return Hex.encode(await StateDigest.of(store))
}

async function heights(store: Store): Promise<readonly bigint[]> {
  const at = await store.snapshot()
  return CHAIN_ALIASES.map((chain) => at[chain].height)
}

const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

/** Returns an empty store that is closed after the test. */
async function empty(): Promise<Store> {
  const store = await openStore()
  opened.push(store)
  return store
}

/** Writes the archive of a network, with all of its vertices but the last `missing`. */
function archive(name: string, { vertices, chains, genesis }: InventedDag, missing = 0): string {
  const path = join(folder, name)
  const lines = vertices
    .slice(0, vertices.length - missing)
    .map((bytes) => Archive.formatVertex(Vertices.decode(bytes, genesis.xChain.blockchainId)))
  write(join(path, Archive.VERTICES), lines)
  for (const chain of ['P', 'X'] as const) {
    const blocks = chains[chain].map(({ bytes }, i) => {
      return Archive.formatLine(chain, { height: BigInt(i + 1), id: new Uint8Array(32), time: 0n, bytes })
    })
    write(join(path, Archive.FILES[chain]), blocks)
  }
  return path
}

function write(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}

const expectedOf = async (name: string, dag: InventedDag) => {
  const store = await openStore()
  await index(store, createArchiveSource(archive(name, dag)), undefined, dag)
  const expected = { digest: await digest(store), heights: await heights(store) }
  await store.close()
  return expected
}
const EXPECTED = expectedOf('whole', DAG)

describe('an archive with vertices', () => {
  it('is indexed up to the last block of every chain', async () => {
    expect((await EXPECTED).heights).toEqual([2n, 1n, 0n])
  })

  it('is rejected if vertices are missing, or a line is malformed', async () => {
    const store = await empty()
    const truncated = createArchiveSource(archive('truncated', DAG, 1))
    await expect(index(store, truncated)).rejects.toMatchObject({ code: 'INDEXER_ARCHIVE' })
    const malformed = archive('malformed', DAG)
    write(join(malformed, Archive.VERTICES), ['{"vertexBytes":"0x00"}'])
    await expect(index(await empty(), createArchiveSource(malformed))).rejects.toThrow('vertices.jsonl:1')
    const none = sourceOf(DAG, { isFixed: true })
    delete none.vertices
    await expect(index(await empty(), none)).rejects.toThrow('add x/vertices.jsonl')
  })

  it('is rejected if vertices are out of order, or a rule is broken', async () => {
    const swapped = [...DAG.vertices]
    swapped.splice(3, 2, ...swapped.slice(3, 5).reverse())
    const wrong = createArchiveSource(archive('swapped', { ...DAG, vertices: swapped }))
    await expect(index(await empty(), wrong)).rejects.toThrow('ascending')
    const without = [...DAG.vertices]
    without.splice(5, 1)
    const gap = createArchiveSource(archive('gap', { ...DAG, vertices: without }))
    await expect(index(await empty(), gap)).rejects.toMatchObject({ code: 'INDEXER_BLOCK' })
  })
})

describe('a source with vertices', () => {
  it('is asked again until the vertices are there, while other chains go on', async () => {
    const store = await empty()
    let asked = 0
    const { vertices, ...rest } = sourceOf(DAG)
    const seen: IndexerStatus[] = []
    const source: Source = {
      ...rest,
      async vertices(...given) {
        asked += 1
        seen.push(indexer.status())
        return asked < 4 ? [] : ((await vertices?.(...given)) ?? [])
      },
    }
    const indexer = indexerOf(store, source)
    await indexer.run(new AbortController().signal)
    expect(asked).toBeGreaterThan(3)
    expect(await digest(store)).toBe((await EXPECTED).digest)
    expect(indexer.status().vertices).toBeUndefined()
  })

  it('reports the phase, the progress and metrics', async () => {
    const store = await empty()
    const stop = new AbortController()
    const { vertices, ...rest } = sourceOf(LARGE)
    const source: Source = {
      ...rest,
      async vertices(after, limit, signal) {
        if ((after?.height ?? 0n) > BigInt(VertexOrder.MAX_VERTICES)) {
          const { applied } = indexer.status().vertices ?? { applied: 0 }
          if (applied > 0) stop.abort()
          return []
        }
        return (await vertices?.(after, limit, signal)) ?? []
      },
    }
    const indexer = indexerOf(store, source, true, LARGE)
    await Promise.race([
      indexer.run(stop.signal),
      new Promise((settle) => stop.signal.addEventListener('abort', settle)),
    ])
    const status = indexer.status()
    const applied = status.vertices?.applied ?? 0
    expect(applied).toBeGreaterThan(0)
    expect(health(status)).toMatchObject({ vertices: { applied } })
    expect(await indexer.metrics.metrics()).toContain(`firn_indexer_vertices ${applied}`)
  })

  it('logs the number of all vertices at the end', async () => {
    const info = vi.fn()
    const { genesis, constants } = LARGE
    const log = { ...silentLogger, info }
    const settings = { genesis, constants, once: true, clock: FAST, pollMs: 5, log }
    await createIndexer({ ...settings, store: await empty(), source: sourceOf(LARGE) }).run(
      new AbortController().signal,
    )
    const lines = info.mock.calls.filter(([, text]) => String(text).includes('all vertices'))
    expect(lines).toEqual([[{ applied: LARGE.vertices.length }, 'applied all vertices of the X-chain']])
  })

  it('tells that vertices are missing, and follows the other chains', async () => {
    const store = await empty()
    const source = sourceOf(DAG)
    delete source.vertices
    const stop = new AbortController()
    const indexer = indexerOf(store, source, false)
    const run = indexer.run(stop.signal)
    const isTold = () => indexer.status().problems.some((words) => words.includes('x/vertices.jsonl'))
    while (!isTold()) await systemClock.sleep(5)
    stop.abort()
    await run
    expect((await heights(store))[1]).toBe(0n)
    await expect(index(await empty(), source)).rejects.toMatchObject({ code: 'INDEXER_BLOCK' })
  })

  it('is not missed on a network whose X-chain has no block yet', async () => {
    const store = await empty()
    const dag = { ...DAG, chains: { P: [], X: [], C: [] } }
    const source = sourceOf(dag)
    delete source.vertices
    const { problems } = await index(store, source)
    expect(problems).toEqual([])
  })
})

eachDatabase(({ open }) => {
  describe('vertices', () => {
    it.each([
      ['few', DAG, 9],
      ['many', LARGE, 512],
    ])(
      'lead to the same digest despite kills, faults, and answers of any size (%s)',
      async (name, dag, most) => {
        const expected = await expectedOf(name, dag)
        const store = await open()
        const random = seeded(11)
        const faulty = (changes: Partial<Source>): Source => {
          const { vertices, blocks, ...rest } = sourceOf(dag)
          return {
            ...rest,
            async vertices(after, limit, signal) {
              const given =
                (await vertices?.(after, Math.min(limit, 1 + Math.floor(random() * most)), signal)) ?? []
              const luck = random()
              if (luck < 0.1) return []
              if (luck < 0.2) return given.map(({ origin }) => ({ bytes: Hex.decode('0x00'), origin }))
              return luck < 0.3 ? given.toReversed() : given
            },
            blocks: (chain: ChainAlias, from, limit, signal) =>
              random() < 0.5 ? Promise.resolve([]) : blocks(chain, from, limit, signal),
            ...changes,
          }
        }
        for (let kills = 0; kills < 6; kills++) {
          const stop = new AbortController()
          const source = faulty({})
          let answers = 2 + Math.floor(random() * 3)
          const { vertices } = source
          source.vertices = async (...given) => {
            if (answers-- <= 0) stop.abort()
            return (await vertices?.(...given)) ?? []
          }
          await index(store, source, stop.signal, dag)
        }
        const { problems } = await index(store, faulty({}), undefined, dag)
        expect(problems).toEqual([])
        expect(await digest(store)).toBe(expected.digest)
        const { findings } = await Doctor.examine({ store, replay: true }, new AbortController().signal)
        expect(findings).toEqual([])
        const copy = await empty()
        await index(copy, createStoreSource(store), undefined, dag)
        expect(await digest(copy)).toBe(expected.digest)
      },
    )
  })
})
