import { createHash, createHmac } from 'node:crypto'
import type { SecretEncoding, WebhookQueue, Webhooks } from '@firn/service-store'
import { canonical } from '../common/canonical.ts'
import { kindOf } from '../kinds/Kinds.ts'

/** A message to send. */
export interface Message {
  /** The same for every attempt and replay, so that receivers can recognize repetitions. */
  readonly id: string
  readonly body: Uint8Array
}

/** Returns the message of a delivery. */
export function messageOf(
  webhook: Pick<Webhooks.Webhook, 'id' | 'event_type' | 'settings'>,
  delivery: Pick<WebhookQueue.QueuedDelivery, 'sequence' | 'position' | 'isRemoval' | 'body'>,
): Message {
  const id = messageId(webhook.id, delivery)
  const { isRemoval } = delivery
  const body = canonical({
    webhookId: webhook.id,
    eventType: webhook.event_type,
    messageId: id,
    ...(isRemoval ? { removed: true } : {}),
    event: kindOf(webhook.event_type).event(delivery.body, webhook.settings, isRemoval),
  })
  return { id, body: new TextEncoder().encode(body) }
}

/** Returns the id of a delivery's message: a UUID of version 8, made of a hash of the delivery's place. */
export function messageId(webhookId: string, { sequence, position }: WebhookQueue.DeliveryPlace): string {
  const hash = createHash('sha256').update(`${webhookId} ${sequence} ${position}`).digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.subarray(0, 16).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns the headers of a message. Without a secret, it is not signed. */
export function headersOf(
  { id, body }: Message,
  { secret_encoding }: Pick<Webhooks.Webhook, 'secret_encoding'>,
  secret: string | undefined,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': 'firn-webhooks',
    'x-message-id': id,
    ...(secret === undefined ? {} : { 'x-signature': sign(body, secret, secret_encoding) }),
  }
}

/** Returns the signature of a body: its HMAC-SHA256 in base64. The encoding says what of the secret is the key. */
export function sign(body: Uint8Array, secret: string, encoding: SecretEncoding): string {
  return createHmac('sha256', KEYS[encoding](secret)).update(body).digest('base64')
}

const KEYS: { readonly [E in SecretEncoding]: (secret: string) => Uint8Array } = {
  text: (secret) => Buffer.from(secret),
  hex: (secret) => Buffer.from(secret, 'hex'),
}
