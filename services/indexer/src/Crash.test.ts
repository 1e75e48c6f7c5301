import { join } from 'node:path'
import { Hex } from '@firn/codec'
import { silentLogger, systemClock } from '@firn/runtime'
import { StateDigest, Store } from '@firn/store'
import { inventedDag, Recordings, recordedStore, storeDag, TestPostgres } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeArchive } from './ArchiveWriter.ts'
import { createStoreSource } from './StoreSource.ts'
import { temporaryFolder, unpack } from './testing/archives.ts'
import { type Kill, type ProcessRun, runProcess } from './testing/crashes.ts'
import { seeded } from './testing/random.ts'

/**
 * Number of times that an indexing process is killed on each database. The soak test uses 200, which takes
 * several minutes per database.
 */
const KILLS = Number(process.env['FIRN_CRASH_KILLS'] ?? 4)
const SEED = Number(process.env['FIRN_CRASH_SEED'] ?? 1)

const { folder, remove } = temporaryFolder()
const recorded = join(folder, 'archive')
let digest = ''
beforeAll(async () => {
  unpack('local', recorded)
  digest = Hex.encode(await StateDigest.of(await recordedStore('local')))
})
afterAll(remove)

interface Place {
  readonly place: string
  readonly schema: string
  readonly open: () => Promise<Store>
}

/** Returns the time at which a process is killed: usually while it indexes, and sometimes during startup. */
const randomKill = (random: () => number): Kill =>
  random() < 0.15 ? { after: 'start', ms: random() * 2_000 } : { after: 'first', ms: random() * 250 }

/** Returns a batch size. Blocks at the tip are written one by one. */
const batchOf = (random: () => number): number => (random() < 0.5 ? 1 : 2 + Math.floor(random() * 5))

/** Expects that a new process starts with all blocks that the previous process reported as written. */
const expectNothingLost = (before: ProcessRun | undefined, { first }: ProcessRun) => {
  const heights = before?.last
  if (heights === undefined || first === undefined) return
  first.forEach((height, i) => {
    expect(height).toBeGreaterThanOrEqual(heights[i] ?? 0)
  })
}

/** A network to index. `kills` is the number of kills, and `expected` the digest of an uninterrupted run. */
interface Subject {
  readonly archive: string
  readonly kills: number
  readonly expected: string
}

const crash = async (
  placeOf: (round: number) => Promise<Place>,
  { archive, kills: most, expected }: Subject = { archive: recorded, kills: KILLS, expected: digest },
): Promise<string> => {
  const random = seeded(SEED)
  let [kills, midway, rounds] = [0, 0, 0]
  while (kills < most) {
    const { place, schema, open } = await placeOf(rounds)
    rounds += 1
    let before: ProcessRun | undefined
    for (let isDone = false; !isDone; ) {
      const kill = kills < most ? randomKill(random) : undefined
      const run = await runProcess([archive, place, schema, `${batchOf(random)}`], kill)
      expect(run.errors).toBe('')
      expectNothingLost(before, run)
      if (run.first !== undefined) before = run
      isDone = run.isDone
      if (!isDone) kills += 1
      if (!isDone && run.last !== undefined) midway += 1
    }
    const store = await open()
    expect(Hex.encode(await StateDigest.of(store))).toBe(expected)
    await store.close()
  }
  expect(midway).toBeGreaterThan(most / 2)
  return `${kills} kills, ${midway} of them between two blocks, in ${rounds} rounds`
}

const TIMEOUT = 60_000 + KILLS * 15_000

describe('indexer that is killed at arbitrary points', () => {
  it('loses no block and ends with the same digest as an uninterrupted run, on PGlite', {
    timeout: TIMEOUT,
  }, async () => {
    const summary = await crash(async (round) => {
      const place = join(folder, `pglite-${round}`)
      return {
        place,
        schema: 'crash',
        open: () => Store.open({ folder: place, schema: 'crash' }),
      }
    })
    console.log(`PGlite: ${summary}`)
  })

  it('loses no vertex', { timeout: TIMEOUT }, async () => {
    const dag = inventedDag(Recordings.load('local'), { transactions: 80, seed: SEED })
    const source = await Store.open({})
    await source.migrate()
    await storeDag(source, dag)
    const archive = join(folder, 'dag')
    const settings = { clock: systemClock, random: () => 0.5, log: silentLogger, pollMs: 1 }
    const { genesis, constants } = dag
    const options = {
      ...settings,
      source: createStoreSource(source),
      rules: { genesis, constants },
      to: archive,
    }
    await writeArchive(options, new AbortController().signal)
    const subject = {
      archive,
      kills: Math.ceil(KILLS / 2),
      expected: Hex.encode(await StateDigest.of(source)),
    }
    await source.close()
    const summary = await crash(async (round) => {
      const place = join(folder, `vertices-${round}`)
      return { place, schema: 'crash', open: () => Store.open({ folder: place, schema: 'crash' }) }
    }, subject)
    console.log(`vertices: ${summary}`)
  })

  const reason = TestPostgres.missing()
  it.skipIf(reason !== undefined)(
    `loses no block and ends with the same digest as an uninterrupted run, on PostgreSQL${reason === undefined ? '' : `: ${reason}`}`,
    { tags: ['postgres'], timeout: TIMEOUT },
    async () => {
      const server = await TestPostgres.start()
      try {
        const summary = await crash(async (round) => {
          const schema = `crash_${round}`
          return {
            place: server.url,
            schema,
            open: () => Store.open({ url: server.url, schema }),
          }
        })
        console.log(`PostgreSQL: ${summary}`)
      } finally {
        await server.close()
      }
    },
  )
})
