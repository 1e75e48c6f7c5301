import { isFirnError } from '@firn/codec'
import { type Clock, type Logger, pause } from '@firn/runtime'
import type { EvmWriter, PruneOptions } from '@firn/store/evm'

/** Options of {@link pruneContinuously}. */
export interface PrunerOptions extends PruneOptions {
  readonly writer: Pick<EvmWriter, 'prune'>
  /** Called about once a minute, after old data was removed. */
  readonly onPruned: () => Promise<void>
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
}

/** Time between two searches for data to remove, in milliseconds. */
const INTERVAL_MS = 60_000

/**
 * Removes old data of a chain once a minute, until the signal is aborted. Tries again after database errors, for example
 * while a long query uses a partition that is to be dropped.
 */
export async function pruneContinuously(options: PrunerOptions, signal: AbortSignal): Promise<void> {
  const { writer, onPruned, clock, random, log, ...prune } = options
  let failures = 0
  while (!signal.aborted) {
    try {
      while (!signal.aborted && (await writer.prune(prune)));
      await onPruned()
      failures = 0
      await clock.sleep(INTERVAL_MS, signal).catch(() => undefined)
    } catch (error) {
      if (signal.aborted) return
      if (!isFirnError(error)) throw error
      if (error.code === 'STORE_FENCED') return
      failures += 1
      log.warn({ code: error.code, failures }, `old data was not removed: ${error.message}`)
      await pause(Math.min(failures, 6), { clock, random }, signal).catch(() => undefined)
    }
  }
}
