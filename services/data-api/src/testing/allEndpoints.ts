import { recordedEvmStore } from '@firn/evm-store/testing'
import { recordedStore } from '@firn/store/testing'
import { evmEndpoints } from '../evm/Endpoints.ts'
import { icmEndpoints } from '../evm/icm/Endpoints.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { metricsEndpoints } from '../metrics/Endpoints.ts'
import { healthEndpoints } from '../operate/health.ts'
import { webhookEndpoints } from '../webhooks/Endpoints.ts'
import { contextOf, endpointsOf } from './serve.ts'
import { evmContextOf } from './serveEvm.ts'
import { webhookContextOf } from './serveWebhooks.ts'

/** Returns all endpoints, backed by a recorded network and a recorded EVM chain. For tests only. */
export async function allEndpoints(): Promise<readonly Endpoint[]> {
  const context = await evmContextOf([await recordedEvmStore('c')], { nativeBalance: async () => 1n })
  const store = await recordedStore('local')
  return [
    ...(await endpointsOf(store)),
    ...evmEndpoints(context),
    ...icmEndpoints(context),
    ...metricsEndpoints(context),
    ...webhookEndpoints(await webhookContextOf(await recordedEvmStore('c'), await contextOf(store, {}))),
    ...healthEndpoints({ store, ...context }),
  ]
}
