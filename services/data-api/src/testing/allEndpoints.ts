import { recordedEvmStore, recordedStore } from '@firn/store/testing'
import { evmEndpoints } from '../evm/Endpoints.ts'
import type { Endpoint } from '../front/Endpoint.ts'
import { healthEndpoints } from '../health.ts'
import { metricsEndpoints } from '../metrics/Endpoints.ts'
import { endpointsOf } from './serve.ts'
import { evmContextOf } from './serveEvm.ts'

/** Returns all endpoints, backed by a recorded network and a recorded EVM chain. For tests only. */
export async function allEndpoints(): Promise<readonly Endpoint[]> {
  const context = await evmContextOf([await recordedEvmStore('c')], { nativeBalance: async () => 1n })
  const store = await recordedStore('local')
  return [
    ...(await endpointsOf(store)),
    ...evmEndpoints(context),
    ...metricsEndpoints(context),
    ...healthEndpoints({ store, ...context }),
  ]
}
