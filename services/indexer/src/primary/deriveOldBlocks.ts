import { Derivation, type Store } from '@firn/store'
import { type WorkOptions, whileWriting } from '../common/whileWriting.ts'

/** Options of {@link deriveOldBlocks}. */
export interface DeriveOptions extends WorkOptions {
  readonly store: Store
}

/** Number of blocks or transactions of a step, which delays commits to an embedded database by some 100 ms. */
const STEP = 500
/** Pause between two steps in milliseconds, in which new blocks can be written. */
const PAUSE_MS = 20

/**
 * Derives the data that a writer of an earlier version did not store with its blocks, such as their proposers. Returns once
 * all is derived or the signal is aborted. Tries again after database errors.
 */
export async function deriveOldBlocks(options: DeriveOptions, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = options
  const done = new AbortController()
  let steps = 0
  const step = async () => {
    if (!(await Derivation.advance(store, STEP))) done.abort()
    else if (steps++ === 0) log.info({}, 'deriving data of stored blocks')
    else await clock.sleep(PAUSE_MS, signal).catch(() => undefined)
  }
  const loop = { ...options, effect: 'data of stored blocks is not derived' }
  await whileWriting(step, loop, AbortSignal.any([signal, done.signal]))
  if (steps > 0 && !signal.aborted) log.info({}, 'derived data of all stored blocks')
}
