import { isFirnError } from '@firn/codec'
import { EventAbi } from '@firn/evm'
import { type Clock, type Logger, pause, silentLogger, systemClock, withAttributes } from '@firn/runtime'
import type { Lease, LeaseOptions } from '@firn/store'
import {
  EventTables,
  type EvmChain,
  EvmRetention,
  type EvmStore,
  EvmTraceGaps,
  EvmWriter,
  type LogSelection,
  type Retention,
} from '@firn/store/evm'
import type { Registry } from 'prom-client'
import { IndexerError } from '../common/IndexerError.ts'
import { lead, ownLease } from '../common/Leadership.ts'
import { createBalanceChecker, MAX_BEHIND } from './background/BalanceChecker.ts'
import { readContinuously, readDue } from './background/ContractRereader.ts'
import { decodeNext, followEvents } from './background/EventFollower.ts'
import { buildIndexesWhenDue } from './background/IndexBuilder.ts'
import { pruneContinuously } from './background/Pruner.ts'
import { fillContinuously } from './background/TraceFiller.ts'
import { type ContractReader, createContractReader } from './contracts/ContractReader.ts'
import { createStanding, type EvmChainStatus } from './EvmChainStatus.ts'
import * as Follower from './EvmFollower.ts'
import { createEvmHead } from './EvmHead.ts'
import { assertSameChain, remedy } from './StoredChain.ts'
import { settleChain } from './settleChain.ts'
import * as EvmMetrics from './upstream/EvmMetrics.ts'
import { createEvmUpstream, isForeign, TRACE_TIMEOUT_MS } from './upstream/EvmUpstream.ts'
import { createEvmUpstreams, type EvmUpstreams } from './upstream/EvmUpstreams.ts'
import { createJsonRpc, type JsonRpcOptions } from './upstream/JsonRpc.ts'
import { withBackground } from './withBackground.ts'

/** Options of one EVM chain to index. */
export interface EvmChainOptions {
  /**
   * Store of the chain. `run` migrates it, and the caller closes it. The nodes must serve the store's chain
   * id.
   */
  readonly store: EvmStore
  /** Description of the chain. It takes precedence over the stored description. */
  readonly chain: Omit<EvmChain, 'chainId' | 'firstHeight' | 'hasTraces' | 'genesisHash' | 'isEventsOnly'>
  /**
   * Nodes of the chain, in order of preference. The indexer subscribes to new blocks of nodes with a `ws:`
   * URL.
   */
  readonly upstreams: readonly JsonRpcOptions[]
  /** Height of the first block to store if the database is empty; default 0. */
  readonly firstHeight?: bigint
  /**
   * Whether to store blocks with traces if the database is empty. By default, traces are stored if the nodes
   * serve them.
   */
  readonly withTraces?: boolean
  /** Whether to store the logs of new blocks; default true. */
  readonly withLogs?: boolean | undefined
  /** Whether to compare token balances with the contracts' answers; true by default. */
  readonly checksBalances?: boolean | undefined
  /** Events to decode into tables of their own; none by default. They require stored logs. */
  readonly events?: readonly EventTables.EventSource[] | undefined
  /**
   * Whether only headers and the logs of `events` are fetched and stored; false by default. Such a chain has no
   * transactions, transfers, contracts, balances and metrics.
   */
  readonly isEventsOnly?: boolean | undefined
  /**
   * Whether an empty database is filled without the indexes that only requests need; false by default. They are built
   * when the stored blocks are near the head, or at the next start without this option. Until then, the chain is not
   * served.
   */
  readonly buildsIndexesLater?: boolean | undefined
  /** For each kind of data, the number of seconds for which it is kept; forever by default. */
  readonly keep?: Retention | undefined
}

/** Options of {@link createEvmIndexer}. */
export interface EvmIndexerOptions {
  readonly chains: readonly EvmChainOptions[]
  /** Whether to stop at the heads instead of waiting for more blocks. */
  readonly once?: boolean
  /**
   * Interval at which a node without subscriptions is polled for its newest block, in milliseconds; default
   * 250.
   */
  readonly pollMs?: number | undefined
  /** Maximum number of blocks written in one database transaction; default 512. */
  readonly batchBlocks?: number
  /** Maximum number of blocks that a reorg may remove; default 64. A deeper reorg is an error. */
  readonly maxReorgDepth?: number
  /** Memory limit in bytes for blocks of one chain that are fetched ahead of the writer; default 12 MiB. */
  readonly windowBytes?: number
  /** Maximum number of concurrent requests to a node; default 8. */
  readonly concurrency?: number
  /** Maximum number of calls in one request; default 64. */
  readonly maxBatch?: number
  /** Maximum pause after consecutive failures, in milliseconds; default 5,000. */
  readonly longestPauseMs?: number
  /**
   * Maximum time in milliseconds that a node may take for the traces of a block; default 240,000. The time limit starts
   * at 15,000 and grows up to it while a node is too slow. A block whose traces no node returns in time is stored without
   * its internal calls, which are added later.
   */
  readonly traceTimeoutMs?: number | undefined
  /** Options of the database leases, one for each chain. By default, the owner's name is unique to the process. */
  readonly lease?: LeaseOptions
  readonly clock?: Clock
  /** Returns random numbers, uniform in [0, 1), for the jitter of pauses. */
  readonly random?: () => number
  readonly log?: Logger
  /** Records the fetching and the storing of blocks; by default nothing. */
  readonly tracer?: Follower.FollowOptions['tracer']
  /** Registry of the metrics; by default a new one. */
  readonly registry?: Registry
}

/** Indexes EVM chains. Each chain is stored in its own database schema. */
export interface EvmIndexer {
  /**
   * Indexes until the signal is aborted or, with `once`, the heads are reached. Finishes the current batches
   * before it returns. Stands by while another process writes a chain. While the nodes have a different chain than the
   * stored one, the chain is not served, and its status describes the remedy. Any other error ends only the chain's
   * current attempt: it is logged, its status describes it, and the chain is tried again with a back-off. With `once`,
   * both are errors, which are thrown after all chains have ended.
   * @throws IndexerError `INDEXER_CHAIN`, `INDEXER_TRACES`, `INDEXER_RESET`, `INDEXER_REORGANISATION`;
   * StoreError; only with `once`
   */
  run(signal: AbortSignal): Promise<void>
  status(): readonly EvmChainStatus[]
  /**
   * Returns the contract reader of a chain, for use by other modules. Returns undefined if the chain is not
   * indexed.
   */
  contracts(chainId: bigint): ContractReader | undefined
  readonly metrics: Registry
}

const MAX_REORG_DEPTH = 64
/** Number of newest blocks that are never pruned, because balances that changed in them may not be checked yet. */
const MIN_KEPT_BLOCKS = MAX_BEHIND
/** A halted chain is retried with the back-off that applies after this many consecutive failures. */
const HALTED_FAILURES = 6
/** The pauses between attempts do not grow after this many consecutive failures. */
const MOST_FAILURES = 7
/**
 * Codes of database errors that a retry can resolve. `STORE_READ_ONLY` is one of them, because a PostgreSQL
 * standby accepts writes once it is promoted.
 */
const PASSING = ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_CURSOR', 'STORE_READ_ONLY']

/** Creates an indexer. It starts when `run` is called. @throws IndexerError `INDEXER_CONFIGURATION` */
export function createEvmIndexer(options: EvmIndexerOptions): EvmIndexer {
  const metrics = EvmMetrics.create(options.registry)
  const chains = options.chains.map((chain) => createChain(options, chain, metrics))
  return {
    async run(signal) {
      const ended = await Promise.allSettled(chains.map(({ run }) => run(signal)))
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
    status: () => chains.map(({ status }) => status()),
    contracts: (chainId) => chains.find((chain) => chain.chainId === chainId)?.contracts,
    metrics: metrics.registry,
  }
}

function createChain(options: EvmIndexerOptions, chain: EvmChainOptions, metrics: EvmMetrics.EvmMetrics) {
  const { clock = systemClock, random = Math.random, log = silentLogger, longestPauseMs = 5_000 } = options
  const { store } = chain
  const { chainId } = store
  const labels = { chain: `${chainId}` }
  const timing = { clock, random }
  const upstreams = openUpstreams(options, chain, metrics)
  const { members } = upstreams
  const { isEventsOnly = false } = chain
  const selection = isEventsOnly ? selectionOf(chain) : undefined
  const head = createEvmHead({ upstreams: members, pollMs: options.pollMs ?? 250, log, ...timing })
  if (selection !== undefined) {
    const depth = BigInt(options.maxReorgDepth ?? MAX_REORG_DEPTH)
    upstreams.setLogs({ selection, lastFinal: () => (head.best()?.height ?? 0n) - depth })
  }
  const contracts = createContractReader({ upstreams, longestPauseMs, ...timing })
  const checker = createBalanceChecker({
    store,
    upstreams,
    head: () => head.best()?.height,
    ...timing,
    log,
    onChecked({ balances, differing }) {
      metrics.checkedBalances.inc(labels, balances)
      for (const one of differing) metrics.differing.inc({ ...labels, class: one.class })
      standing.measure()
    },
  })
  const checkedHeight = () => checker.height()
  const standing = createStanding({ chainId, head, upstreams, checkedHeight, metrics, clock, log })
  const { problems, pace } = standing
  /** Reason why the chain is not served; undefined if the chain is served. */
  let halted: string | undefined
  const onStandby = async () => {
    halted = undefined
    problems.clearAll()
    await readStanding()
  }
  const onGaps = (gaps: EvmTraceGaps.Gaps | undefined) => {
    standing.gaps = gaps
    upstreams.setGaps(gaps !== undefined)
    standing.measure()
  }
  /** Reads the stored position of a chain that another process writes. */
  const readStanding = async () => {
    standing.activity = 'standby'
    try {
      standing.cursor = await store.snapshot()
      standing.hasTraces = (await store.chain())?.hasTraces ?? false
      onGaps(await EvmTraceGaps.summary(store))
    } catch (error) {
      if (!isFirnError(error)) throw error
      if (error.code === 'STORE_HALTED') problems.set('chain', error.message)
      else if (!['STORE_EMPTY', 'STORE_UNINDEXED'].includes(error.code)) throw error
    }
    standing.measure()
  }
  const leading = { store, lease: options.lease ?? ownLease(), clock, log, facts: labels, onStandby }
  const attempt = async (lease: Lease, signal: AbortSignal) => {
    if (halted === undefined) standing.activity = 'starting'
    const settled = await settleChain(chain, upstreams, problems, timing, signal)
    const writer = await EvmWriter.open(store, settled, {
      lease,
      logs: chain.withLogs,
      selection,
      defersIndexes: chain.buildsIndexesLater,
    })
    standing.missingIndexes = () => writer.missingIndexes
    standing.hasTraces = settled.hasTraces
    onGaps(await EvmTraceGaps.summary(store))
    await writer.resume()
    problems.clear('store')
    problems.clear('chain')
    halted = undefined
    const { firstHeight } = (await store.chain()) as EvmChain
    standing.activity = 'following'
    standing.cursor = writer.cursor
    log.info({ ...labels, height: `${writer.cursor?.height ?? 'none'}` }, `following chain ${chainId}`)
    standing.measure()
    const checksBalances = !isEventsOnly && (chain.checksBalances ?? true)
    const tables = chain.events === undefined ? [] : await EventTables.create(store, chain.events)
    const follow = (following: AbortSignal) =>
      Follower.follow(
        {
          upstreams,
          head,
          contracts,
          sink: writer,
          firstHeight,
          maxReorgDepth: options.maxReorgDepth ?? MAX_REORG_DEPTH,
          once: options.once ?? false,
          batchBlocks: options.batchBlocks ?? 512,
          windowBytes: options.windowBytes ?? 12 << 20,
          groups: options.concurrency ?? 8,
          allowsFuture: chain.chain.network === 'local',
          traceRetryMs: options.traceTimeoutMs,
          ...timing,
          log,
          tracer: options.tracer && withAttributes(options.tracer, { 'evm.chain_id': String(chainId) }),
          problems,
          onCommit(blocks, at) {
            standing.cursor = writer.cursor
            problems.clear('failed')
            metrics.commits.inc(labels)
            metrics.blocks.inc(labels, blocks.length)
            if (at !== undefined) metrics.latency.observe(labels, (clock.now() - at.at) / 1000)
            pace.count(blocks.length)
            standing.measure()
          },
          onUndo(_height, blocks) {
            standing.cursor = writer.cursor
            metrics.reorganisations.inc(labels)
            metrics.undone.inc(labels, blocks)
            standing.measure()
          },
        },
        following,
      )
    const depth = BigInt(options.maxReorgDepth ?? MAX_REORG_DEPTH) + MIN_KEPT_BLOCKS
    const retention = { keep: chain.keep ?? {}, depth, eventTables: tables }
    const rereading = { store, writer, contracts }
    const onPruned = async () => {
      for (const { kind, bytes } of await EvmRetention.sizes(store))
        metrics.diskBytes.set({ ...labels, kind }, Number(bytes))
    }
    const isNear = () => {
      const best = head.best()?.height
      const { cursor } = writer
      return best !== undefined && cursor !== undefined && best - cursor.height <= depth
    }
    const report = (name: string) => (problem: string | undefined) =>
      problem === undefined ? problems.clear(name) : problems.set(name, problem)
    const isDue = () => chain.buildsIndexesLater !== true || isNear()
    if (options.once) {
      await follow(signal)
      await writer.buildIndexes(signal)
      while (!signal.aborted && (await decodeNext(store, tables)));
      if (checksBalances) await checker.catchUp(writer, signal)
      while (!signal.aborted && (await readDue(rereading, signal)));
      while (!signal.aborted && (await writer.refreshDigests()));
      while (!signal.aborted && (await writer.prune(retention)));
      return
    }
    const background = async (aborted: AbortSignal) => {
      const reading = async () => {
        await buildIndexesWhenDue(
          { chainId, writer, isDue, onBuilt: standing.measure, ...timing, log, report: report('indexes') },
          aborted,
        )
        standing.measure()
        await Promise.all([
          checksBalances ? checker.run(writer, aborted) : undefined,
          followEvents({ store, tables, ...timing, log, report: report('events') }, aborted),
          readContinuously({ ...rereading, head: () => head.best()?.height, ...timing, log }, aborted),
        ])
      }
      const removing = { writer, ...retention, onPruned, ...timing, log, report: report('pruning') }
      const pruning = pruneContinuously(removing, aborted)
      const { traceTimeoutMs = TRACE_TIMEOUT_MS } = options
      const filling = { ...rereading, upstreams, traceTimeoutMs, onGaps, ...timing, log }
      const filled = settled.hasTraces ? fillContinuously(filling, aborted) : undefined
      await Promise.all([pruning, filled, reading()])
    }
    await withBackground(follow, background, signal)
  }
  const run = async (signal: AbortSignal) => {
    const ended = new AbortController()
    const either = AbortSignal.any([signal, ended.signal])
    const watching = head.watch(either)
    try {
      await persist(either)
      standing.activity = 'stopped'
    } catch (error) {
      standing.activity = 'stopped'
      if (signal.aborted && !isFirnError(error)) return
      fail(error)
      throw error
    } finally {
      ended.abort()
      await watching
      upstreams.close()
    }
  }
  /** Reports an error that ended an attempt to index the chain. */
  const fail = (error: unknown) => {
    standing.activity = 'failed'
    const message = error instanceof Error ? error.message : String(error)
    const code = isFirnError(error) ? error.code : 'UNEXPECTED'
    const isKnown = problems.list().includes(message)
    problems.set('failed', message)
    metrics.failures.inc({ ...labels, code })
    // A known error is not repeated in the log at each attempt.
    const facts = { ...labels, code, ...(isFirnError(error) ? {} : { err: error }) }
    if (!isKnown) log.error(facts, `indexing of chain ${chainId} failed, and is tried again: ${message}`)
  }
  /** Stops serving a chain whose nodes no longer have the stored blocks. */
  const halt = async (error: IndexerError, lease: Lease) => {
    const reason = error.message.includes('--reset') ? error.message : `${error.message}. ${remedy(chainId)}`
    problems.set('chain', reason)
    standing.activity = 'halted'
    if (halted === reason) return
    log.error({ ...labels, code: error.code }, `stopped serving chain ${chainId}: ${reason}`)
    const stored = await store.chain()
    if (stored !== undefined)
      await (await EvmWriter.open(store, stored, { lease, logs: chain.withLogs, selection })).halt(reason)
    halted = reason
  }
  /**
   * Indexes the chain until the signal is aborted. Stops serving it if the nodes no longer have the stored blocks.
   */
  const attemptOrHalt = async (lease: Lease, signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        return await attempt(lease, signal)
      } catch (error) {
        if (!isReplaced(error)) throw error
        await halt(error, lease)
        if (options.once) throw error
        await pause(HALTED_FAILURES, timing, signal)
      }
    }
  }
  /** Follows the chain. Starts again after failures; with `once`, only after transient ones of the database. */
  const persist = async (signal: AbortSignal) => {
    for (let failures = 0; !signal.aborted; ) {
      const before = standing.cursor?.height
      try {
        await store.migrate()
        return await lead(leading, attemptOrHalt, signal)
      } catch (error) {
        failures = standing.cursor?.height === before ? failures + 1 : 1
        if (!isPassing(error)) {
          if (options.once || (signal.aborted && !isFirnError(error))) throw error
          fail(error)
          await pause(Math.min(failures, MOST_FAILURES), timing, signal)
          continue
        }
        metrics.storeFaults.inc({ ...labels, code: error.code })
        const isKnown = failures > 1 && problems.list().includes(error.message)
        problems.set('store', error.message)
        const facts = { ...labels, code: error.code, failures }
        if (!isKnown) log.error(facts, `database error: ${error.message}`)
        if (error.code === 'STORE_READ_ONLY') {
          // Ignores a failure. If the database is unavailable, the next attempt reports it.
          await readStanding().catch((failure: unknown) => {
            if (!isPassing(failure)) throw failure
          })
        }
        await pause(Math.min(failures, 5), timing, signal)
      }
    }
  }
  const { status } = standing
  return { chainId, run, status, contracts }
}

/** @throws IndexerError `INDEXER_CONFIGURATION` if there are no events */
function selectionOf({ store, events = [] }: EvmChainOptions): LogSelection {
  if (events.length === 0) {
    const message = `Only the events of chain ${store.chainId} are stored, but no events are given.`
    throw new IndexerError('INDEXER_CONFIGURATION', message)
  }
  return events.flatMap(({ event, addresses }) =>
    (addresses.length === 0 ? [undefined] : addresses).map((address) => ({
      topic0: EventAbi.topic(event),
      address,
    })),
  )
}

/**
 * Returns whether the error means that the nodes have a different chain with the same id as the stored one.
 */
function isReplaced(error: unknown): error is IndexerError {
  return isForeign(error) && error.code !== 'INDEXER_CHAIN'
}

function openUpstreams(
  options: EvmIndexerOptions,
  { store, upstreams, firstHeight = 0n }: EvmChainOptions,
  metrics: EvmMetrics.EvmMetrics,
): EvmUpstreams {
  const {
    clock = systemClock,
    random = Math.random,
    log = silentLogger,
    maxReorgDepth = MAX_REORG_DEPTH,
  } = options
  const members = upstreams.map((one) =>
    createEvmUpstream({
      rpc: createJsonRpc({ ...one, observe: metrics.observe }),
      chainId: store.chainId,
      firstHeight,
      concurrency: options.concurrency ?? 8,
      maxBatch: options.maxBatch ?? 64,
      longestPauseMs: options.longestPauseMs ?? 5_000,
      timeoutMs: one.timeoutMs,
      traceTimeoutMs: options.traceTimeoutMs,
      clock,
      random,
      log,
      metrics,
      assertSameChain: (ask, name) => assertSameChain(ask, name, { store, maxReorgDepth }),
    }),
  )
  return createEvmUpstreams({ members, clock, random })
}

function isPassing(error: unknown): error is Error & { readonly code: string } {
  return isFirnError(error) && PASSING.includes(error.code)
}
