import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import type { WebhookContext } from './common/WebhookContext.ts'
import { createWebhook } from './createWebhook.ts'
import { listDeliveries, replayWebhook } from './deliveries.ts'
import { listWebhooks } from './listWebhooks.ts'
import { deactivateWebhook, getWebhook, updateWebhook } from './oneWebhook.ts'
import { sendTest } from './sendTest.ts'
import { getSharedSecret, rotateSharedSecret } from './sharedSecret.ts'
import { changeWebhookAddresses, listWebhookAddresses } from './webhookAddresses.ts'

/** Returns the endpoints with which callers manage their webhooks. */
export function webhookEndpoints(context: WebhookContext): readonly Endpoint[] {
  return [
    createWebhook(context),
    listWebhooks(context),
    getWebhook(context),
    updateWebhook(context),
    deactivateWebhook(context),
    listWebhookAddresses(context),
    ...changeWebhookAddresses(context),
    listDeliveries(context),
    replayWebhook(context),
    sendTest(context),
    getSharedSecret(context),
    rotateSharedSecret(context),
  ]
}
