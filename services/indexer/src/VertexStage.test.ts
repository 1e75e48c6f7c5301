import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHAIN_ALIASES, type ChainAlias, Hex } from '@firn/codec'
import { Vertices } from '@firn/ledger'
import { systemClock } from '@firn/runtime'
import { StateDigest, type Store } from '@firn/store'
import { eachDatabase, type InventedDag, inventedDag, openStore, Recordings } from '@firn/store/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import * as Archive from './Archive.ts'
import { createArchiveSource } from './ArchiveSource.ts'
import * as Doctor from './Doctor.ts'
import { createIndexer, type Indexer, type IndexerStatus } from './Indexer.ts'
import { seeded } from './internal/seeded.ts'
import { health } from './Monitor.ts'
import type { Source, SourceBlock } from './Source.ts'
import { createStoreSource } from './StoreSource.ts'
import { temporaryFolder } from './testing/archives.ts'

const DAG = inventedDag(Recordings.load('local'), { transactions: 60, seed: 7 })
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

function indexerOf(store: Store, source: Source, once = true): Indexer {
  const { genesis, constants } = DAG
  return createIndexer({ store, source, genesis, constants, once, clock: FAST, pollMs: 5, random: () => 0.5 })
}

async function index(
  store: Store,
  source: Source,
  signal = new AbortController().signal,
): Promise<IndexerStatus> {
  const indexer = indexerOf(store, source)
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

const EXPECTED = (async () => {
  const store = await openStore()
  await index(store, createArchiveSource(archive('whole', DAG)))
  const expected = { digest: await digest(store), heights: await heights(store) }
  await store.close()
  return expected
})()

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
    const { vertices, ...rest } = sourceOf(DAG)
    const source: Source = {
      ...rest,
      async vertices(after, limit, signal) {
        if (after !== undefined) {
          const { applied } = indexer.status().vertices ?? { applied: 0 }
          if (applied > 0) stop.abort()
          return []
        }
        return (await vertices?.(after, Math.min(limit, 9), signal)) ?? []
      },
    }
    const indexer = indexerOf(store, source)
    await Promise.race([
      indexer.run(stop.signal),
      new Promise((settle) => stop.signal.addEventListener('abort', settle)),
    ])
    const status = indexer.status()
    expect(status.vertices).toMatchObject({ applied: 9 })
    expect(health(status)).toMatchObject({ vertices: { applied: 9 } })
    expect(await indexer.metrics.metrics()).toContain('firn_indexer_vertices 9')
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
    it('lead to the same digest despite kills, faults, and answers of any size', async () => {
      const store = await open()
      const random = seeded(11)
      const faulty = (changes: Partial<Source>): Source => {
        const { vertices, blocks, ...rest } = sourceOf(DAG)
        return {
          ...rest,
          async vertices(after, limit, signal) {
            const given =
              (await vertices?.(after, Math.min(limit, 1 + Math.floor(random() * 9)), signal)) ?? []
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
        await index(store, source, stop.signal)
      }
      const { problems } = await index(store, faulty({}))
      expect(problems).toEqual([])
      expect(await digest(store)).toBe((await EXPECTED).digest)
      const { findings } = await Doctor.examine({ store, replay: true }, new AbortController().signal)
      expect(findings).toEqual([])
      const copy = await empty()
      await index(copy, createStoreSource(store))
      expect(await digest(copy)).toBe((await EXPECTED).digest)
    })
  })
})
