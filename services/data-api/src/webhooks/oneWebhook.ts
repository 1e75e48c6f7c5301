import { Webhooks } from '@firn/service-store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { type Answer, define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import * as members from './common/members.ts'
import { assertUrl, found, id, OF_WEBHOOKS, ownerOf, type WebhookContext } from './common/WebhookContext.ts'
import { type EvmSettings, INCLUDE } from './kinds/AddressActivity.ts'
import { kindOf } from './kinds/Kinds.ts'
import { COMMON, SHOWN_KEYS } from './kinds/shapes.ts'
import { Webhook, webhook } from './kinds/Webhook.ts'
import { MOST_URL, readCommon } from './NewWebhook.ts'

const ofOne = {
  ...OF_WEBHOOKS,
  path: '/v1/webhooks/{id}',
  units: 10,
  pathParameters: { id },
  queryParameters: {},
  response: Webhook,
} as const

/** `GET /v1/webhooks/{id}`: a webhook. */
export function getWebhook(context: WebhookContext): Endpoint {
  return define({
    ...ofOne,
    method: 'GET',
    operationId: 'getWebhook',
    summary: 'A webhook',
    handle: async (call) => answer(await Webhooks.find(context.store, ownerOf(call), call.path.id), context),
  })
}

/** `DELETE /v1/webhooks/{id}`: deactivates a webhook. What is queued is kept for a while, and sent if it is activated. */
export function deactivateWebhook(context: WebhookContext): Endpoint {
  const { store, now, wake } = context
  return define({
    ...ofOne,
    method: 'DELETE',
    operationId: 'deactivateWebhook',
    summary: 'Deactivates a webhook',
    takesAnyContentType: true,
    handle: async (call) => {
      const change = { is_active: false, inactive_reason: null }
      const row = await Webhooks.update(store, ownerOf(call), call.path.id, change, now())
      wake()
      return answer(row, context)
    },
  })
}

const UpdateRequest = Schema.object('UpdateWebhookRequest', 'What to change of a webhook', {
  name: Schema.optional(COMMON.name),
  description: Schema.optional(COMMON.description),
  url: Schema.optional(COMMON.url),
  secretEncoding: Schema.optional(COMMON.secretEncoding),
  status: Schema.optional(COMMON.status),
  includeInternalTxs: INCLUDE.includeInternalTxs,
  includeLogs: INCLUDE.includeLogs,
})

/** `PATCH /v1/webhooks/{id}`: changes a webhook, also whether it is active. */
export function updateWebhook(context: WebhookContext): Endpoint {
  const { store, now, wake } = context
  return define({
    ...ofOne,
    method: 'PATCH',
    operationId: 'updateWebhook',
    summary: 'Changes a webhook',
    requestBody: UpdateRequest,
    takesAnyContentType: true,
    handle: async (call) => {
      const owner = ownerOf(call)
      const known = found(await Webhooks.find(store, owner, call.path.id))
      const body = members.membersOf(call.body)
      if (members.text(body, 'url', MOST_URL) !== undefined) assertUrl(known)
      const change = {
        ...readCommon(body, context),
        settings: readFlags(body, known),
        ...(await readStatus(body, known, context)),
      }
      const row = await Webhooks.update(store, owner, call.path.id, change, now())
      wake()
      return answer(row, context)
    },
  })
}

/** Returns the options with the flags of the body, or undefined if it has none. */
function readFlags(body: members.Members, known: Webhooks.Webhook): EvmSettings | undefined {
  const flags = {
    includeInternalTxs: members.flag(body, 'includeInternalTxs'),
    includeLogs: members.flag(body, 'includeLogs'),
  }
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  const [first] = Object.keys(given)
  if (first === undefined) return undefined
  if (known.event_type === 'address_activity') return { ...(known.settings as EvmSettings), ...given }
  throw new DataApiError('DATA_PARAMETER', `${first}: only webhooks of EVM chains have this option`)
}

/** Returns the change of the status. A webhook that becomes active gets messages about later changes only. */
async function readStatus(body: members.Members, known: Webhooks.Webhook, context: WebhookContext) {
  const status = members.choice(body, 'status', ['active', 'inactive'])
  if (status === undefined) return {}
  if (status === 'inactive') return { is_active: false, inactive_reason: null }
  if (known.is_active) return {}
  const from_sequence = await kindOf(known.event_type).position(known.source, context)
  return { is_active: true, inactive_reason: null, from_sequence }
}

/** Returns the answer about one webhook. */
export async function answer(row: Webhooks.Webhook | undefined, context: WebhookContext): Promise<Answer> {
  const known = found(row)
  const keys = await Webhooks.firstKeys(context.store, [known.id], SHOWN_KEYS)
  return { body: webhook(known, keys.get(known.id) ?? [], context) }
}
