import { Hex } from '@firn/codec'
import { DELIVERY_STATES, WebhookDeliveries, type WebhookQueue, Webhooks } from '@firn/service-store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import * as members from './common/members.ts'
import { assertUrl, found, id, OF_WEBHOOKS, ownerOf, type WebhookContext } from './common/WebhookContext.ts'
import { messageId } from './delivery/message.ts'
import { nextPageToken, paging } from './listWebhooks.ts'

const milliseconds = (what: string) => Schema.integer(`${what}, in Unix milliseconds`, 1_795_219_200_000)

const Delivery = Schema.object('WebhookDelivery', 'A message of a webhook, and what became of it', {
  messageId: Schema.text('Id of the message', '0b2e5a4c-6b1d-8f0e-9c3a-5d7e8f9a0b1c'),
  state: Schema.choice(
    DELIVERY_STATES,
    '`queued`: not accepted by the target yet; `delivered`; `dead`: the service has given up',
    'delivered',
  ),
  removed: Schema.flag('Whether the message tells that a reorg removed an event', false),
  blockNumber: Field.height('Block of the event'),
  blockHash: Field.hash('Hash of the block'),
  attempts: Field.count('Number of attempts', 1),
  queuedAt: milliseconds('Time at which the message was queued'),
  attemptedAt: Schema.optional(milliseconds('Time of the last attempt')),
  status: Schema.optional(Schema.integer('HTTP status of the last attempt', 200)),
  failure: Schema.optional(Schema.text('Why the last attempt failed', 'timeout')),
})

const state = Parameter.optional(
  Parameter.described(Parameter.choices(DELIVERY_STATES), {
    description: 'States of the messages to list; by default all',
    example: ['dead'],
  }),
)

/** `GET /v1/webhooks/{id}/deliveries`: the messages of a webhook that are queued or kept, newest first. */
export function listDeliveries({ store, tokens }: WebhookContext): Endpoint {
  return define({
    ...OF_WEBHOOKS,
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'The messages of a webhook that are queued or kept, newest first',
    units: 20,
    pathParameters: { id },
    queryParameters: { state, sortOrder: Parameter.choice(['asc', 'desc'], 'desc'), ...paging },
    response: Schema.object('ListWebhookDeliveriesResponse', 'A page of messages', {
      nextPageToken,
      deliveries: Schema.list(Delivery, 'Messages of the page'),
    }),
    handle: async (call) => {
      const { id } = found(await Webhooks.find(store, ownerOf(call), call.path.id))
      const { state: states = DELIVERY_STATES, sortOrder: order, pageSize, pageToken } = call.query
      const name = `webhook deliveries ${id} ${states.join(' ')} ${order}`
      const after = pageToken === undefined ? undefined : toPlace(tokens.open(name, pageToken).after)
      const rows = await WebhookDeliveries.page(store, id, {
        states,
        order,
        after,
        limit: pageSize + 1,
      })
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      return {
        body: {
          nextPageToken:
            last &&
            tokens.seal(name, { at: [], after: [String(last.sequence), String(last.position)], query: {} }),
          deliveries: page.map(shape),
        },
      }
    },
  })
}

function toPlace([sequence = '0', position = '0']: readonly string[]): WebhookQueue.DeliveryPlace {
  return { sequence: BigInt(sequence), position: Number(position) }
}

function shape(row: WebhookDeliveries.Delivery) {
  return {
    messageId: messageId(row.webhook_id, row),
    state: row.state,
    removed: row.is_removal,
    blockNumber: String(row.height),
    blockHash: Hex.encode(row.block_hash),
    attempts: row.attempts,
    queuedAt: Number(row.created_ms),
    attemptedAt: row.attempted_ms === null ? undefined : Number(row.attempted_ms),
    status: row.status ?? undefined,
    failure: row.failure ?? undefined,
  }
}

const ReplayRequest = Schema.object('ReplayWebhookRequest', 'The messages to send again', {
  fromBlock: Schema.optional(Field.height('Lowest block of the events; by default any')),
  fromTimestamp: Schema.optional(
    Field.seconds('Earliest time at which the messages were queued; by default any'),
  ),
  deadOnly: Schema.optional(Schema.flag('Whether only dead messages are sent again', true)),
})

/** `POST /v1/webhooks/{id}:replay`: sends messages again that were sent, or given up, from a point on. */
export function replayWebhook({ store, now, wake }: WebhookContext): Endpoint {
  return define({
    ...OF_WEBHOOKS,
    method: 'POST',
    path: '/v1/webhooks/{id}:replay',
    operationId: 'replayWebhook',
    summary: 'Sends kept messages of a webhook again, from a point on, in their order',
    units: 100,
    pathParameters: { id },
    queryParameters: {},
    requestBody: ReplayRequest,
    takesAnyContentType: true,
    response: Schema.object('ReplayWebhookResponse', 'The messages that are sent again', {
      queued: Field.count('Number of messages', 12),
    }),
    handle: async (call) => {
      const webhook = found(await Webhooks.find(store, ownerOf(call), call.path.id))
      assertUrl(webhook)
      const body = members.membersOf(call.body ?? {})
      const fromBlock = members.text(body, 'fromBlock', 18)
      if (fromBlock !== undefined && !/^[0-9]+$/.test(fromBlock))
        throw Parameter.refused('fromBlock', 'a block number, as decimal text', 'another text')
      const fromMs = members.seconds(body, 'fromTimestamp')
      const states =
        members.flag(body, 'deadOnly') === true ? (['dead'] as const) : (['delivered', 'dead'] as const)
      const replay = {
        states,
        fromHeight: fromBlock === undefined ? undefined : BigInt(fromBlock),
        fromMs: fromMs === undefined ? undefined : fromMs * 1000,
      }
      const queued = await WebhookDeliveries.replay(store, webhook.id, replay, now())
      wake()
      return { body: { queued } }
    },
  })
}
