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

/** What {@link createIndexer} needs. */
export interface IndexerOptions {
  /** Migrated, and closed by its owner. */
  readonly store: Store
  /** Closed by its owner. */
  readonly source: Source
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** End at the tip instead of waiting for more; a source that can't change always ends. */
  readonly once?: boolean
  /** How often the tip is asked for when there is nothing to do; 500 ms if not given. */
  readonly pollMs?: number
  /** Most blocks written in one transaction; 512 if not given. */
  readonly batchBlocks?: number
  /** Whether proposers' signatures are checked; if not given those of sources that may change. */
  readonly checkSignatures?: boolean
  /** How this process holds the lease of the database; under a name of its own if not given. */
  readonly lease?: LeaseOptions
  readonly clock?: Clock
  /** Uniform in [0, 1), for the jitter of pauses. */
  readonly random?: () => number
  readonly log?: Logger
}

/** How one chain stands. */
export interface ChainStatus {
  /** Of the last block in the database. */
  readonly height: bigint
  /** Of the last block that the source is known to have; undefined before it told. */
  readonly tip: bigint | undefined
  /** Of the last block in the database, Unix seconds. */
  readonly time: bigint
}

/** How indexing stands. */
export interface IndexerStatus {
  /** `standby`: another process writes to the database; this one takes over when that ends. */
  readonly phase: 'starting' | 'standby' | 'behind' | 'tip' | 'stopped'
  readonly chains: Readonly<Record<Chain, ChainStatus>> | undefined
  /** Blocks per second lately. */
  readonly blocksPerSecond: number
  /** Until the tip at this rate; undefined when that can't be said. */
  readonly secondsLeft: number | undefined
  /** What is wrong now, in words; none: healthy. */
  readonly problems: readonly string[]
}

/** Follows a source into a store. */
export interface Indexer {
  /**
   * Indexes until the signal is aborted or, with `once`, the tip is reached; what is being written is finished first. While another
   * process writes to the database it stands by.
   * @throws IndexerError `INDEXER_ARCHIVE`, `INDEXER_NO_RAW_BLOCKS`; of an archive `INDEXER_BLOCK`; StoreError of a database that is
   * not this network's
   */
  run(signal: AbortSignal): Promise<void>
  status(): IndexerStatus
  readonly metrics: Registry
}

/** Errors of the database that another attempt can help. */
const PASSING = ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_CURSOR', 'STORE_READ_ONLY']

/** Returns an indexer that does nothing before `run`. */
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
    // Loading takes its time, and what is stored is served meanwhile.
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
          // What a standby of PostgreSQL has is served, as beside another process that writes.
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

/** The next attempt reports a database that is away too. */
function ignoreFailure(error: unknown): void {
  if (!isFirnError(error)) throw error
}

/** Where the database stands by now; undefined while the process that writes has not stored the network yet. */
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
