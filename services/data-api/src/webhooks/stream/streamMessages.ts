import { excerpt } from '@firn/codec'
import { ApiKey } from '@firn/http'
import { Webhooks, WebhookTail } from '@firn/service-store'
import { behind } from '../../http/endpoint/behind.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { defineStream, type EventStream, type StreamCall } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { found, id, OF_WEBHOOKS, ownerOf, type WebhookContext } from '../common/WebhookContext.ts'
import { messageOf } from '../delivery/message.ts'
import * as Cursor from './Cursor.ts'
import type { Tail } from './Tail.ts'

/** Dependencies of the streams of messages. */
export interface StreamContext extends WebhookContext {
  readonly tail: Tail
  /** Returns all API keys, including revoked ones. */
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
  /** Time in milliseconds for which messages are kept. */
  readonly keepMs: number
  /** Maximum number of streams of an API key in this process. */
  readonly streamsPerKey: number
  readonly heartbeatMs?: number | undefined
}

/** A message with the cursor behind it, or a heartbeat without a message. */
interface Item {
  readonly cursor: string
  /** The JSON that is sent to the target of a webhook with a URL. */
  readonly message: string | undefined
}

const HEARTBEAT_MS = 15_000
/** Number of messages for which a reader pays one compute unit. */
const MESSAGES_PER_UNIT = 20
/** Allowed difference between the clocks of processes in milliseconds. */
const SKEW_MS = 60_000

const cursor = Parameter.text('the cursor of a message, or 0 for the oldest kept one', (text) =>
  Cursor.parse(text),
)

const EXAMPLE =
  'id: 7.0.1795219200000\nevent: message\ndata: {"event":{"transaction":{"txStatus":"1"}},"eventType":"address_activity"}\n\n'

/** `GET /v1/webhooks/{id}/messages`: the messages of a webhook as server-sent events or over a WebSocket. */
export function streamMessages(context: StreamContext): EventStream {
  /** Number of open streams by the hash of the key. */
  const open = new Map<string, number>()
  const start = async (call: StreamCall<typeof PATH, typeof QUERY>): Promise<AsyncIterable<Item>> => {
    const key = call.key
    const owner = ownerOf(call)
    const { id } = found(await Webhooks.find(context.store, owner, call.path.id))
    const from = await beginning(call, id, context)
    const name = key === undefined ? '' : ApiKey.id(key)
    const count = open.get(name) ?? 0
    if (count >= context.streamsPerKey) {
      const message = `your API key has ${count} streams at this process, and may have ${context.streamsPerKey}; close one first`
      throw new DataApiError('DATA_RATE_LIMIT', message, { details: { headers: { 'retry-after': '10' } } })
    }
    call.signal.throwIfAborted()
    open.set(name, count + 1)
    const end = () => {
      const left = (open.get(name) ?? 1) - 1
      if (left === 0) open.delete(name)
      else open.set(name, left)
    }
    call.signal.addEventListener('abort', end, { once: true })
    return items(id, from, call, context)
  }
  return defineStream({
    ...OF_WEBHOOKS,
    path: '/v1/webhooks/{id}/messages',
    operationId: 'streamWebhookMessages',
    summary: 'The messages of a webhook, as server-sent events or over a WebSocket',
    units: 50,
    unitsPerMinute: 10,
    pathParameters: PATH,
    queryParameters: QUERY,
    response: Schema.text(
      'Sends each message as an event `message`, with the JSON that is sent to targets. The id of an event is the cursor behind it; the header `last-event-id` or the parameter `cursor` resumes the stream there, and `cursor=0` starts with the oldest kept message. Without either, the stream starts with the next message. Events without data only renew the cursor. The event `end` with `{ code, message }` says why the service ends the stream. A WebSocket gets frames `{ cursor, message }`, of which heartbeats have no message. If messages behind the cursor may have been removed, the answer is 410.',
      EXAMPLE,
    ),
    open: async (call) => map(await start(call), toEvent),
    openSocket: async (call) => map(await start(call), toFrame),
  })
}

const PATH = { id }
const QUERY = {
  cursor: Parameter.optional(
    Parameter.described(cursor, {
      description: 'Cursor behind the last received message, or 0 to start with the oldest kept message',
      example: '7.0.1795219200000',
    }),
  ),
}

/**
 * Returns where a stream begins.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_GONE`, `DATA_UNAVAILABLE`
 */
async function beginning(
  { query, lastEventId = '' }: StreamCall<typeof PATH, typeof QUERY>,
  webhookId: string,
  { store, now, keepMs }: StreamContext,
): Promise<Cursor.Cursor> {
  const given = query.cursor ?? (lastEventId === '' ? undefined : Cursor.parse(lastEventId))
  if (given === undefined && lastEventId !== '' && query.cursor === undefined)
    throw Parameter.refused('last-event-id', cursor.expected, excerpt(lastEventId))
  const readMs = now()
  const { last = Cursor.START, sequence } = await WebhookTail.end(store, webhookId)
  if (given === undefined) return { place: last, readMs }
  if (given.place.sequence > sequence)
    throw behind('cursor', `change ${given.place.sequence}`, `change ${sequence}`)
  if (given.readMs < readMs - keepMs + SKEW_MS) {
    const message =
      'cursor: messages behind it may have been removed; read what you need from the API, and start with cursor 0'
    throw new DataApiError('DATA_GONE', message, { details: { oldest: 0n } })
  }
  return { ...given, readMs: Math.min(given.readMs, readMs) }
}

/** Yields messages and heartbeats, until the signal aborts or the key is revoked. */
async function* items(
  webhookId: string,
  from: Cursor.Cursor,
  { key, pay, signal }: Pick<StreamCall<never, never>, 'key' | 'pay' | 'signal'>,
  { tail, keys, now, heartbeatMs = HEARTBEAT_MS }: StreamContext,
): AsyncGenerator<Item> {
  let { place, readMs } = from
  let checkedMs = now()
  let unpaid = 0
  const item = (message?: string): Item => ({ cursor: Cursor.format({ place, readMs }), message })
  // The first cursor lets a reader resume that was disconnected before the first message.
  yield item()
  for (;;) {
    const { messages, readMs: seenMs } = await tail.next({ webhookId, after: place }, heartbeatMs, signal)
    signal.throwIfAborted()
    for (const message of messages) {
      place = message
      readMs = message.createdMs
      yield item(new TextDecoder().decode(messageOf(message.webhook, message).body))
    }
    unpaid += messages.length
    if (unpaid >= MESSAGES_PER_UNIT) {
      await pay(Math.floor(unpaid / MESSAGES_PER_UNIT))
      unpaid %= MESSAGES_PER_UNIT
    }
    if (messages.length === 0) {
      readMs = Math.max(readMs, seenMs)
      yield item()
    }
    if (now() - checkedMs < heartbeatMs) continue
    checkedMs = now()
    if (!(await isValid(key, keys)))
      throw new DataApiError('DATA_KEY', 'the API key was revoked; use another key')
  }
}

async function isValid(key: ApiKey.StoredKey | undefined, keys: StreamContext['keys']): Promise<boolean> {
  const id = key && ApiKey.id(key)
  return (await keys()).some(
    (one) => ApiKey.id(one) === id && one.revokedAt === undefined && one.scopes.includes('webhooks'),
  )
}

function toEvent({ cursor, message }: Item): string {
  return message === undefined ? `id: ${cursor}\n\n` : `id: ${cursor}\nevent: message\ndata: ${message}\n\n`
}

function toFrame({ cursor, message }: Item): string {
  return message === undefined ? `{"cursor":"${cursor}"}` : `{"cursor":"${cursor}","message":${message}}`
}

async function* map(items: AsyncIterable<Item>, format: (item: Item) => string): AsyncGenerator<string> {
  for await (const item of items) yield format(item)
}
