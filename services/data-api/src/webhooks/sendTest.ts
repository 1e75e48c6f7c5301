import { Webhooks } from '@firn/service-store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { assertUrl, found, id, OF_WEBHOOKS, ownerOf, type WebhookContext } from './common/WebhookContext.ts'
import { headersOf, messageOf } from './delivery/message.ts'
import { kindOf } from './kinds/Kinds.ts'

/** Place of test messages: before all events. */
const PLACE = { sequence: 0n, position: 0, isRemoval: false }

/** `POST /v1/webhooks/{id}:sendTest`: sends a test message at once, and returns what the target answered. */
export function sendTest({ store, now, send }: WebhookContext): Endpoint {
  return define({
    ...OF_WEBHOOKS,
    method: 'POST',
    path: '/v1/webhooks/{id}:sendTest',
    operationId: 'sendTestOfWebhook',
    summary: 'Sends a message about an invented event at once, signed as others, and returns the result',
    units: 100,
    timeoutMs: 60_000,
    pathParameters: { id },
    queryParameters: {},
    takesAnyContentType: true,
    response: Schema.object('TestOfWebhookResponse', 'The result of a test message', {
      messageId: Schema.text('Id of the message', '0b2e5a4c-6b1d-8f0e-9c3a-5d7e8f9a0b1c'),
      isAccepted: Schema.flag('Whether the target accepted the message', true),
      status: Schema.optional(Schema.integer('HTTP status; absent if there was no response', 200)),
      failure: Schema.optional(Schema.text('Why the message was not accepted', 'timeout')),
      milliseconds: Schema.integer('Time that it took, in milliseconds', 35),
    }),
    handle: async (call) => {
      const owner = ownerOf(call)
      const webhook = found(await Webhooks.find(store, owner, call.path.id))
      assertUrl(webhook)
      const secret = await Webhooks.secretOf(store, owner)
      const message = messageOf(webhook, {
        ...PLACE,
        body: kindOf(webhook.event_type).testEvent,
      })
      const headers = headersOf(message, webhook, secret)
      const began = now()
      const { status, failure } = await send({ url: webhook.url, body: message.body, headers }, call.signal)
      return {
        body: {
          messageId: message.id,
          isAccepted: failure === undefined,
          status,
          failure,
          milliseconds: Math.round(now() - began),
        },
      }
    },
  })
}
