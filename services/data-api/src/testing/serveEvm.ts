import type { EvmStore } from '@firn/evm-store'
import fastify, { type FastifyInstance } from 'fastify'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { evmEndpoints } from '../evm/Endpoints.ts'
import { createAccess } from '../http/admission/Access.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { createPageTokens } from '../http/endpoint/PageToken.ts'
import { restPlugin, serverOptions } from '../http/RestPlugin.ts'
import { bodyForm } from '../metadata/MoneyForm.ts'
import type { Answered } from './serve.ts'

/** Returns the dependencies of the EVM endpoints for stores that contain chains. For tests only. */
export async function evmContextOf(
  stores: readonly EvmStore[],
  more: Partial<EvmContext> = {},
): Promise<EvmContext> {
  const chains = await Promise.all(
    stores.map(async (store) => {
      const chain = await store.chain()
      if (chain === undefined) throw new Error('the store contains no chain')
      return { store, chain }
    }),
  )
  return {
    chains,
    tokens: createPageTokens(new Uint8Array(32).fill(1)),
    now: () => 1_795_220_000_000,
    ...more,
  }
}

/** Creates a server with only the given EVM endpoints. For tests only. */
export async function createEvm(endpoints: readonly Endpoint[]): Promise<FastifyInstance> {
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const access = createAccess({ keys: async () => [], counters: undefined, anonymous: none, keyed: none })
  const server = fastify(serverOptions)
  await server.register(
    restPlugin({ title: 'Firn', version: '0', endpoints, access, timeoutMs: 600_000, bodyForm }),
  )
  return server
}

/** Returns a function that sends requests to the EVM endpoints without a socket. For tests only. */
export async function serveEvm(
  stores: readonly EvmStore[],
  more: Partial<EvmContext> = {},
): Promise<(url: string, method?: 'GET' | 'POST') => Promise<Answered>> {
  const server = await createEvm(evmEndpoints(await evmContextOf(stores, more)))
  return async (url, method = 'GET') => {
    const answer = await server.inject({ method, url })
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
  }
}
