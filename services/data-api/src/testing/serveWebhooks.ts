import type { EvmStore } from '@firn/evm-store'
import type { ApiKey } from '@firn/http'
import { systemClock } from '@firn/runtime'
import type { ServiceStore } from '@firn/service-store'
import fastify from 'fastify'
import { createAccess } from '../http/admission/Access.ts'
import { restPlugin, serverOptions } from '../http/RestPlugin.ts'
import { createKey, createKeyRing } from '../operate/KeyRing.ts'
import type { DataContext } from '../primary/network/Context.ts'
import { createSender } from '../webhooks/common/Sender.ts'
import type { WebhookContext } from '../webhooks/common/WebhookContext.ts'
import { webhookEndpoints } from '../webhooks/Endpoints.ts'
import { policyOf } from '../webhooks/WebhookOptions.ts'
import { evmContextOf } from './serveEvm.ts'

let bytes = 0

/** Returns the dependencies of the webhook endpoints. Webhooks may call this machine. For tests only. */
export async function webhookContextOf(
  store: ServiceStore & EvmStore,
  primary?: DataContext,
  more: Partial<WebhookContext> = {},
): Promise<WebhookContext> {
  const evm = await evmContextOf([store])
  const policy = policyOf({ networks: ['127.0.0.0/8'] })
  return {
    store,
    evm,
    primary,
    tokens: evm.tokens,
    policy,
    send: createSender({ policy, timeoutMs: 1_000, clock: systemClock }),
    secretEncoding: 'text',
    now: Date.now,
    random: (length) => new Uint8Array(length).fill(++bytes),
    wake: () => undefined,
    ...more,
  }
}

/** Starts the webhook endpoints on a loopback port. `createKey` creates an API key. For tests only. */
export async function serveWebhooks(context: WebhookContext) {
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const keys = createKeyRing(context.store, Date.now)
  const access = createAccess({ keys, counters: undefined, anonymous: none, keyed: none })
  const server = fastify(serverOptions)
  const endpoints = webhookEndpoints(context)
  await server.register(restPlugin({ title: 'Firn', version: '0', endpoints, access, timeoutMs: 600_000 }))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => server.close() }
}

/** Creates an API key with the given scopes. For tests only. */
export function newKey(store: ServiceStore, scopes: readonly ApiKey.Scope[] = ['webhooks']): Promise<string> {
  const key = { name: 'test', scopes, unitsPerMinute: undefined, unitsPerDay: undefined }
  return createKey(store, key, (length) => crypto.getRandomValues(new Uint8Array(length)), 0)
}
