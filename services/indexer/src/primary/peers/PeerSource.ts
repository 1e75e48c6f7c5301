import { CHAIN_ALIASES, type ChainAlias, NodeId } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { LedgerState } from '@firn/ledger'
import type { Identity, Timers } from '@firn/p2p'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import { Blocks, FetchedBlocks, FetchedVertices, type Store } from '@firn/store'
import { createBudget, createPeerRanking, type DropReason, Options, type Tip } from '@firn/sync'
import { Counter, Gauge, Registry } from 'prom-client'
import { IndexerError } from '../../common/IndexerError.ts'
import { createPulse, type Pulse } from '../../common/Pulse.ts'
import { firstEvmBlock } from '../firstEvmBlock.ts'
import type { Source, SourceProgress } from '../Source.ts'
import { type ChainSync, startSync } from './ChainSync.ts'
import { type ConnectionWatch, watchConnections } from './ConnectionWatch.ts'
import { type Beacon, createDialler, type Dialler } from './createDialler.ts'
import { createSignatureCheck, type SignatureCheck } from './createSignatureCheck.ts'
import { createVoters, type PeerVoters } from './PeerVoters.ts'
import { pushTransactions } from './pushTransactions.ts'
import { createBlockStore, createVertexStore } from './stores.ts'
import { startVertexSync, type VertexSync } from './VertexSync.ts'

export type { Beacon } from './createDialler.ts'

/** Options of {@link createPeerSource}. */
export interface PeerSourceOptions {
  /** Store that the indexer writes to. Fetched blocks wait there until the indexer has applied them. */
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Nodes that are asked first, at least one. More than half of them decide which blocks are accepted. */
  readonly beacons: readonly Beacon[]
  /** Ids of containers that are known to be accepted, so that blocks are fetched from all of them at once. */
  readonly checkpoints?: Readonly<Record<ChainAlias, readonly Uint8Array[]>>
  /** The chains to fetch, among them the P-chain; all by default. See `Source.chains`. */
  readonly chains?: readonly ChainAlias[]
  /** Identity of this side; by default a new one. */
  readonly identity?: Identity.Identity
  /** Whether to check the signatures of proposers; true by default. */
  readonly checkSignatures?: boolean
  readonly clock?: Clock
  /** Clocks and timers of the connections. */
  readonly timers?: Timers.Timers
  readonly random?: () => number
  readonly log?: Logger
}

/** Minimum time in milliseconds between two deletions of applied blocks. */
const CLEAN_MS = 5_000
/** Number of deleted blocks after which their space is reclaimed. */
const RECLAIM_AFTER = 20_000n

/**
 * Creates a source that fetches the chains from the peers of the network. It starts with the first call of `tip`, which
 * waits until all blocks up to the accepted tip are in the store. Its blocks have the ids that a majority of the
 * validators, or of the beacons at first, has accepted. After a kill, it continues with the blocks in the store.
 */
export function createPeerSource(options: PeerSourceOptions): Source {
  const { store, chains = CHAIN_ALIASES, clock = systemClock, log = silentLogger } = options
  if (options.beacons.length === 0)
    throw new IndexerError('INDEXER_CONFIGURATION', 'expected at least one beacon, got an empty list')
  const metrics = createMetrics(chains)
  const pulse = createPulse()
  let running: Running | undefined
  const start = () => {
    running ??= startAll({ ...options, chains, clock, log }, metrics, pulse)
    return running
  }
  let cleanedAt = clock.now()
  const applied = new Map<ChainAlias, bigint>()
  let deleted = 0n
  // Vertices of an earlier process can be left, so they are deleted once in any case.
  let areVerticesDeleted = false
  const deleteApplied = async () => {
    if (clock.now() - cleanedAt < CLEAN_MS) return
    cleanedAt = clock.now()
    const at = await store.snapshot()
    for (const chain of chains) {
      const [before, { height }] = [applied.get(chain), at[chain]]
      if (before === height) continue
      await FetchedBlocks.remove(store, chain, { from: 0n, to: height })
      deleted += height - (before ?? 0n)
      applied.set(chain, height)
    }
    if (!areVerticesDeleted && at.X.height > 0n) {
      await FetchedVertices.clear(store)
      areVerticesDeleted = true
    }
    if (deleted < RECLAIM_AFTER) return
    await FetchedBlocks.reclaim(store)
    deleted = 0n
  }
  return {
    name: `${options.beacons.length} beacons`,
    isFixed: false,
    isVerified: true,
    changes: pulse,
    chains,
    metrics: metrics.registry,
    async tip(chain, signal) {
      if (!chains.includes(chain)) return undefined
      return start().syncs.get(chain)?.tip(signal)
    },
    async blocks(chain, from, limit, signal) {
      if (!chains.includes(chain)) return []
      const tip = await start().syncs.get(chain)?.tip(signal)
      if (tip === undefined || from > tip) return []
      await deleteApplied()
      const most = Math.min(limit, Number(tip - from) + 1)
      const found = await FetchedBlocks.range(store, chain, from, most)
      return found.map(({ id, bytes }) => ({ kind: 'container', id, bytes, origin: 'peers' }))
    },
    async vertices(after, limit) {
      const { fetchVertices } = start()
      if (!chains.includes('X') || !fetchVertices().isDone()) return []
      const found = await FetchedVertices.page(store, after, limit)
      return found.map(({ bytes }) => ({ bytes, origin: 'peers' }))
    },
    refuse: () => undefined,
    peers: () => running?.dialler.peers() ?? [],
    push: (chain, transactions) => running?.push(chain, transactions) ?? 0,
    progress: () => running && progressOf(running),
    problems: () => [running?.watch.problem()].filter((text) => text !== undefined),
    async close() {
      if (running === undefined) return
      const { syncs, signatures, voters, dialler, watch } = running
      await Promise.all([...syncs.values()].map((sync) => sync.close()))
      await running.closeVertices()
      await signatures.close()
      await Promise.all([watch.close(), voters.close()])
      await dialler.close()
    },
  }
}

interface Running {
  readonly push: (chain: ChainAlias, transactions: readonly Uint8Array[]) => number
  readonly dialler: Dialler
  readonly voters: PeerVoters
  readonly watch: ConnectionWatch
  readonly syncs: ReadonlyMap<ChainAlias, ChainSync>
  readonly signatures: SignatureCheck
  /** Returns the number of fetched vertices; undefined unless they are being fetched. */
  readonly vertices: () => bigint | undefined
  /** Starts to fetch the X-chain's vertices, unless that was started before. */
  readonly fetchVertices: () => VertexSync
  readonly closeVertices: () => Promise<void>
}

type Started = PeerSourceOptions & Required<Pick<PeerSourceOptions, 'chains' | 'clock' | 'log'>>

function startAll(options: Started, metrics: Metrics, pulse: Pulse): Running {
  const { store, genesis, constants, beacons, checkpoints, chains, clock, log } = options
  const { checkSignatures = true, random = Math.random } = options
  const { chainIds } = LedgerState.rulesOf(genesis, constants)
  const signatures = createSignatureCheck(clock, log)
  const { identity, timers } = options
  const dialler = createDialler({ networkId: genesis.networkId, beacons, identity, timers })
  const syncs = new Map<ChainAlias, ChainSync>()
  const voters = createVoters({
    store,
    beacons: beacons.map(({ nodeId }) => nodeId),
    acceptedHeight: () => syncs.get('P')?.height(),
    connected: () => dialler.connected(),
    track: (nodeIds) => dialler.track(nodeIds),
    clock,
    log,
  })
  const watch = watchConnections({ dialler, voters, clock, log })
  const shared = {
    transport: dialler,
    voters: () => voters.current(),
    ranking: createPeerRanking({ clock, random }),
    budget: createBudget(clock, Options.defaults.requestsPerSecond),
    clock,
    random,
    log,
  }
  const reports = (chain: ChainAlias) => ({
    onDropped(nodeId: Uint8Array, reason: DropReason) {
      metrics.dropped.inc({ reason })
      log.warn({ chain, nodeId: NodeId.format(nodeId), reason }, 'dropped a peer')
    },
  })
  for (const chain of chains) {
    const sync = startSync({
      ...shared,
      chain,
      chainId: chainIds[chain],
      store: createBlockStore(store, chain),
      root: () => rootOf(options, chain),
      checkpoints: (checkpoints?.[chain] ?? []).map((id) => ({ id })),
      verify: (blocks) =>
        checkSignatures ? signatures.verify(chainIds[chain], blocks) : blocks.map(() => true),
      ...reports(chain),
      onTip: pulse.beat,
      onConflict: (_id, height) =>
        log.warn({ chain, height: `${height}` }, 'discarded fetched blocks that are not accepted'),
    })
    syncs.set(chain, sync)
  }
  let vertices: VertexSync | undefined
  const fetchVertices = () => {
    vertices ??= startVertexSync({
      ...shared,
      chainId: chainIds.X,
      stopVertexId: constants.upgrades.cortinaXChainStopVertexId,
      store: createVertexStore(store),
      ...reports('X'),
    })
    return vertices
  }
  const running: Running = {
    push: (chain, transactions) =>
      pushTransactions({ dialler, voters, chain, chainId: chainIds[chain], transactions, random }),
    dialler,
    voters,
    watch,
    syncs,
    signatures,
    fetchVertices,
    vertices: () => vertices?.progress()?.stored,
    closeVertices: async () => vertices?.close(),
  }
  metrics.observe(running)
  return running
}

/** Returns the last applied block of a chain, by the id of its container. */
async function rootOf({ store, genesis, constants }: Started, chain: ChainAlias): Promise<Tip> {
  const { height, blockId } = (await store.snapshot())[chain]
  // The parent of the first container is block 0, and block 0 has no container.
  if (height === 0n) return { height, id: chain === 'C' ? firstEvmBlock(genesis, constants) : blockId }
  const ids = await Blocks.idsAt(store, chain, height)
  if (ids?.containerId) return { height, id: ids.containerId }
  throw new IndexerError(
    'INDEXER_CONFIGURATION',
    `The database has ${chain}-chain block ${height} without its container, so peers cannot continue it. Use --upstream, or index again into an empty database.`,
  )
}

const PHASES = {
  connecting: 'bootstrapping',
  voting: 'bootstrapping',
  fetching: 'fetching',
  vertices: 'fetching',
  following: 'following',
} as const

function progressOf({ dialler, watch, syncs, vertices }: Running): SourceProgress {
  const all = [...syncs.values()].map((sync) => {
    const { phase, stored = 0n, tip = 0n, perSecond = 0 } = sync.progress() ?? {}
    const height = sync.height()
    if (height !== undefined) return { phase: 'following', fetched: height, total: height, perSecond: 0 }
    return { phase: PHASES[phase ?? 'connecting'], fetched: stored, total: tip, perSecond }
  })
  const sum = (of: (one: (typeof all)[number]) => bigint) => all.reduce((total, one) => total + of(one), 0n)
  const isIn = (phase: SourceProgress['phase']) => all.some((one) => one.phase === phase)
  const { voters, count, connected } = watch.connections()
  return {
    phase: isIn('fetching') ? 'fetching' : isIn('bootstrapping') ? 'bootstrapping' : 'following',
    fetched: sum(({ fetched }) => fetched),
    total: sum(({ total }) => total),
    blocksPerSecond: all.reduce((total, { perSecond }) => total + perSecond, 0),
    peers: [...dialler.connected()].length,
    voters: { kind: voters, count, connected },
    vertices: vertices(),
  }
}

interface Metrics {
  readonly registry: Registry
  readonly dropped: Counter<'reason'>
  observe(running: Running): void
}

function createMetrics(chains: readonly ChainAlias[]): Metrics {
  const registry = new Registry()
  const registers = [registry]
  let running: Running | undefined
  new Gauge({
    name: 'firn_indexer_peers',
    help: 'Number of connected peers.',
    registers,
    collect() {
      this.set(running === undefined ? 0 : [...running.dialler.connected()].length)
    },
  })
  new Gauge({
    name: 'firn_indexer_fetched_blocks',
    help: 'Number of blocks that were fetched from peers in the current sync.',
    labelNames: ['chain'],
    registers,
    collect() {
      for (const chain of chains)
        this.set({ chain }, Number(running?.syncs.get(chain)?.progress()?.stored ?? 0n))
    },
  })
  new Gauge({
    name: 'firn_indexer_accepted_height',
    help: 'Height of the last block that the validators have accepted.',
    labelNames: ['chain'],
    registers,
    collect() {
      for (const chain of chains) {
        const sync = running?.syncs.get(chain)
        const height = sync?.height() ?? sync?.progress()?.tip
        if (height !== undefined) this.set({ chain }, Number(height))
      }
    },
  })
  new Gauge({
    name: 'firn_indexer_fetched_vertices',
    help: 'Number of vertices of the X-chain that were fetched from peers.',
    registers,
    collect() {
      this.set(Number(running?.vertices() ?? 0n))
    },
  })
  new Gauge({
    name: 'firn_indexer_connected_weight',
    help: 'Share of the weight of the beacons, or of the validators, that is connected, from 0 to 1.',
    registers,
    collect() {
      const { totalWeight = 0n, connectedWeight = 0n } = running?.watch.connections() ?? {}
      this.set(totalWeight === 0n ? 0 : Number((connectedWeight * 10_000n) / totalWeight) / 10_000)
    },
  })
  const dropped = new Counter({
    name: 'firn_indexer_dropped_peers_total',
    help: 'Number of times that a peer was dropped for a wrong answer, by reason.',
    labelNames: ['reason'],
    registers,
  })
  return {
    registry,
    dropped,
    observe(started) {
      running = started
    },
  }
}
