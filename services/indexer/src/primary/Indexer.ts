import { CHAIN_ALIASES, type ChainAlias, isFirnError } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import type { LedgerState } from '@firn/ledger'
import * as Verify from '@firn/ledger/Verify'
import { type Clock, type Logger, pause, silentLogger, systemClock } from '@firn/runtime'
import type { Lease, LeaseOptions } from '@firn/sql'
import { type Store, Writer } from '@firn/store'
import { Registry } from 'prom-client'
import { IndexerError } from '../common/IndexerError.ts'
import { lead, ownLease } from '../common/Leadership.ts'
import { createPace, FAR, type Pace } from '../common/Pace.ts'
import * as Problems from '../common/Problems.ts'
import { deriveOldBlocks } from './deriveOldBlocks.ts'
import { isEnding, isPassing } from './Endings.ts'
import * as Follower from './Follower.ts'
import { type FollowOptions, type Progress, readHeights } from './FollowOptions.ts'
import * as Metrics from './Metrics.ts'
import { paceOf, phaseOf } from './Phase.ts'
import type { Sink } from './Sink.ts'
import { type Source, chainsOf as sourceChains } from './Source.ts'
import type { ChainStatus, IndexerStatus, VertexStatus } from './Status.ts'
import { createStopwatch } from './Stopwatch.ts'

/** Options of {@link createIndexer}. */
export interface IndexerOptions {
  /**
   * Store that the indexer writes to. Its schema must already be migrated. The caller closes the store, not the
   * indexer.
   */
  readonly store: Store
  /** Source of the blocks. The caller closes it, not the indexer. */
  readonly source: Source
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /**
   * Whether to stop at the tip and not wait for more blocks. With a fixed source, the indexer always stops at
   * the tip.
   */
  readonly once?: boolean
  /** Polling interval at the tip; default 500 ms. */
  readonly pollMs?: number | undefined
  /** Maximum number of blocks, or of vertices, written in one database transaction; default 512. */
  readonly batchBlocks?: number
  /**
   * Whether to check the signatures of proposers. By default they are checked for every source that is not
   * fixed. They are not checked again if the source has checked them.
   */
  readonly checkSignatures?: boolean
  /** Options of the database lease. By default, the owner's name is unique to the process. */
  readonly lease?: LeaseOptions
  readonly clock?: Clock
  /** Returns random numbers, uniform in [0, 1), for the jitter of pauses. */
  readonly random?: () => number
  readonly log?: Logger
}

/** Indexes the blocks of a source into a store. */
export interface Indexer {
  /**
   * Indexes until the signal is aborted or, with `once`, the tip is reached. Finishes the current batch
   * before it returns. Stands by while another process writes to the database.
   * All other errors are retried after a growing pause, and shown in `problems`.
   * @throws before the source was followed once, IndexerError `INDEXER_CONFIGURATION`, or StoreError if the database
   * belongs to another network or was filled with other chains than the source has; with `once` or a fixed source, also
   * IndexerError `INDEXER_ARCHIVE`, `INDEXER_BLOCK`, `INDEXER_NO_RAW_BLOCKS`, and unexpected errors
   */
  run(signal: AbortSignal): Promise<void>
  status(): IndexerStatus
  /** Returns the current problems that concern a chain. */
  problemsOf(chain: ChainAlias): readonly string[]
  /**
   * Checks a signed transaction that is to be issued against the state after the last block. Returns undefined for a
   * valid one.
   * @throws IndexerError `INDEXER_STANDBY` if this process does not index now; StoreError
   */
  verify(chain: ChainAlias, bytes: Uint8Array): Promise<Verify.Refusal | undefined>
  readonly metrics: Registry
}

/** The pauses do not grow after this many consecutive failures. */
const MOST_FAILURES = 8

type Run = Omit<FollowOptions, 'vertices'> & {
  readonly pace: Pace
  phase: IndexerStatus['phase']
  /** The writer and the state of the current attempt; undefined while this process does not index. */
  current: { readonly writer: Writer; readonly state: LedgerState.LedgerState } | undefined
  chains: Record<ChainAlias, ChainStatus> | undefined
  vertices: VertexStatus | undefined
  hasFollowed: boolean
  hasReachedTip: boolean
}

/** Creates an indexer. It starts when `run` is called. */
export function createIndexer(options: IndexerOptions): Indexer {
  const { source } = options
  const run = createRun(options)
  const { metrics, problems } = run
  Metrics.observe(metrics, () => {
    const now = status(run)
    return { phase: phaseOf(now), ...paceOf(now) }
  })
  return {
    run: (signal) => persist(run, options.lease ?? ownLease(), signal),
    verify: (chain, bytes) => verify(run, chain, bytes),
    status: () => status(run),
    problemsOf: (chain) => [...problems.listOf(chain), ...(source.problems?.() ?? [])],
    metrics: Registry.merge([metrics.registry, ...(source.metrics === undefined ? [] : [source.metrics])]),
  }
}

function createRun(options: IndexerOptions): Run {
  const { source, clock = systemClock, random = Math.random, log = silentLogger } = options
  const metrics = Metrics.create()
  const run: Run = {
    ...{ ...options, clock, random, log, metrics, problems: Problems.create(), pace: createPace(clock) },
    once: source.isFixed || (options.once ?? false),
    pollMs: options.pollMs ?? 500,
    batchBlocks: options.batchBlocks ?? 512,
    checkSignatures: source.isVerified !== true && (options.checkSignatures ?? !source.isFixed),
    stopwatch: createStopwatch(clock, metrics),
    onProgress: (progress) => record(run, progress),
    ...{ phase: 'starting', current: undefined, chains: undefined, vertices: undefined },
    ...{ hasFollowed: false, hasReachedTip: false },
  }
  return run
}

/** Indexes until the signal is aborted or the source ends. Starts again after errors that do not end the indexer. */
async function persist(run: Run, lease: LeaseOptions, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = run
  const leading = { store, lease, clock, log, onStandby: () => standBy(run) }
  for (let failures = 0; !signal.aborted; ) {
    const before = run.chains && totalOf(run.chains)
    try {
      await lead(leading, (held, lost) => attempt(run, held, lost), signal)
      break
    } catch (error) {
      failures = run.chains !== undefined && totalOf(run.chains) !== before ? 1 : failures + 1
      await fail(run, error, failures)
      if (isEnding(error, run.hasFollowed, run.once)) throw error
      await pause(Math.min(failures, MOST_FAILURES), run, signal)
    }
  }
  run.phase = 'stopped'
  if (run.chains !== undefined) log.info(textOf(run.chains), 'stopped')
}

async function attempt(run: Run, lease: Lease, signal: AbortSignal): Promise<void> {
  const { store, source, genesis, constants, log } = run
  run.phase = 'starting'
  run.hasReachedTip = false
  // Loading takes a while, so the status shows the stored heights in the meantime.
  run.chains = (await storedChains(store)) ?? run.chains
  const followed = sourceChains(source)
  const { writer, state, vertices } = await Writer.resume(store, genesis, constants, lease, {
    followsCChain: followed.includes('C'),
    followsXChain: followed.includes('X'),
  })
  run.problems.clear('store')
  run.chains = chainsOf(readHeights(state), run.chains && tipsOf(run.chains))
  report(run.metrics, run.chains)
  log.info(textOf(run.chains), `following ${source.name}`)
  const sink: Sink = {
    commit: (batch) => writer.commit(batch),
    fetch: (reads) => writer.fetch(reads),
  }
  run.current = { writer, state }
  const ended = new AbortController()
  const deriving = deriveOldBlocks(run, AbortSignal.any([signal, ended.signal]))
  run.hasFollowed = true
  try {
    await Follower.follow({ ...run, vertices }, state, sink, signal)
  } finally {
    run.current = undefined
    ended.abort()
    await deriving
  }
}

function record(run: Run, { written, tips, isAtTip, heights, vertices }: Progress): void {
  const { metrics, problems } = run
  if (written.length > 0) metrics.commits.inc()
  if (written.length > 0 || isAtTip) problems.clear('failed')
  for (const { chain } of written) metrics.blocks.inc({ chain })
  run.chains = chainsOf(heights, tips)
  if (leftIn(run.chains) > FAR) run.hasReachedTip = false
  if (isAtTip && !run.hasReachedTip) run.log.info(textOf(run.chains), 'reached the tip')
  run.hasReachedTip ||= isAtTip
  run.vertices = vertices
  run.phase = isAtTip ? 'tip' : vertices === undefined ? 'behind' : 'vertices'
  run.pace.count(written.length)
  report(metrics, run.chains)
}

async function standBy(run: Run): Promise<void> {
  run.phase = 'standby'
  run.problems.clearAll()
  run.chains = (await storedChains(run.store)) ?? run.chains
  if (run.chains !== undefined) report(run.metrics, run.chains)
}

/** Reports an error that ended an attempt to index. */
async function fail(run: Run, error: unknown, failures: number): Promise<void> {
  const { metrics, problems, log } = run
  const message = error instanceof Error ? error.message : String(error)
  if (!isPassing(error)) {
    const code = isFirnError(error) ? error.code : 'UNEXPECTED'
    metrics.failures.inc({ code })
    const facts = { code, failures, ...(isFirnError(error) ? {} : { err: error }) }
    // A known error is not repeated in the log at each attempt.
    if (!problems.list().includes(message)) log.error(facts, `indexing failed: ${message}`)
    problems.set('failed', message)
    return
  }
  metrics.storeFaults.inc({ code: error.code })
  // A PostgreSQL standby accepts no writes, but its data can be served.
  if (error.code === 'STORE_READ_ONLY') await standBy(run).catch(() => undefined)
  // A database that can be read but not written stays in health until something is written.
  problems.set(failures > 1 ? 'failed' : 'store', message)
  log.error({ code: error.code, failures }, `database error: ${message}`)
}

async function verify(
  { current, clock }: Run,
  chain: ChainAlias,
  bytes: Uint8Array,
): Promise<Verify.Refusal | undefined> {
  const now = BigInt(Math.floor(clock.now() / 1000))
  if (current === undefined) {
    const text = 'this process does not index now, so it cannot check transactions'
    throw new IndexerError('INDEXER_STANDBY', text)
  }
  const { writer, state } = current
  return Verify.refusalFetched(state, chain, bytes, now, (reads) => writer.fetch(reads))
}

function status({ source, problems, metrics, pace, phase, vertices, chains }: Run): IndexerStatus {
  const left = chains && leftIn(chains)
  const blocksPerSecond = pace.perSecond()
  const secondsLeft = left === undefined || blocksPerSecond === 0 ? undefined : left / blocksPerSecond
  const found = [...problems.list(), ...(source.problems?.() ?? [])]
  metrics.healthy.set(found.length === 0 ? 1 : 0)
  metrics.standby.set(phase === 'standby' ? 1 : 0)
  const own = { phase, vertices, chains, blocksPerSecond, secondsLeft, problems: found }
  const warnings = source.warnings?.() ?? []
  return { ...own, warnings, ...(source.progress && { source: source.progress() }) }
}

type Heights = Progress['heights']
type Tips = Progress['tips']

/**
 * Returns the stored position of each chain. Returns undefined until the writing process has stored the
 * network.
 */
async function storedChains(store: Store): Promise<Record<ChainAlias, ChainStatus> | undefined> {
  try {
    return chainsOf(await store.snapshot())
  } catch (error) {
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  }
}

function chainsOf(heights: Heights, tips?: Tips): Record<ChainAlias, ChainStatus> {
  const of = (chain: ChainAlias): ChainStatus => ({
    height: heights[chain].height,
    time: heights[chain].time,
    tip: tips?.[chain],
  })
  return { P: of('P'), X: of('X'), C: of('C') }
}

function tipsOf({ P, X, C }: Record<ChainAlias, ChainStatus>): Tips {
  return { P: P.tip, X: X.tip, C: C.tip }
}

function totalOf({ P, X, C }: Record<ChainAlias, ChainStatus>): bigint {
  return P.height + X.height + C.height
}

/** Returns how many blocks all chains are behind their tips. */
function leftIn(chains: Record<ChainAlias, ChainStatus>): number {
  return CHAIN_ALIASES.reduce((sum, chain) => sum + leftOf(chains[chain]), 0)
}

function leftOf(status: ChainStatus | undefined): number {
  return status?.tip === undefined ? 0 : Math.max(Number(status.tip - status.height), 0)
}

function textOf({ P, X, C }: Record<ChainAlias, ChainStatus>): Readonly<Record<ChainAlias, string>> {
  return { P: `${P.height}`, X: `${X.height}`, C: `${C.height}` }
}

function report(metrics: Metrics.Metrics, chains: Record<ChainAlias, ChainStatus>): void {
  for (const chain of CHAIN_ALIASES) {
    metrics.height.set({ chain }, Number(chains[chain].height))
    metrics.blockTime.set({ chain }, Number(chains[chain].time))
  }
}
