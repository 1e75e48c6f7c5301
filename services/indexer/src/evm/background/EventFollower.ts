import { EventTables, type EvmStore, IcmBackfill } from '@firn/evm-store'
import { type Clock, type Logger, type SuperviseOptions, supervise } from '@firn/runtime'
import { isFenced } from '../../common/isFenced.ts'
import { untilAdvanced } from './untilAdvanced.ts'

/** Options of {@link followEvents}. */
export interface EventFollowerOptions {
  readonly store: EvmStore
  /** Names of the tables of events; see `EventTables.create`. */
  readonly tables: readonly string[]
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Called with problems; see `supervise`. */
  readonly report?: SuperviseOptions['report']
}

/**
 * Decodes the logs of stored blocks, and then those of new blocks, until the signal is aborted; see {@link decodeNext}.
 * Tries again after database errors.
 */
export async function followEvents(
  { store, tables, clock, random, log, report }: EventFollowerOptions,
  signal: AbortSignal,
): Promise<void> {
  const step = async () => {
    if (!(await decodeNext(store, tables))) await untilAdvanced(store, clock, signal)
  }
  const facts = { chain: `${store.chainId}` }
  const loop = { effect: 'events are not decoded', clock, random, log, report, facts, isOver: isFenced }
  await supervise(step, loop, signal)
}

/**
 * Decodes the next stored logs into tables of events, and reads the interchain messages in those that an earlier version
 * stored; the writer stores the messages of new blocks. Returns whether there are further logs.
 */
export async function decodeNext(store: EvmStore, tables: readonly string[]): Promise<boolean> {
  const hasMoreEvents = await EventTables.advance(store, tables)
  return (await IcmBackfill.advance(store)) || hasMoreEvents
}
