import { join } from 'node:path'
import { CHAIN_ALIASES, Hex } from '@firn/codec'
import { createRecordedDevnet, GeneratedNetwork } from '@firn/devnet'
import { Timers } from '@firn/p2p'
import { type Clock, silentLogger, systemClock } from '@firn/runtime'
import { FetchedBlocks, StateDigest, type Store, Validators, Vertices, Writer } from '@firn/store'
import { eachDatabase, openStore, recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { health } from '../../monitor/Monitor.ts'
import { temporaryFolder, unpack } from '../../testing/archives.ts'
import { type RecordedPeersOptions, startRecordedPeers } from '../../testing/recordedPeers.ts'
import { createArchiveSource } from '../archive/ArchiveSource.ts'
import * as GenesisFiles from '../archive/GenesisFiles.ts'
import { examine } from '../doctor/Doctor.ts'
import { createIndexer } from '../Indexer.ts'
import { paceOf, phaseOf } from '../Phase.ts'
import type { Source } from '../Source.ts'
import type { IndexerStatus } from '../Status.ts'
import * as NetworkPeers from './NetworkPeers.ts'
import { createPeerSource, type PeerSourceOptions } from './PeerSource.ts'

const { folder, remove } = temporaryFolder()
const archive = join(folder, 'local')
let rules: GenesisFiles.NetworkRules
/** A store with all chains of the network. */
let reference: Store
let expected: string
beforeAll(async () => {
  unpack('local', archive)
  rules = await GenesisFiles.load({ archive, now: 0n })
  reference = await recordedStore('local')
  expected = await digest(reference)
})
afterAll(remove)

const digest = async (store: Store) => Hex.encode(await StateDigest.of(store))

async function index(store: Store, source: Source): Promise<void> {
  const indexer = createIndexer({ store, source, ...rules, once: true, pollMs: 20 })
  await indexer.run(new AbortController().signal)
  await source.close()
}

async function startPeers(own: Partial<RecordedPeersOptions> = {}) {
  const source = createArchiveSource(archive)
  const peers = await startRecordedPeers({ ...rules, source, count: 5, ...own })
  await source.close()
  onTestFinished(peers.close)
  return peers
}

const peerSource = (store: Store, options: Pick<PeerSourceOptions, 'beacons'> & Partial<PeerSourceOptions>) =>
  createPeerSource({ store, ...rules, ...options })

eachDatabase(({ open }) => {
  it('indexes a network from nothing but its genesis and five peers', async () => {
    const { beacons } = await startPeers()
    const store = await open()
    await index(store, peerSource(store, { beacons }))
    expect((await store.snapshot()).key).toBe('85.35.83')
    expect(await digest(store)).toBe(expected)
  })
})

it('reaches the same state if only one of five peers returns the right containers', async () => {
  const lies = [0, 0, 0, 0, 0]
  const { beacons } = await startPeers({
    lie: (peer, containers) => {
      lies[peer] = (lies[peer] ?? 0) + 1
      if (peer === 4) return lies[0] && lies[1] ? containers : []
      if (peer !== 1) return containers.toReversed()
      return containers.map((bytes) => bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte)))
    },
  })
  const store = await openStore()
  onTestFinished(() => store.close())
  const source = peerSource(store, { beacons })
  await index(store, source)
  expect(await digest(store)).toBe(expected)
  expect(await source.metrics?.metrics()).toMatch(
    /dropped_peers_total\{reason="(signature|wrong-container)"\} [1-9]/,
  )
})

it('continues with the blocks that were fetched before it was stopped', async () => {
  let left = 4
  const { beacons, answered } = await startPeers({
    lie: (_peer, containers) => (left-- > 0 ? containers.slice(0, 10) : []),
  })
  const store = await openStore()
  onTestFinished(() => store.close())
  const first = peerSource(store, { beacons })
  const stop = new AbortController()
  const indexer = createIndexer({ store, source: first, ...rules, once: true, pollMs: 20 })
  const run = indexer.run(stop.signal)
  await expect.poll(() => left).toBeLessThan(0)
  expect(indexer.status()).toMatchObject({ phase: 'starting', source: { phase: 'fetching' } })
  stop.abort()
  await run
  await first.close()
  const intervals = await Promise.all(CHAIN_ALIASES.map((chain) => FetchedBlocks.intervals(store, chain)))
  expect(intervals.flat().length).toBeGreaterThan(0)
  const [before, blocks] = [answered(), 85 + 35 + 83]
  left = Number.POSITIVE_INFINITY
  await index(store, peerSource(store, { beacons }))
  expect(await digest(store)).toBe(expected)
  expect(answered() - before).toBeLessThan(blocks)
})

it('follows the tip, and deletes blocks that were applied', async () => {
  const { beacons, setTip } = await startPeers()
  setTip((height) => (height === 85n ? 83n : height))
  const store = await openStore()
  onTestFinished(() => store.close())
  let now = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + now }
  const source = peerSource(store, { beacons, clock })
  const stop = new AbortController()
  const indexer = createIndexer({ store, source, ...rules, pollMs: 20 })
  const run = indexer.run(stop.signal)
  const heights = () => Object.values(indexer.status().chains ?? {}).map(({ height }) => Number(height))
  await expect.poll(heights).toEqual([83, 35, 83])
  expect(indexer.status()).toMatchObject({ source: { phase: 'following', peers: 5 } })
  now += 60_000
  setTip((height) => height)
  await expect.poll(heights).toEqual([85, 35, 83])
  expect(await FetchedBlocks.byHeight(store, 'P', 83n)).toBeUndefined()
  stop.abort()
  await run
  await source.close()
})

it('accepts nothing from less than half of the beacons', async () => {
  const { beacons, servers } = await startPeers()
  for (const server of servers.slice(2)) await server.close()
  const store = await openStore()
  onTestFinished(() => store.close())
  const source = peerSource(store, { beacons })
  const tip = source.tip('P')
  tip.catch(() => undefined)
  await expect.poll(() => source.progress?.()?.peers).toBe(2)
  expect(source.progress?.()).toMatchObject({ phase: 'bootstrapping', fetched: 0n })
  await source.close()
  await expect(tip).rejects.toThrow()
})

it('reports a block of a later upgrade, which needs a newer Firn', async () => {
  const unknown = Uint8Array.of(0, 0, 0, 0, 0, 99, ...new Uint8Array(60))
  const { beacons } = await startPeers({ newest: { P: unknown } })
  const store = await openStore()
  onTestFinished(() => store.close())
  const source = peerSource(store, { beacons })
  await Writer.open(store, rules.genesis, rules.constants)
  await expect(source.tip('P')).rejects.toMatchObject({
    code: 'INDEXER_UNSUPPORTED',
    message: expect.stringMatching(/Upgrade Firn\.$/),
  })
  expect(await source.tip('X')).toBe(35n)
  await source.close()
})

it('fills a database without the C-chain if that chain is not fetched', async () => {
  const { beacons } = await startPeers()
  const store = await openStore()
  onTestFinished(() => store.close())
  await index(store, peerSource(store, { beacons, chains: ['P', 'X'] }))
  expect(await digest(store)).toBe(await digest(await recordedStore('local', false)))
  expect((await store.network())?.followsCChain).toBe(false)
  const { signal } = new AbortController()
  expect(
    (await examine({ store, source: createArchiveSource(archive), replay: true }, signal)).findings,
  ).toEqual([])
  await expect(index(store, createArchiveSource(archive))).rejects.toMatchObject({ code: 'STORE_C_CHAIN' })
  const source = peerSource(store, { beacons, chains: ['P', 'X'] })
  expect(await source.tip('C')).toBeUndefined()
  expect(await source.blocks('C', 1n, 10)).toEqual([])
  expect(source.progress?.()).toBeUndefined()
  await source.close()
})

/** Returns the validators at a height, in a fixed order. */
const validatorsAt = async (store: Store, height: bigint) =>
  (await Validators.allAt(store, height))
    .map((validator) =>
      JSON.stringify(validator, (_name, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    .sort()

it('follows the P-chain alone, and has the same validators as with the other chains', async () => {
  const { beacons } = await startPeers()
  const store = await openStore()
  onTestFinished(() => store.close())
  await index(store, peerSource(store, { beacons, chains: ['P'] }))
  expect((await store.snapshot()).key).toBe('85.0.0')
  for (const height of [3n, 40n, 85n])
    expect(await validatorsAt(store, height)).toEqual(await validatorsAt(reference, height))
  const other = createIndexer({ store, source: createArchiveSource(archive), ...rules })
  const refused = other.run(new AbortController().signal)
  await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_[CX]_CHAIN$/) })
})

it('rejects an empty list of beacons', () => {
  const code = expect.objectContaining({ code: 'INDEXER_CONFIGURATION' })
  expect(() => createPeerSource({ store: undefined as never, ...rules, beacons: [] })).toThrow(code)
})

it('says what is wrong while no beacon accepts the connection', async () => {
  const { beacons } = await startPeers()
  const store = await openStore()
  onTestFinished(() => store.close())
  const timers = { ...Timers.SYSTEM, now: () => Date.now() + 300_000 }
  // The time passes faster, so that the test need not wait until the problem is reported.
  const clock: Clock = {
    now: () => 20 * systemClock.now(),
    sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
  }
  const warnings: string[] = []
  const log = { ...silentLogger, warn: (_facts: object, text: string) => void warnings.push(text) }
  const source = peerSource(store, { beacons, timers, clock, log })
  const indexer = createIndexer({ store, source, ...rules, log })
  const stop = new AbortController()
  const run = indexer.run(stop.signal)
  const problem = expect.stringMatching(/^Cannot sync .* 0 of 5 beacons .* (299|30\d) s ahead of theirs/)
  await expect.poll(() => indexer.status().problems).toEqual([problem])
  // A busy machine may not have learned the reason yet when it first warns.
  expect(warnings.at(-1)).toEqual(problem)
  stop.abort()
  await run
  await source.close()
})

it('reports the phase of a sync from peers', () => {
  const source = {
    phase: 'fetching',
    fetched: 1n,
    total: 2n,
    blocksPerSecond: 1,
    peers: 5,
    voters: { kind: 'beacons', count: 5, connected: 5 },
  } as const
  const status = {
    vertices: undefined,
    chains: undefined,
    blocksPerSecond: 0,
    secondsLeft: undefined,
    problems: [],
    warnings: [],
  }
  const phase = (own: Pick<IndexerStatus, 'phase' | 'source'>) => phaseOf({ ...status, ...own })
  expect(phase({ phase: 'starting', source })).toBe('fetching')
  expect(phase({ phase: 'starting', source: { ...source, phase: 'following' } })).toBe('applying')
  expect(phase({ phase: 'behind', source })).toBe('applying')
  expect(phase({ phase: 'tip', source })).toBe('following')
  expect(phase({ phase: 'tip' })).toBe('tip')
  const slow = { ...source, total: 11n, blocksPerSecond: 2 }
  const left = (phase: IndexerStatus['phase']) => paceOf({ ...status, phase, source: slow, secondsLeft: 7 })
  expect(left('starting')).toEqual({ blocksPerSecond: 2, secondsLeft: 5 })
  expect(left('behind')).toEqual({ blocksPerSecond: 0, secondsLeft: 7 })
  expect(health({ ...status, phase: 'starting', source })).toMatchObject({
    phase: 'fetching',
    fetched: '1/2',
  })
})

it("applies the X-chain's vertices of a custom network before its blocks", async () => {
  const { network } = await GeneratedNetwork.create({
    networkId: 7_777,
    blocks: 100,
    vertices: 60,
    seed: 'peers',
  })
  const devnet = await createRecordedDevnet({ network })
  onTestFinished(() => devnet.close())
  const store = await openStore()
  onTestFinished(() => store.close())
  const { ids, ips } = devnet.bootstrap
  const beacons = NetworkPeers.parseBeacons(ids.split(','), ips.split(','))
  const source = createPeerSource({ store, ...network.rules, beacons })
  const indexer = createIndexer({ store, source, ...network.rules, once: true, pollMs: 20 })
  await indexer.run(new AbortController().signal)
  await source.close()
  const { P, X } = await store.snapshot()
  expect([P.height, X.height]).toEqual([BigInt(devnet.heights.P), BigInt(devnet.heights.X)])
  expect((await Vertices.extent(store)).vertices).toBe(network.chains.X.vertices.size)
})
