import { setTimeout as sleep } from 'node:timers/promises'
import { excerpt } from '@firn/codec'
import { EvmChanges, type EvmStore } from '@firn/evm-store'
import { anyChainOf, chainId, type EvmContext } from '../evm/chain/EvmContext.ts'
import { behind } from '../http/endpoint/behind.ts'
import { defineStream, type EventStream } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { createFeed, type Feed } from './feed.ts'

const HEARTBEAT_MS = 15_000
const PACE = {
  heartbeatMs: HEARTBEAT_MS,
  sleep: (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal }),
}
const cursor = Parameter.text('the cursor of an event, or 0 to start from the first event', (text) =>
  /^[0-9]{1,18}$/.test(text) ? BigInt(text) : undefined,
)

const EXAMPLE = 'id: 7\nevent: block\ndata: {"cursor":"7","blockNumber":"30"}\n\n'

/** Number of older changes for which a reader that resumes pays one compute unit. */
const CHANGES_PER_UNIT = 100

/** `GET /v1/changes/{chainId}`: stored and undone blocks of a chain, and late traces, as server-sent events. */
export function listChanges(context: EvmContext): EventStream {
  const feeds = new Map<EvmStore, Feed>()
  const feedOf = (store: EvmStore): Feed => {
    const feed = feeds.get(store) ?? createFeed(store, PACE)
    feeds.set(store, feed)
    return feed
  }
  return defineStream({
    path: '/v1/changes/{chainId}',
    operationId: 'listChanges',
    summary: 'Stored and undone blocks of a chain, as server-sent events',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    unitsPerMinute: 10,
    pathParameters: { chainId: chainId(context) },
    queryParameters: { cursor: Parameter.optional(cursor) },
    response: Schema.text(
      'Sends the events `block` (a block was added), `undo` (a reorg removed it) and `traces` (internal calls, which were missing, were added to a block), each with `{ cursor, blockNumber, blockHash, parentHash, blockTimestamp }`. The header `last-event-id` or the parameter `cursor` resumes the stream after an event. If changes after it were removed, the answer is 410 with `oldestCursor`, from which the stream can be resumed. Without either, the stream starts with the next change.',
      EXAMPLE,
    ),
    open: async ({ path, query, lastEventId, pay, signal }) => {
      const { store } = anyChainOf(context, path.chainId)
      const { sequence } = await store.snapshot()
      const after = query.cursor ?? parse(lastEventId) ?? sequence
      if (after > sequence) throw behind('cursor', `change ${after}`, `change ${sequence}`)
      // Once the stream has begun, an error could only end it.
      if (after < sequence) await EvmChanges.after(store, after, 1)
      const payChanges = (changes: number) => pay(Math.ceil(changes / CHANGES_PER_UNIT))
      return feedOf(store).read({ after, pay: payChanges, signal })
    },
  })
}

function parse(lastEventId: string | undefined): bigint | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined
  const value = cursor.parse([lastEventId])
  if (value !== undefined) return value
  throw Parameter.refused('last-event-id', cursor.expected, excerpt(lastEventId))
}
