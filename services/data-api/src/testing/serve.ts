import type { Store } from '@firn/store'
import fastify, { type FastifyInstance } from 'fastify'
import { createAccess } from '../http/admission/Access.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { createPageTokens } from '../http/endpoint/PageToken.ts'
import { restPlugin, serverOptions } from '../http/RestPlugin.ts'
import { bodyForm } from '../metadata/MoneyForm.ts'
import { primaryNetworkEndpoints } from '../primary/Endpoints.ts'
import type { DataContext } from '../primary/network/Context.ts'
import { aggregateSignatures } from '../signature-aggregator/aggregateSignatures.ts'
import { getAggregatedSignatures } from '../signature-aggregator/getAggregatedSignatures.ts'

/** A parsed response. For tests only. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
  readonly json: any
}

/** Returns the dependencies of the endpoints of a recorded network. For tests only. */
export async function contextOf(store: Store, more: Partial<DataContext>): Promise<DataContext> {
  const network = await store.network()
  if (network === undefined) throw new Error('the store contains no network')
  return {
    store,
    ...network,
    networkNames: new Map(['fuji', 'testnet', 'local'].map((name) => [name, 'fuji'])),
    tokens: createPageTokens(new Uint8Array(32).fill(1)),
    now: () => 1_795_220_000_000,
    aggregate: undefined,
    ...more,
  }
}

/**
 * Returns the endpoints for a store. The network gets the names that the official client accepts. For tests
 * only.
 */
export async function endpointsOf(
  store: Store,
  more: Partial<DataContext> = {},
): Promise<readonly Endpoint[]> {
  const context = await contextOf(store, more)
  return [
    ...primaryNetworkEndpoints(context),
    aggregateSignatures(context, 'auto'),
    getAggregatedSignatures(context, 'auto'),
  ]
}

/** Creates a Data API server for a store. For tests only. */
export async function create(store: Store, more: Partial<DataContext> = {}): Promise<FastifyInstance> {
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const access = createAccess({ keys: async () => [], counters: undefined, anonymous: none, keyed: none })
  const server = fastify(serverOptions)
  const endpoints = await endpointsOf(store, more)
  await server.register(
    restPlugin({ title: 'Firn', version: '0', endpoints, access, timeoutMs: 600_000, bodyForm }),
  )
  return server
}

/**
 * Returns a function that sends requests to the Data API without a socket. A request with a body is sent as a
 * POST, others as a GET. For tests only.
 */
export async function serve(
  store: Store,
  more: Partial<DataContext> = {},
): Promise<(url: string, body?: object) => Promise<Answered>> {
  const server = await create(store, more)
  return async (url, body) => {
    const answer = await server.inject(body === undefined ? url : { method: 'POST', url, payload: body })
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
  }
}

/** Starts the Data API on a loopback port. For tests only. */
export async function listen(store: Store, more: Partial<DataContext> = {}) {
  const server = await create(store, more)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => server.close() }
}
