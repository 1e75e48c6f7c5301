import { Json } from '@firn/codec'
import { EvmBlockContents, EvmIcm } from '@firn/evm-store'
import type { WebhookSources } from '@firn/service-store'
import { chainsSnapshots } from '../../evm/chain/chainsSnapshots.ts'
import type { EvmChainSource, EvmContext } from '../../evm/chain/EvmContext.ts'
import { chainWith, hasAll, icmChains } from '../../evm/icm/IcmChains.ts'
import { formatMessages } from '../../evm/icm/IcmMessage.ts'
import { loadMessages } from '../../evm/icm/Message.ts'
import type { Change, Feed, Progress } from '../common/Feed.ts'
import type { Filters } from '../common/Filters.ts'
import * as Source from '../common/Source.ts'
import { dueAt, observes, type UndeliveredFilter } from './undeliveredFilter.ts'

/** The messages that were found not to be delivered at one time. */
interface Judgement extends Change {
  /** The newest block that was looked at. */
  readonly height: bigint
  readonly events: readonly WebhookSources.MatchedEvent[]
}

/** Time in milliseconds between two looks. */
const LOOK_MS = 10_000n

/**
 * Returns the messages of a chain that were not delivered in time, as changes whose sequence is the time of the look in
 * milliseconds. A message is judged once for each number of minutes: at the first look at which it is stored and due. So
 * `settled` is the newest block of the last look, because older messages of later blocks were not stored then.
 */
export function undeliveredFeed(
  chain: EvmChainSource,
  evm: EvmContext,
  filters: Filters<UndeliveredFilter>,
  now: () => number,
): Feed<Judgement> {
  const source = Source.ofUndelivered(chain.chain.chainId)
  let lookMs = 0n
  return {
    source,
    lowest: () => filters.lowest(),
    tip: async () => {
      lookMs = BigInt(Math.floor(now()))
      return lookMs
    },
    changesAfter: async (progress) => {
      // If the clock was set back, nothing is judged until it has caught up.
      if (lookMs - progress.sequence < LOOK_MS) return []
      const { height } = await chain.store.snapshot()
      const all = [...filters.all()]
      const due = await dueMessages(chain, all, { progress, lookMs, height })
      const events = await undelivered(chain, evm, all, due)
      if (events.length > 0) return [{ sequence: lookMs, height, events }]
      progress.sequence = lookMs
      progress.settled = height
      return []
    },
    compare: async ({ sequence, height, events }, progress) => {
      progress.settled = height
      return { sequence, events }
    },
    // Time makes messages due, not blocks.
    onAdvance: () => () => undefined,
  }
}

/** A message, and the minutes within which it should have been delivered. */
interface Due {
  readonly row: EvmIcm.IcmMessage
  readonly minutes: number
}

/** Returns the messages that became due since the last look, and those stored since then that were due already. */
async function dueMessages(
  { store }: EvmChainSource,
  filters: readonly UndeliveredFilter[],
  {
    progress,
    lookMs,
    height,
  }: { readonly progress: Progress; readonly lookMs: bigint; readonly height: bigint },
): Promise<readonly Due[]> {
  const known = progress.settled ?? height
  const [last, look] = [progress.sequence / 1_000n, lookMs / 1_000n]
  const found = await Promise.all(
    [...new Set(filters.map(({ minutes }) => minutes))].map(async (minutes) => {
      const wait = dueAt(0n, minutes)
      const untilTime = look - wait
      const rows = await Promise.all([
        EvmIcm.sentBetween(store, {
          afterTime: last - wait,
          untilTime,
          afterHeight: -1n,
          untilHeight: known,
        }),
        EvmIcm.sentBetween(store, { afterTime: -1n, untilTime, afterHeight: known, untilHeight: height }),
      ])
      return rows.flat().map((row) => ({ row, minutes }))
    }),
  )
  return found
    .flat()
    .filter(({ row, minutes }) =>
      filters.some((filter) => filter.minutes === minutes && observes(filter, row)),
    )
}

/** Returns the events of due messages that no followed destination has received. */
async function undelivered(
  { store }: EvmChainSource,
  evm: EvmContext,
  filters: readonly UndeliveredFilter[],
  due: readonly Due[],
): Promise<readonly WebhookSources.MatchedEvent[]> {
  if (due.length === 0) return []
  const all = await icmChains(await chainsSnapshots(evm).latest())
  const ids = new Map(due.map(({ row }) => [row.messageId.join(), row.messageId]))
  const pending = (await loadMessages(all, [...ids.values()], 1)).filter(({ sent, received }) => {
    const destination = sent && chainWith(all, sent.row.destination)
    // What a destination has received is not known if it is not followed from its first message on.
    return received === undefined && destination !== undefined && hasAll(destination)
  })
  const bodies = await formatMessages(evm, all, pending, 'Icm')
  const bodyOf = new Map(pending.map(({ sent }, i) => [sent?.row.messageId.join(), bodies[i]]))
  const events: WebhookSources.MatchedEvent[] = []
  for (const { row, minutes } of due) {
    const message = bodyOf.get(row.messageId.join())
    if (message === undefined) continue
    const body = { eventType: 'undelivered', minutes, message }
    const header = await EvmBlockContents.headerAt(store, row.height)
    events.push({
      position: events.length,
      height: row.height,
      blockHash: header?.hash ?? new Uint8Array(32),
      body: Json.stringify(body as Json.Json),
      webhooks: filters
        .filter((filter) => filter.minutes === minutes && observes(filter, row))
        .map(({ id }) => id),
    })
  }
  return events
}
