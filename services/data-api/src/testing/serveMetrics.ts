import type { EvmStore } from '@firn/evm-store'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { metricsEndpoints } from '../metrics/Endpoints.ts'
import { healthEndpoints } from '../operate/health.ts'
import type { Answered } from './serve.ts'
import { createEvm, evmContextOf } from './serveEvm.ts'

async function create(stores: readonly EvmStore[], more: Partial<EvmContext>) {
  const context = await evmContextOf(stores, more)
  return createEvm([...metricsEndpoints(context), ...healthEndpoints({ store: undefined, ...context })])
}

/** Returns a function that sends requests to the Metrics API without a socket. For tests only. */
export async function serveMetrics(
  stores: readonly EvmStore[],
  more: Partial<EvmContext> = {},
): Promise<(url: string) => Promise<Answered>> {
  const server = await create(stores, more)
  return async (url) => {
    const answer = await server.inject(url)
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
  }
}

/** Starts the Metrics API on a loopback port. For tests only. */
export async function listenMetrics(stores: readonly EvmStore[], more: Partial<EvmContext> = {}) {
  const server = await create(stores, more)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => server.close() }
}
