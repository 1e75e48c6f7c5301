import type { Clock, Logger } from '@firn/runtime'
import type { EvmWriter, PruneOptions } from '@firn/store/evm'
import { type BackgroundOptions, inBackground } from './internal/inBackground.ts'

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
  const onFault: BackgroundOptions['onFault'] = (error, failures) =>
    log.warn({ code: error.code, failures }, `old data was not removed: ${error.message}`)
  const step = async () => {
    while (!signal.aborted && (await writer.prune(prune)));
    await onPruned()
    await clock.sleep(INTERVAL_MS, signal).catch(() => undefined)
  }
  await inBackground(step, { clock, random, onFault }, signal)
}
