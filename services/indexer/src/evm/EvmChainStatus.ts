import type { EvmTraceGaps, EvmWriter } from '@firn/evm-store'
import { type Clock, type Logger, silentLogger } from '@firn/runtime'
import { createPace, FAR } from '../common/Pace.ts'
import * as Problems from '../common/Problems.ts'
import type { EvmHead } from './EvmHead.ts'
import type { EvmMetrics } from './upstream/EvmMetrics.ts'
import type { EvmUpstreams } from './upstream/EvmUpstreams.ts'

/** Position of one chain in the database and in the source. */
export interface EvmChainStatus {
  readonly chainId: bigint
  /**
   * Phase of the chain. `starting` means that no head or no block is known yet. `standby` means that another process
   * writes the chain, and that this process takes over when the other one stops. `halted` means that the nodes have a
   * different chain than the stored one, and that the chain is not served. `failed` means that the last attempt to index
   * the chain ended with an error; it is tried again. `problems` gives the reason.
   */
  readonly phase: 'starting' | 'standby' | 'behind' | 'tip' | 'halted' | 'stopped' | 'failed'
  /** Height of the last block in the database; undefined if there is none. */
  readonly height: bigint | undefined
  /** Height of the last block that a node has reported as executed. */
  readonly head: bigint | undefined
  /** Height of the last block whose token balances were checked; undefined if none was checked by this process. */
  readonly checkedHeight: bigint | undefined
  /**
   * Height up to which the internal calls are complete. Later blocks may have them too. Undefined if no block is stored, or
   * if the chain is stored without internal calls.
   */
  readonly tracedHeight: bigint | undefined
  /** Number of blocks whose internal calls are missing, because no node returned their traces in time. */
  readonly untracedBlocks: number
  /** Time of the last block in the database, in Unix seconds. */
  readonly time: bigint | undefined
  /** Average number of blocks indexed per second over the last 15 seconds. */
  readonly blocksPerSecond: number
  /** Messages about current problems; empty when healthy. */
  readonly problems: readonly string[]
  /**
   * Messages about nodes that are used last because they returned wrong data, and about missing internal calls. The chain
   * may be healthy without them.
   */
  readonly warnings: readonly string[]
}

/** What a chain does: it follows its nodes, or something else. */
type Activity = Exclude<EvmChainStatus['phase'], 'behind' | 'tip'> | 'following'

/** Options of {@link createStanding}. */
export interface StandingOptions {
  readonly chainId: bigint
  readonly head: EvmHead
  readonly upstreams: Pick<EvmUpstreams, 'problems' | 'warnings' | 'members'>
  /** Returns the height up to which balances were checked. */
  readonly checkedHeight: () => bigint | undefined
  readonly metrics: EvmMetrics
  readonly clock: Clock
  readonly log?: Logger
}

/** The current state of a chain's indexing, from which its status and its metrics are computed. */
export interface Standing {
  activity: Activity
  cursor: EvmWriter['cursor']
  /** Whether the chain is stored with internal calls. */
  hasTraces: boolean
  /** The blocks whose internal calls are missing; undefined if there are none. */
  gaps: EvmTraceGaps.Gaps | undefined
  /** Returns the number of indexes that requests need and that are not built yet. */
  missingIndexes: () => number
  readonly problems: Problems.Problems
  readonly pace: ReturnType<typeof createPace>
  /** Updates the gauges, and logs when the head is reached. */
  measure(): void
  status(): EvmChainStatus
}

/** Creates the state of a chain that is about to start. */
export function createStanding(options: StandingOptions): Standing {
  const { chainId, head, upstreams, checkedHeight, metrics, clock, log = silentLogger } = options
  const labels = { chain: `${chainId}` }
  const problems = Problems.create()
  let wasAtTip = false
  const phase = (): EvmChainStatus['phase'] => {
    const { activity, cursor, missingIndexes } = standing
    const best = head.best()?.height
    if (activity !== 'following') return activity
    if (best === undefined || cursor === undefined) return 'starting'
    return cursor.height >= best && missingIndexes() === 0 ? 'tip' : 'behind'
  }
  const standing: Standing = {
    activity: 'starting',
    cursor: undefined,
    hasTraces: false,
    gaps: undefined,
    missingIndexes: () => 0,
    problems,
    pace: createPace(clock),
    measure() {
      const { cursor } = standing
      if (cursor === undefined) return
      const best = head.best()?.height
      metrics.height.set(labels, Number(cursor.height))
      metrics.missingIndexes.set(labels, standing.missingIndexes())
      metrics.blockTime.set(labels, Number(cursor.time))
      const traced = tracedHeight(standing)
      if (traced !== undefined) metrics.tracedHeight.set(labels, Number(traced))
      metrics.untracedBlocks.set(labels, standing.gaps?.blocks ?? 0)
      const checked = checkedHeight()
      if (checked !== undefined) {
        metrics.checkedHeight.set(labels, Number(checked))
        metrics.checkLag.set(labels, Math.max(Number(cursor.height - checked), 0))
      }
      if (best === undefined) return
      metrics.headHeight.set(labels, Number(best))
      const lag = best > cursor.height ? Number(best - cursor.height) : 0
      metrics.lag.set(labels, lag)
      if (lag > FAR || standing.activity !== 'following') wasAtTip = false
      if (phase() !== 'tip') return
      problems.clear('failed')
      if (!wasAtTip) log.info({ ...labels, height: `${cursor.height}` }, 'reached the head')
      wasAtTip = true
    },
    status() {
      const now = phase()
      standing.measure()
      const list = [...new Set([...problems.list(), ...upstreams.problems(now === 'tip')])]
      metrics.healthy.set(labels, list.length === 0 ? 1 : 0)
      metrics.standby.set(labels, now === 'standby' ? 1 : 0)
      for (const { name, isTrusted } of upstreams.members)
        metrics.distrusted.set({ ...labels, upstream: name }, isTrusted() ? 0 : 1)
      const { cursor } = standing
      return {
        chainId,
        phase: now,
        height: cursor?.height,
        head: head.best()?.height,
        checkedHeight: checkedHeight(),
        tracedHeight: tracedHeight(standing),
        untracedBlocks: standing.gaps?.blocks ?? 0,
        time: cursor?.time,
        blocksPerSecond: standing.pace.perSecond(),
        problems: list,
        warnings: [...upstreams.warnings(), ...gapWarnings(chainId, standing.gaps)],
      }
    },
  }
  return standing
}

function tracedHeight({ hasTraces, cursor, gaps }: Standing): bigint | undefined {
  if (!hasTraces || cursor === undefined) return undefined
  return gaps === undefined || gaps.first > cursor.height ? cursor.height : gaps.first - 1n
}

function gapWarnings(chainId: bigint, gaps: EvmTraceGaps.Gaps | undefined): readonly string[] {
  if (gaps === undefined) return []
  const others = gaps.blocks === 1 ? '' : ` and of ${gaps.blocks - 1} later blocks`
  return [
    `internal calls of block ${gaps.first}${others} of chain ${chainId} are missing, because no node returned the traces in time; they are requested again`,
  ]
}
