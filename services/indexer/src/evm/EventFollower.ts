import { isFirnError } from '@firn/codec'
import { type Clock, type Logger, pause } from '@firn/runtime'
import { EventTables, type EvmStore } from '@firn/store/evm'
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
  let failures = 0
  while (!signal.aborted) {
    try {
      if (!(await EventTables.advance(store, tables))) await untilAdvanced(store, clock, signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (!isFirnError(error)) throw error
      failures += 1
      log.warn(
        { chain: `${store.chainId}`, code: error.code, failures },
        `events are not decoded: ${error.message}`,
      )
      await pause(Math.min(failures, 6), { clock, random }, signal).catch(() => undefined)
    }
  }
}
