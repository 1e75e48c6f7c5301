import type { EvmWriter, PruneOptions } from '@firn/evm-store'
import { type WorkOptions, whileWriting } from '../../common/whileWriting.ts'

/** Options of {@link pruneContinuously}. */
export interface PrunerOptions extends PruneOptions, WorkOptions {
  readonly writer: Pick<EvmWriter, 'prune'>
  /** Called about once a minute, after old data was removed. */
  readonly onPruned: () => Promise<void>
}

/** Time between two searches for data to remove, in milliseconds. */
const INTERVAL_MS = 60_000

/**
 * Removes old data of a chain once a minute, until the signal is aborted. Tries again after database errors, for example
 * while a long query uses a partition that is to be dropped.
 */
export async function pruneContinuously(options: PrunerOptions, signal: AbortSignal): Promise<void> {
  const { writer, onPruned, clock, random, log, report, ...prune } = options
  const step = async () => {
    while (!signal.aborted && (await writer.prune(prune)));
    await onPruned()
    await clock.sleep(INTERVAL_MS, signal).catch(() => undefined)
  }
  await whileWriting(step, { effect: 'old data is not removed', clock, random, log, report }, signal)
}
