import { isFirnError } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { LedgerState } from '@firn/ledger'
import { type Lease, type LeaseOptions, type Store, Writer } from '@firn/store'
import type { Registry } from 'prom-client'
import { type Clock, SYSTEM } from './Clock.ts'
import * as Follower from './Follower.ts'
import { pause } from './internal/backoff.ts'
import { createPace } from './internal/Pace.ts'
import { createStopwatch } from './internal/Stopwatch.ts'
import { lead, ownLease } from './Leadership.ts'
import { type Logger, SILENT } from './Logger.ts'
import * as Metrics from './Metrics.ts'
import * as Problems from './Problems.ts'
import { CHAINS, type Chain, type Source } from './Source.ts'

/** Options of {@link createIndexer}. */
export interface IndexerOptions {
  /** Migrated; the owner closes it. */
  readonly store: Store
  /** The owner closes it. */
  readonly source: Source
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Whether to stop at the tip instead of waiting for more blocks; a fixed source always stops there. */
  readonly once?: boolean
  /** How often to poll the tip when idle; default 500 ms. */
  readonly pollMs?: number
  /** Maximum number of blocks written in one transaction; default 512. */
  readonly batchBlocks?: number
  /** Whether proposers' signatures are checked; by default only for sources that are not fixed. */
  readonly checkSignatures?: boolean
  /** How this process holds the database lease; by default under a unique name. */
  readonly lease?: LeaseOptions
  readonly clock?: Clock
  /** Returns numbers uniform in [0, 1), for the jitter of pauses. */
  readonly random?: () => number
  readonly log?: Logger
}

/** Position of one chain. */
export interface ChainStatus {
  /** Height of the last block in the database. */
  readonly height: bigint
  /** Height of the last block that the source is known to have; undefined until it answered. */
  readonly tip: bigint | undefined
  /** Time of the last block in the database, in Unix seconds. */
  readonly time: bigint
}

/** Status of indexing. */
export interface IndexerStatus {
  /** `standby`: another process writes to the database; this one takes over when that one stops. */
  readonly phase: 'starting' | 'standby' | 'behind' | 'tip' | 'stopped'
  readonly chains: Readonly<Record<Chain, ChainStatus>> | undefined
  /** Recent blocks per second. */
  readonly blocksPerSecond: number
  /** Estimated seconds until the tip; undefined if unknown. */
  readonly secondsLeft: number | undefined
  /** Current problems as text; empty when healthy. */
  readonly problems: readonly string[]
}

/** Indexes the blocks of a source into a store. */
export interface Indexer {
  /**
   * Indexes until the signal is aborted or, with `once`, the tip is reached; the batch being written is
   * finished first. Stands by while another process writes to the database.
   * @throws IndexerError `INDEXER_ARCHIVE`, `INDEXER_NO_RAW_BLOCKS`; `INDEXER_BLOCK` for an archive;
   * StoreError if the database belongs to another network
   */
  run(signal: AbortSignal): Promise<void>
  status(): IndexerStatus
  readonly metrics: Registry
}

/** Database errors that a retry can resolve. */
const PASSING = ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_CURSOR', 'STORE_READ_ONLY']

/** Returns an indexer; it does nothing until `run` is called. */
export function createIndexer(options: IndexerOptions): Indexer {
  const { store, source, genesis, constants, clock = SYSTEM, log = SILENT } = options
  const metrics = Metrics.create()
  const problems = Problems.create()
  const pace = createPace(clock)
  const random = options.random ?? Math.random
  let phase: IndexerStatus['phase'] = 'starting'
  let chains: Record<Chain, ChainStatus> | undefined
  const follow: Follower.FollowOptions = {
    store,
    source,
    genesis,
    constants,
    once: source.isFixed || (options.once ?? false),
    pollMs: options.pollMs ?? 500,
    batchBlocks: options.batchBlocks ?? 512,
    checkSignatures: options.checkSignatures ?? !source.isFixed,
    clock,
    random,
    log,
    metrics,
    problems,
    stopwatch: createStopwatch(clock, metrics),
    onProgress({ written, tips, isAtTip, heights }) {
      if (written.length > 0) metrics.commits.inc()
      for (const { chain } of written) metrics.blocks.inc({ chain })
      chains = chainsOf(heights, tips)
      if (isAtTip && phase !== 'tip') log.info(textOf(chains), 'reached the tip')
      phase = isAtTip ? 'tip' : 'behind'
      pace.count(written.length)
      report(metrics, chains)
    },
  }
  const attempt = async (lease: Lease, signal: AbortSignal) => {
    phase = 'starting'
    // Loading takes a while, so the stored heights are reported meanwhile.
    chains = (await storedChains(store)) ?? chains
    const { writer, state } = await Writer.open(store, genesis, constants, lease)
    problems.clear('store')
    chains = chainsOf(heightsOf(state), chains && tipsOf(chains))
    report(metrics, chains)
    log.info(textOf(chains), `following ${source.name}`)
    await Follower.follow(follow, state, writer, signal)
  }
  const onStandby = async () => {
    phase = 'standby'
    problems.clearAll()
    chains = (await storedChains(store)) ?? chains
    if (chains !== undefined) report(metrics, chains)
  }
  const leading = { store, lease: options.lease ?? ownLease(), clock, log, onStandby }
  return {
    async run(signal) {
      for (let failures = 0; !signal.aborted; ) {
        const before = chains && totalOf(chains)
        try {
          await lead(leading, attempt, signal)
          break
        } catch (error) {
          if (!isPassing(error)) throw error
          failures = chains !== undefined && totalOf(chains) !== before ? 1 : failures + 1
          metrics.storeFaults.inc({ code: error.code })
          // A PostgreSQL standby's stored data is served, as when another process writes.
          if (error.code === 'STORE_READ_ONLY') await onStandby().catch(ignoreFailure)
          problems.set('store', error.message)
          log.error({ code: error.code, failures }, `the database failed: ${error.message}`)
          await pause(failures, { clock, random }, signal)
        }
      }
      phase = 'stopped'
      if (chains !== undefined) log.info(textOf(chains), 'stopped')
    },
    status() {
      const left = chains && CHAINS.reduce((sum, chain) => sum + leftOf(chains?.[chain]), 0)
      const blocksPerSecond = pace.perSecond()
      const secondsLeft = left === undefined || blocksPerSecond === 0 ? undefined : left / blocksPerSecond
      metrics.healthy.set(problems.list().length === 0 ? 1 : 0)
      metrics.standby.set(phase === 'standby' ? 1 : 0)
      return { phase, chains, blocksPerSecond, secondsLeft, problems: problems.list() }
    },
    metrics: metrics.registry,
  }
}

type Heights = Follower.Progress['heights']
type Tips = Follower.Progress['tips']

function isPassing(error: unknown): error is Error & { readonly code: string } {
  return isFirnError(error) && PASSING.includes(error.code)
}

/** If the database is unavailable too, the next attempt reports it. */
function ignoreFailure(error: unknown): void {
  if (!isFirnError(error)) throw error
}

/**
 * Returns the stored position of each chain; undefined while the writing process has not stored the network
 * yet.
 */
async function storedChains(store: Store): Promise<Record<Chain, ChainStatus> | undefined> {
  try {
    return chainsOf(await store.snapshot())
  } catch (error) {
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  }
}

function heightsOf(state: LedgerState.LedgerState): Heights {
  const [P, X, C] = CHAINS.map((chain) => LedgerState.tip(state, chain))
  return { P, X, C } as Heights
}

function chainsOf(heights: Heights, tips?: Tips): Record<Chain, ChainStatus> {
  const of = (chain: Chain): ChainStatus => ({
    height: heights[chain].height,
    time: heights[chain].time,
    tip: tips?.[chain],
  })
  return { P: of('P'), X: of('X'), C: of('C') }
}

function tipsOf({ P, X, C }: Record<Chain, ChainStatus>): Tips {
  return { P: P.tip, X: X.tip, C: C.tip }
}

function totalOf({ P, X, C }: Record<Chain, ChainStatus>): bigint {
  return P.height + X.height + C.height
}

function leftOf(status: ChainStatus | undefined): number {
  return status?.tip === undefined ? 0 : Math.max(Number(status.tip - status.height), 0)
}

function textOf({ P, X, C }: Record<Chain, ChainStatus>): Readonly<Record<Chain, string>> {
  return { P: `${P.height}`, X: `${X.height}`, C: `${C.height}` }
}

function report(metrics: Metrics.Metrics, chains: Record<Chain, ChainStatus>): void {
  for (const chain of CHAINS) {
    metrics.height.set({ chain }, Number(chains[chain].height))
    metrics.blockTime.set({ chain }, Number(chains[chain].time))
  }
}
