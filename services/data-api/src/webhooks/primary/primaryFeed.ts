import { type ChainAlias, Json } from '@firn/codec'
import type { WebhookSources } from '@firn/service-store'
import type { Snapshot } from '@firn/store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import { allShapes } from '../../primary/Endpoints.ts'
import type { DataContext } from '../../primary/network/Context.ts'
import * as Names from '../../primary/network/Names.ts'
import { createAssetDirectory } from '../../primary/shapes/AssetDirectory.ts'
import type { ChainShapes } from '../../primary/transactions/listTransactions.ts'
import type { Change, Feed } from '../common/Feed.ts'
import { lowestOf } from '../common/Filters.ts'
import * as Source from '../common/Source.ts'
import type { BlockWatch } from './BlockWatch.ts'
import { type Decided, decidedIn } from './decided.ts'
import { positionedAt, type SourceEvent } from './SourceEvent.ts'

/** The events of a block. */
interface BlockChange extends Change {
  readonly events: readonly SourceEvent[]
}

/** Number of blocks that are read at once. */
const BATCH = 50n

/**
 * Returns the blocks of a chain of the Primary Network as changes, whose sequence is their height. Accepted blocks are final,
 * so nothing is removed.
 */
export function primaryFeed(
  chain: ChainAlias,
  context: DataContext,
  watches: readonly BlockWatch[],
): Feed<BlockChange> {
  const source = Source.ofPrimary(chain)
  const { store } = context
  const directory = createAssetDirectory(store)
  const shapes = allShapes(context, directory)[Names.NAME_OF[chain]]

  const eventsOf = async (at: Snapshot, after: bigint, until: bigint): Promise<readonly SourceEvent[]> => {
    const decided = await decidedIn(store, at, chain, after, until)
    const blocks = { context, directory, chain, at, after, until, decided }
    const events: SourceEvent[] = []
    for (const { filters, events: eventsIn } of watches)
      if (filters.size > 0) events.push(...(await eventsIn(blocks)))
    return events
  }

  return {
    source,
    lowest: () => lowestOf(watches.map(({ filters }) => filters)),
    tip: async () => (await store.snapshot())[chain].height,
    changesAfter: async ({ sequence: after }) => {
      const at = await store.snapshot()
      const { height: tip } = at[chain]
      if (tip <= after) return []
      const until = tip - after > BATCH ? after + BATCH : tip
      const byHeight = Map.groupBy(await eventsOf(at, after, until), ({ height }) => height)
      // The last block is a change even without events, so that the position advances.
      const heights = new Set([...byHeight.keys(), until])
      return [...heights]
        .toSorted((one, other) => Number(one - other))
        .map((sequence) => ({ sequence, events: byHeight.get(sequence) ?? [] }))
    },
    compare: async ({ sequence, events }) => {
      if (events.length === 0) return undefined
      const at = await positionedAt(store, await store.snapshot(), chain, sequence)
      return { sequence, events: await toMatched(at, chain, shapes, events) }
    },
    onAdvance: (listener) => store.onAdvance(listener),
  }
}

/** Returns the events of a block in the form in which they are stored. */
async function toMatched(
  at: Snapshot,
  chain: ChainAlias,
  { shapes }: ChainShapes,
  events: readonly SourceEvent[],
): Promise<readonly WebhookSources.MatchedEvent[]> {
  const causes = [...new Set(events.flatMap(({ cause }) => (cause === undefined ? [] : [cause])))]
  const bodies = await shapes(
    at,
    causes.map(({ listed }) => listed),
  )
  const bodyOf = new Map<Decided, Body | undefined>(causes.map((cause, i) => [cause, bodies[i]]))
  const { height, blockId: blockHash, time } = at[chain]
  return events.map(({ webhooks, cause, members }, position) => {
    const { eventType, ...more } = members
    const transaction = cause && bodyOf.get(cause)
    const place = { blockNumber: String(height), blockTimestamp: Number(time) }
    const body = { eventType, ...place, ...more, transaction }
    return { position, height, blockHash, body: Json.stringify(body as Json.Json), webhooks }
  })
}
