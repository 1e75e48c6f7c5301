import type { Block } from '@firn/evm'
import type { EvmWriter } from '@firn/evm-store'
import { type Clock, type Logger, pause, type Tracer } from '@firn/runtime'
import type { Problems } from '../common/Problems.ts'
import type { ContractReader } from './contracts/ContractReader.ts'
import type { EvmHead, Head } from './EvmHead.ts'
import type { EvmUpstreams } from './upstream/EvmUpstreams.ts'
import type { Window } from './Window.ts'

/** The writer's methods that `follow` needs. */
export type Sink = Pick<EvmWriter, 'cursor' | 'hashAt' | 'timeAt' | 'unknownContracts' | 'commit' | 'undo'>

/** Options of `follow`. */
export interface FollowOptions {
  readonly upstreams: EvmUpstreams
  readonly head: EvmHead
  readonly contracts: ContractReader
  readonly sink: Sink
  /** Height of the first stored block. */
  readonly firstHeight: bigint
  /** Maximum number of blocks that a reorg may remove. */
  readonly maxReorgDepth: number
  /** Whether to stop at the head instead of waiting for more blocks. */
  readonly once: boolean
  /** Maximum number of blocks in a database transaction. If storing is slow, transactions contain fewer blocks. */
  readonly batchBlocks: number
  /** Memory limit in bytes for blocks that are fetched ahead of the writer. */
  readonly windowBytes: number
  /** Number of groups of blocks that are fetched concurrently. */
  readonly groups: number
  /** Whether blocks may be ahead of the clock by any time, as on development chains; false by default. */
  readonly allowsFuture?: boolean | undefined
  /** Time in milliseconds until traces that no node has returned are requested again; default 240,000. */
  readonly traceRetryMs?: number | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Records the fetching and the storing of blocks; by default nothing. */
  readonly tracer?: Tracer | undefined
  readonly problems: Problems
  /** Called after each commit. `head` is set if the newest committed block is the head. */
  readonly onCommit: (blocks: readonly Block[], head: Head | undefined) => void
  /** Called after the newest `blocks` blocks were removed. The newest remaining block is at `height`. */
  readonly onUndo: (height: bigint, blocks: number) => void
}

/** Blocks that the writer has got, and that it may not have stored yet. */
interface Submitted {
  readonly height: bigint
  readonly hash: Uint8Array
  readonly time: bigint
  /** Keys of the contracts whose facts are with the blocks. */
  readonly contracts: ReadonlySet<string>
  /** Resolves when these blocks and all earlier ones are stored. */
  readonly stored: Promise<void>
}

/** State of following a chain. */
export type Run = FollowOptions & {
  readonly window: Window
  readonly signal: AbortSignal
  /** Ends the run, because blocks could not be stored. */
  readonly stop: () => void
  /** The last blocks that the writer has got; undefined if all are known to be stored. */
  submitted: Submitted | undefined
  /** Time at which the last blocks were stored. */
  storedAt: number
  /** Hashes of recently written blocks, by height. */
  readonly written: Map<bigint, Uint8Array>
  /** Number of consecutive attempts without progress. */
  failures: number
  /** Number of consecutive checks that found another branch. */
  otherBranchChecks: number
  /** Number of consecutive checks in which the nodes did not agree on the newest stored block. */
  disagreements: number
  seen: number
  /** Maximum number of blocks in the next database transaction. */
  batch: number
}

/** Returns the last block that the writer has got. */
export function tipOf({ submitted, sink }: Pick<Run, 'submitted' | 'sink'>) {
  return submitted ?? sink.cursor
}

export function nextOf(run: Pick<Run, 'submitted' | 'sink' | 'firstHeight'>): bigint {
  const tip = tipOf(run)
  return tip === undefined ? run.firstHeight : tip.height + 1n
}

/** Waits until all blocks that the writer has got are stored. @throws StoreError */
export async function allStored(run: Run): Promise<void> {
  await run.submitted?.stored
  run.submitted = undefined
}

export async function storedHash({ written, sink }: Run, height: bigint): Promise<Uint8Array | undefined> {
  return written.get(height) ?? (await sink.hashAt(height))
}

/** Records that blocks could be fetched. */
export function succeeded(run: Run): void {
  run.failures = 0
  run.otherBranchChecks = 0
  run.disagreements = 0
  run.problems.clear('fetch')
  run.problems.clear('block')
}

/** Waits before the next attempt. The pause grows with each consecutive attempt without progress. */
export async function wait(run: Run): Promise<void> {
  run.failures += 1
  const words = run.upstreams.problems()
  if (words.length > 0 && run.failures > 2) run.problems.set('fetch', words.join('; '))
  // At the head, the next block usually arrives soon, so the pause is shorter.
  const failures = Math.min(run.failures, run.upstreams.problems().length > 0 ? 6 : 4)
  await pause(failures, run, run.signal)
}
