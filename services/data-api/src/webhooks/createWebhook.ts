import { Webhooks } from '@firn/service-store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { addressUnits } from './addressUnits.ts'
import * as members from './common/members.ts'
import { MOST_WEBHOOKS, OF_WEBHOOKS, ownerOf, type WebhookContext } from './common/WebhookContext.ts'
import { SHOWN_KEYS } from './kinds/shapes.ts'
import { CreateRequest, Webhook, webhook } from './kinds/Webhook.ts'
import { readAsked, readCommon } from './NewWebhook.ts'
import { newSecret } from './sharedSecret.ts'

/** `POST /v1/webhooks`: creates a webhook. */
export function createWebhook(context: WebhookContext): Endpoint {
  const { store, now, wake } = context
  return define({
    ...OF_WEBHOOKS,
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Creates a webhook',
    units: 50,
    extraUnits: addressUnits,
    pathParameters: {},
    queryParameters: {},
    requestBody: CreateRequest,
    takesAnyContentType: true,
    status: 201,
    response: Webhook,
    handle: async (call) => {
      const owner = ownerOf(call)
      const body = members.membersOf(call.body)
      const { name = '', description = '', url = '', host = '', ...given } = readCommon(body, context)
      const isStream = members.flag(body, 'stream') ?? false
      if (url === '' && !isStream)
        throw Parameter.refused('url', 'an https URL, or "stream": true', 'nothing')
      if (url !== '' && isStream) throw Parameter.refused('url', 'no URL with "stream": true', 'one')
      const asked = await readAsked(body, context)
      if ((await Webhooks.count(store, owner)) >= MOST_WEBHOOKS)
        throw new DataApiError(
          'DATA_PARAMETER',
          `your API key has ${MOST_WEBHOOKS} webhooks; no more can be created`,
        )
      const id = crypto.randomUUID()
      await Webhooks.putSecret(store, owner, newSecret(context), false)
      await Webhooks.create(store, {
        id,
        owner,
        source: asked.source,
        event_type: asked.eventType,
        chain: asked.chain,
        url,
        host,
        name,
        description,
        created_at: BigInt(Math.floor(now() / 1000)),
        settings: asked.settings,
        secret_encoding: given.secret_encoding ?? context.secretEncoding,
        from_sequence: asked.fromSequence,
        keys: asked.keys,
      })
      wake()
      const row = await Webhooks.find(store, owner, id)
      if (row === undefined)
        throw new DataApiError('DATA_UNAVAILABLE', 'the webhook was not stored; try again')
      const [keys] = (await Webhooks.firstKeys(store, [id], SHOWN_KEYS)).values()
      return { body: webhook(row, keys ?? [], context) }
    },
  })
}
