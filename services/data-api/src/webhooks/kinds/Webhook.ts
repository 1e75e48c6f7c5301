import type { Webhooks } from '@firn/service-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { WebhookContext } from '../common/WebhookContext.ts'
import { KINDS, kindOf } from './Kinds.ts'

const kinds = Object.values(KINDS)

/** A webhook of any kind. */
export const Webhook = Schema.union(
  'Webhook',
  'A webhook',
  kinds.map(({ response }) => response),
)

/** The body that creates a webhook. */
export const CreateRequest = Schema.union(
  'CreateWebhookRequest',
  'A webhook to create',
  kinds.map(({ request }) => request),
)

/** Returns a webhook, with its first keys, in the Data API's format. */
export function webhook(row: Webhooks.Webhook, keys: readonly Uint8Array[], context: WebhookContext): Body {
  return {
    id: row.id,
    url: row.url,
    chainId: row.chain,
    status: row.is_active ? 'active' : 'inactive',
    inactiveReason: row.inactive_reason ?? undefined,
    createdAt: Number(row.created_at),
    name: row.name,
    description: row.description,
    secretEncoding: row.secret_encoding,
    eventType: row.event_type,
    ...kindOf(row.event_type).body(row.settings, keys, context),
  }
}
