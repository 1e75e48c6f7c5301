import { join } from 'node:path'
import { Hex, Id } from '@firn/codec'
import {
  createRecordedDevnet,
  Fault,
  GeneratedNetwork,
  type RecordedDevnet,
  RecordedNetwork,
} from '@firn/devnet'
import { silentLogger, systemClock } from '@firn/runtime'
import { TestPostgres } from '@firn/sql/testing'
import { StateDigest, Store } from '@firn/store'
import { inventedDag, Recordings, recordedStore, storeDag } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, unpack } from '../testing/archives.ts'
import { type Kill, type ProcessRun, runProcess } from '../testing/crashes.ts'
import { seeded } from '../testing/random.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import { writeArchive } from './archive/ArchiveWriter.ts'
import * as GenesisFiles from './archive/GenesisFiles.ts'
import * as Doctor from './doctor/Doctor.ts'
import { createIndexer } from './Indexer.ts'
import * as NetworkPeers from './peers/NetworkPeers.ts'
import { createPeerSource } from './peers/PeerSource.ts'
import { createStoreSource } from './StoreSource.ts'

/**
 * Returns the number of times that an indexing process is killed on each database, per source of blocks. The soak test
 * uses 200, which takes several minutes per database and source.
 */
const killsOn = (byDefault: number): number => Number(process.env['FIRN_CRASH_KILLS'] ?? byDefault)
/** Processes start faster on PostgreSQL, so more are killed there. */
const KILLS = { pglite: killsOn(1), postgres: killsOn(2) }
const SEED = Number(process.env['FIRN_CRASH_SEED'] ?? 1)

/** A network to index, with the digest of an uninterrupted run. */
interface Subject {
  readonly archive: string
  readonly expected: string
}

const { folder, remove } = temporaryFolder()
const subjects: Subject[] = []
beforeAll(async () => {
  const archive = join(folder, 'archive')
  unpack('local', archive)
  const expected = Hex.encode(await StateDigest.of(await recordedStore('local')))
  subjects.push({ archive, expected }, await networkWithVertices())
})
afterAll(remove)

async function networkWithVertices(): Promise<Subject> {
  const invented = inventedDag(Recordings.load('local'), { transactions: 80, seed: SEED })
  // Peers send bare blocks as containers, so the digest equals a database with containers.
  const contained = (block: Recordings.Recorded) => ({
    ...block,
    container: { id: Id.hash(block.bytes), bytes: block.bytes },
  })
  const { P, X } = invented.chains
  const dag = { ...invented, chains: { P: P.map(contained), X: X.map(contained), C: [] } }
  const store = await Store.open({})
  await store.migrate()
  await storeDag(store, dag, 'nodes')
  const archive = join(folder, 'dag')
  const { genesis, constants } = dag
  const options = {
    ...{ clock: systemClock, random: () => 0.5, log: silentLogger, pollMs: 1 },
    source: createStoreSource(store),
    rules: { genesis, constants },
    to: archive,
  }
  await writeArchive(options, new AbortController().signal)
  const expected = Hex.encode(await StateDigest.of(store))
  await store.close()
  return { archive, expected }
}

/** A database of one round. */
interface Place {
  readonly place: string
  readonly schema: string
  readonly open: () => Promise<Store>
}

/** A source of the blocks of one round. */
interface Blocks {
  /** Arguments of the process that name the source. */
  readonly args: readonly string[]
  /** Environment variables of the process. */
  readonly env?: NodeJS.ProcessEnv
  /** Draws when a process is killed, and changes the source before it starts. */
  readonly next: (random: () => number) => Kill
  /** Called when a process reports heights; `onEnd` when it has ended. */
  readonly onHeights: () => void
  readonly onEnd: () => void
  readonly close: () => Promise<void>
}

/**
 * A process that reads an archive is usually killed while it indexes, and sometimes during startup. It creates its PGlite
 * cluster itself, so it can be killed while it does so.
 */
const fromArchive = async (): Promise<Blocks> => ({
  args: [],
  env: { FIRN_EMPTY_CLUSTER: '' },
  next: (random) =>
    random() < 0.15 ? { after: 'start', ms: random() * 2_000 } : { after: 'heights', ms: random() * 250 },
  onHeights: () => undefined,
  onEnd: () => undefined,
  close: async () => undefined,
})

/**
 * Five peers serve the network. Before each process, two of them get a new lie, and others may send one container at a
 * time. The network grows while a process runs.
 */
const fromPeers = async ({ archive }: Subject): Promise<Blocks> => {
  const rules = await GenesisFiles.load({ archive, now: 0n })
  const source = createArchiveSource(archive)
  const network = await RecordedNetwork.read({ rules, source }).finally(() => source.close())
  const heights = Object.values(network.chains).map(({ blocks }) => blocks.length - 1)
  const devnet = await createRecordedDevnet({ network, height: Math.ceil((heights[0] ?? 0) / 3) })
  const lies = Fault.kindsOf('blocks').filter((kind) => kind !== 'slow' && kind !== 'silent')
  let growth: NodeJS.Timeout | undefined
  return {
    args: [devnet.bootstrap.ids, devnet.bootstrap.ips, heights.join(' ')],
    next(random) {
      const lie = () => lies[Math.floor(random() * lies.length)]
      const slow = random() < 0.8 ? 'trickle' : null
      devnet.setFaults({ 0: lie(), 1: lie() })
      for (const validator of devnet.validators.slice(2)) validator.setFault(slow && Fault.parse(slow))
      const ms = random() * 300
      const draw = random()
      if (draw < 0.1) return { after: 'start', ms: ms * 6 }
      return { after: draw < 0.55 ? 'fetching' : 'applying', ms }
    },
    onHeights() {
      growth = setInterval(() => devnet.grow(3), 50)
    },
    onEnd: () => clearInterval(growth),
    close: () => devnet.close(),
  }
}

/** Expects that a new process starts with all blocks that the previous process reported as written. */
const expectNothingLost = (before: ProcessRun | undefined, { first }: ProcessRun) => {
  const heights = before?.last
  if (heights === undefined || first === undefined) return
  first.forEach((height, i) => {
    expect(height).toBeGreaterThanOrEqual(heights[i] ?? 0)
  })
}

/** Returns a batch size. Blocks at the tip are written one by one. */
const batchOf = (random: () => number): number => (random() < 0.5 ? 1 : 2 + Math.floor(random() * 5))

/** Kills processes until all kills are done. In each round, processes fill another database with the next network. */
const crash = async (
  placeOf: (round: number) => Promise<Place>,
  serve: (subject: Subject) => Promise<Blocks>,
  firstSubject: number,
  most: number,
): Promise<string> => {
  const random = seeded(SEED + firstSubject)
  const started = Date.now()
  const killed = new Map<string, number>()
  let [kills, midway, rounds] = [0, 0, 0]
  while (kills < most) {
    const { place, schema, open } = await placeOf(rounds)
    const subject = subjects[(rounds + firstSubject) % subjects.length] as Subject
    const blocks = await serve(subject)
    rounds += 1
    let before: ProcessRun | undefined
    for (let isDone = false; !isDone; ) {
      const drawn = blocks.next(random)
      const args = [subject.archive, place, schema, `${batchOf(random)}`, ...blocks.args]
      const run = await runProcess(args, kills < most ? drawn : undefined, blocks.onHeights, blocks.env)
      blocks.onEnd()
      expect(run.errors).toBe('')
      expectNothingLost(before, run)
      if (run.first !== undefined) before = run
      isDone = run.isDone
      if (isDone) continue
      kills += 1
      if (run.last !== undefined) midway += 1
      killed.set(run.phase, (killed.get(run.phase) ?? 0) + 1)
    }
    await blocks.close()
    const store = await open()
    expect(Hex.encode(await StateDigest.of(store))).toBe(subject.expected)
    await store.close()
  }
  expect(midway).toBeGreaterThanOrEqual(Math.floor(most / 2))
  const phases = Array.from(killed, ([phase, times]) => `${phase} ${times}`).join(', ')
  const seconds = Math.round((Date.now() - started) / 1000)
  return `${kills} kills (${phases}) in ${rounds} rounds and ${seconds} s, digests equal`
}

describe.each([
  ['an archive', fromArchive, 1],
  ['five peers, two of them lying', fromPeers, 0],
] as const)('indexer that is killed at arbitrary points, with blocks from %s', (name, serve, offset) => {
  it('loses no block or vertex and ends with the same digest as an uninterrupted run, on PGlite', async () => {
    const at = async (round: number) => {
      const place = join(folder, `pglite-${offset}-${round}`)
      return { place, schema: 'crash', open: () => Store.open({ folder: place, schema: 'crash' }) }
    }
    console.log(`PGlite, from ${name}: ${await crash(at, serve, offset, KILLS.pglite)}`)
  })

  const reason = TestPostgres.missing()
  it.skipIf(reason !== undefined)(
    `loses no block or vertex and ends with the same digest as an uninterrupted run, on PostgreSQL${reason === undefined ? '' : `: ${reason}`}`,
    { tags: ['postgres'] },
    async () => {
      const server = await TestPostgres.start()
      try {
        const at = async (round: number) => {
          const schema = `crash_${round}`
          return { place: server.url, schema, open: () => Store.open({ url: server.url, schema }) }
        }
        console.log(`PostgreSQL, from ${name}: ${await crash(at, serve, offset + 1, KILLS.postgres)}`)
      } finally {
        await server.close()
      }
    },
  )
})

/** Starts an indexer that follows peers, in this process, with a small batch size. */
const startFollower = async (
  url: string,
  network: RecordedNetwork.RecordedNetwork,
  devnet: RecordedDevnet,
) => {
  const store = await Store.open({ url, schema: 'outage', connections: 3 })
  await store.migrate()
  const { ids, ips } = devnet.bootstrap
  const beacons = NetworkPeers.parseBeacons(ids.split(','), ips.split(','))
  const source = createPeerSource({ store, ...network.rules, beacons })
  const indexer = createIndexer({ store, source, ...network.rules, pollMs: 50, batchBlocks: 20 })
  const stop = new AbortController()
  const ended = indexer.run(stop.signal)
  return {
    store,
    fetched: () => indexer.status().source?.fetched ?? 0n,
    applied: () => indexer.status().chains?.P.height ?? 0n,
    status: () => indexer.status(),
    async close() {
      stop.abort()
      await ended
      await source.close()
      await store.close()
    },
  }
}

// It takes a minute, so it only runs in the long form of the tests.
if (process.env['FIRN_RELIABILITY'] === 'long' && TestPostgres.missing() === undefined) {
  it('syncs from peers while the database restarts, and lets a standby continue', async () => {
    const server = await TestPostgres.start()
    const { network } = await GeneratedNetwork.create({ networkId: 7_777, blocks: 3_001, seed: 'outage' })
    const slow = { 2: 'trickle', 3: 'trickle', 4: 'trickle' }
    const devnet = await createRecordedDevnet({ network, faults: { 0: 'any', 1: 'any', ...slow } })
    const first = await startFollower(server.url, network, devnet)
    await expect.poll(first.fetched).toBeGreaterThan(200n)
    await server.restart(3_000)
    await expect.poll(first.fetched).toBeGreaterThan(400n)
    const standby = await startFollower(server.url, network, devnet)
    await first.close()
    devnet.setFaults({ 2: null, 3: null, 4: null })
    await expect.poll(standby.applied).toBeGreaterThan(200n)
    await server.restart(3_000)
    await expect.poll(standby.applied).toBe(BigInt(devnet.heights.P))
    await expect.poll(() => standby.status().problems).toEqual([])
    const report = await Doctor.examine({ store: standby.store, replay: true }, new AbortController().signal)
    expect(report.findings.map(({ message }) => message)).toEqual([])
    await standby.close()
    await devnet.close()
    await server.close()
  })
}
