import { backoff } from '@firn/runtime'
import { SyncError } from '../SyncError.ts'
import type { Checkpoint } from '../Tip.ts'
import { conflict } from './StoredChain.ts'
import { type End, run, type Walk, type Walks } from './Walks.ts'

/** A checkpoint that is not complete, and when to try it again. */
interface Waiting {
  readonly walk: Walk
  readonly failures: number
  readonly notBefore: number
}

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 300_000
/** Errors of a block, as opposed to errors of the store. */
const CHAIN_ERRORS: readonly string[] = ['SYNC_HEIGHT', 'SYNC_UNREADABLE']

/**
 * Walks from the checkpoints, from several at the same time. Those that no peer has are tried again later. Returns the
 * promise of each worker.
 */
export function runCheckpoints(walks: Walks, checkpoints: readonly Checkpoint[]): readonly Promise<void>[] {
  const waiting: Waiting[] = checkpoints.map(({ id, height }) => ({
    walk: { id, height, isAccepted: false },
    failures: 0,
    notBefore: 0,
  }))
  const workers = Math.min(walks.context.options.maxRequests, waiting.length)
  return Array.from({ length: workers }, () => runWaiting(walks, waiting))
}

async function runWaiting(walks: Walks, waiting: Waiting[]): Promise<void> {
  const { clock, random } = walks.context
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const waitMs = next.notBefore - clock.now()
    if (waitMs > 0) await clock.sleep(waitMs, walks.chain.signal)
    if ((await runTolerant(walks, next.walk)) === 'done') continue
    const failures = next.failures + 1
    const pause = { random, first: FIRST_RETRY_MS, longest: LONGEST_RETRY_MS }
    waiting.unshift({ ...next, failures, notBefore: clock.now() + backoff(failures, pause) })
  }
}

/** A checkpoint whose block is wrong ends its own walk only. */
async function runTolerant(walks: Walks, walk: Walk): Promise<End> {
  try {
    return await run(walks, walk)
  } catch (error) {
    if (!(error instanceof SyncError) || !CHAIN_ERRORS.includes(error.code)) throw error
    conflict(walks.chain, { id: walk.id, height: walk.height ?? 0n })
    return 'done'
  }
}
