import type { OutboundTarget } from '@firn/outbound'
import type { SecretEncoding, ServiceStore, Webhooks } from '@firn/service-store'
import type { EvmContext } from '../../evm/chain/EvmContext.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { AnyCall } from '../../http/endpoint/Endpoint.ts'
import type { PageTokens } from '../../http/endpoint/PageToken.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import type { DataContext } from '../../primary/network/Context.ts'
import type { Send } from './Sender.ts'

/** Dependencies of the webhook endpoints. */
export interface WebhookContext {
  /** Store with the API keys, which also has the webhooks. */
  readonly store: ServiceStore
  readonly evm: EvmContext
  /** The served Primary Network; undefined if it is not served. */
  readonly primary: DataContext | undefined
  readonly tokens: PageTokens
  /** The URLs that webhooks may have. */
  readonly policy: OutboundTarget.TargetPolicy
  /** Sends a message, for tests that callers ask for. */
  readonly send: Send
  /** Encoding of the secret for webhooks whose creators choose none. */
  readonly secretEncoding: SecretEncoding
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  /** Tells the workers of this process that a webhook has changed. */
  readonly wake: () => void
}

/** Maximum number of webhooks of an API key. */
export const MOST_WEBHOOKS = 100_000
/** Maximum number of addresses of a webhook. */
export const MOST_KEYS = 10_000

/** Parameter for the id of a webhook. */
export const id = Parameter.text('the id of a webhook', (text) =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : undefined,
)

/**
 * Returns the owner of the webhooks that a call is about: the hash of its key.
 * @throws DataApiError `DATA_KEY`
 */
export function ownerOf({ key }: Pick<AnyCall, 'key'>): Uint8Array {
  if (key === undefined) throw new DataApiError('DATA_KEY', 'webhooks need an API key')
  return key.hash
}

/**
 * Returns a webhook that exists, and otherwise tells that the key has no such webhook.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export function found<T extends Webhooks.Webhook>(webhook: T | undefined): T {
  if (webhook !== undefined) return webhook
  throw new DataApiError(
    'DATA_NOT_FOUND',
    'id: your API key has no such webhook; GET /v1/webhooks lists them',
  )
}

/**
 * Rejects webhooks without a URL.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function assertUrl({ id, url }: Pick<Webhooks.Webhook, 'id' | 'url'>): void {
  if (url !== '') return
  const message = `id: the webhook has no URL and cannot get one; read its messages at /v1/webhooks/${id}/messages, or create a webhook with a URL`
  throw new DataApiError('DATA_PARAMETER', message)
}

/** What the endpoints have in common: callers need a key with the scope. */
export const OF_WEBHOOKS = { tag: 'Webhooks', scope: 'webhooks', needsKey: true } as const
