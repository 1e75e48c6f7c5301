import { Webhooks } from '@firn/service-store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { OF_WEBHOOKS, ownerOf, type WebhookContext } from './common/WebhookContext.ts'
import { EVENT_TYPES, KINDS, OFFICIAL_EVENT_TYPES } from './kinds/Kinds.ts'
import { SHOWN_KEYS } from './kinds/shapes.ts'
import { Webhook, webhook } from './kinds/Webhook.ts'

export const nextPageToken = Schema.optional(
  Schema.text('Token of the next page; absent on the last page', 'AAECAwQFBgcICQ'),
)
export const paging = {
  pageSize: Parameter.integer(1, 100, 10),
  pageToken: Parameter.optional(Parameter.text('a page token', (text) => text)),
}

const OTHERS = EVENT_TYPES.filter((type) => !KINDS[type].isOfficial)
  .map((type) => `\`${type}\``)
  .join(', ')

/** `GET /v1/webhooks`: the webhooks of the API key, newest first. */
export function listWebhooks(context: WebhookContext): Endpoint {
  const { store, tokens } = context
  return define({
    ...OF_WEBHOOKS,
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'The webhooks of the API key, newest first',
    units: 20,
    pathParameters: {},
    queryParameters: {
      status: Parameter.optional(
        Parameter.described(Parameter.choice(['active', 'inactive']), {
          description: 'Status of the webhooks to list; by default all',
        }),
      ),
      eventType: Parameter.optional(
        Parameter.described(Parameter.choice(EVENT_TYPES), {
          description: `Kind of the webhooks to list; by default all that the official client knows, which are all but ${OTHERS}`,
        }),
      ),
      ...paging,
    },
    response: Schema.object('ListWebhooksResponse', 'A page of webhooks', {
      nextPageToken,
      webhooks: Schema.list(Webhook, 'Webhooks of the page'),
    }),
    handle: async (call) => {
      const { status, eventType, pageSize, pageToken } = call.query
      const name = `webhooks ${Buffer.from(ownerOf(call)).toString('hex')} ${status ?? ''} ${eventType ?? ''}`
      const [after] = pageToken === undefined ? [] : tokens.open(name, pageToken).after
      const rows = await Webhooks.page(store, ownerOf(call), {
        isActive: status && status === 'active',
        eventTypes: eventType === undefined ? OFFICIAL_EVENT_TYPES : [eventType],
        after: after === undefined ? undefined : BigInt(after),
        limit: pageSize + 1,
      })
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      const keys = await Webhooks.firstKeys(
        store,
        page.map(({ id }) => id),
        SHOWN_KEYS,
      )
      return {
        body: {
          nextPageToken: last && tokens.seal(name, { at: [], after: [String(last.position)], query: {} }),
          webhooks: page.map((row) => webhook(row, keys.get(row.id) ?? [], context)),
        },
      }
    },
  })
}
