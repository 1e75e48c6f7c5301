import type { Clock, Logger } from '@firn/runtime'
import { EventTables, type EvmStore } from '@firn/store/evm'
import { type BackgroundOptions, inBackground } from './internal/inBackground.ts'
import { untilAdvanced } from './internal/untilAdvanced.ts'

/** Options of {@link followEvents}. */
export interface EventFollowerOptions {
  readonly store: EvmStore
  /** Names of the tables of events; see `EventTables.create`. */
  readonly tables: readonly string[]
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
}

/**
 * Decodes the logs of stored blocks into tables of events, and then those of new blocks, until the signal is aborted.
 * Tries again after database errors.
 */
export async function followEvents(
  { store, tables, clock, random, log }: EventFollowerOptions,
  signal: AbortSignal,
): Promise<void> {
  const onFault: BackgroundOptions['onFault'] = (error, failures) =>
    log.warn(
      { chain: `${store.chainId}`, code: error.code, failures },
      `events are not decoded: ${error.message}`,
    )
  const step = async () => {
    if (!(await EventTables.advance(store, tables))) await untilAdvanced(store, clock, signal)
  }
  await inBackground(step, { clock, random, onFault }, signal)
}
