import { EventTables, type EvmStore, IcmBackfill } from '@firn/evm-store'
import { type WorkOptions, whileWriting } from '../../common/whileWriting.ts'
import { untilAdvanced } from './untilAdvanced.ts'

/** Options of {@link followEvents}. */
export interface EventFollowerOptions extends WorkOptions {
  readonly store: EvmStore
  /** Names of the tables of events; see `EventTables.create`. */
  readonly tables: readonly string[]
}

/**
 * Decodes the logs of stored blocks, and then of new blocks, until the signal is aborted; see {@link decodeNext}.
 * Tries again after database errors.
 */
export async function followEvents(options: EventFollowerOptions, signal: AbortSignal): Promise<void> {
  const { store, tables, clock } = options
  const step = async () => {
    if (!(await decodeNext(store, tables))) await untilAdvanced(store, clock, signal)
  }
  const facts = { chain: `${store.chainId}` }
  await whileWriting(step, { ...options, effect: 'events are not decoded', facts }, signal)
}

/**
 * Decodes the next stored logs into tables of events, and reads the interchain messages in those that an earlier version
 * stored; the writer stores the messages of new blocks. Returns whether there are further logs.
 */
export async function decodeNext(store: EvmStore, tables: readonly string[]): Promise<boolean> {
  const hasMoreEvents = await EventTables.advance(store, tables)
  return (await IcmBackfill.advance(store)) || hasMoreEvents
}
