import type { Clock, Logger } from '@firn/runtime'
import { EventTables, type EvmStore, IcmBackfill } from '@firn/store/evm'
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
 * Decodes the logs of stored blocks, and then those of new blocks, until the signal is aborted; see {@link decodeNext}.
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
    if (!(await decodeNext(store, tables))) await untilAdvanced(store, clock, signal)
  }
  await inBackground(step, { clock, random, onFault }, signal)
}

/**
 * Decodes the next stored logs into tables of events, and reads the interchain messages in those that an earlier version
 * stored; the writer stores the messages of new blocks. Returns whether there are further logs.
 */
export async function decodeNext(store: EvmStore, tables: readonly string[]): Promise<boolean> {
  const hasMoreEvents = await EventTables.advance(store, tables)
  return (await IcmBackfill.advance(store)) || hasMoreEvents
}
