import { recordedEvmStore } from '@firn/evm-store/testing'
import { recordedStore } from '@firn/store/testing'
import { getCompleteness } from '../changes/getCompleteness.ts'
import { listChanges } from '../changes/listChanges.ts'
import { getImage } from '../evm/tokens/getImage.ts'
import { exportDownload, exportEndpoints } from '../exports/exportEndpoints.ts'
import { createDocument } from '../http/Documentation.ts'
import type { Download } from '../http/endpoint/Download.ts'
import type { Endpoint, EventStream } from '../http/endpoint/Endpoint.ts'
import { stakingMetricsEndpoints } from '../metrics/Endpoints.ts'
import { getAvaxSupply } from '../primary/getAvaxSupply.ts'
import { apiLogs } from '../usage/apiLogs.ts'
import { apiUsage } from '../usage/apiUsage.ts'
import { subnetRpcUsage } from '../usage/subnetRpcUsage.ts'
import { openWebhooks } from '../webhooks/openWebhooks.ts'
import { streamMessages } from '../webhooks/stream/streamMessages.ts'
import { allEndpoints } from './allEndpoints.ts'
import { contextOf } from './serve.ts'
import { evmContextOf } from './serveEvm.ts'

/** Everything that the OpenAPI document of a service with all endpoints describes. For tests only. */
export interface Documented {
  readonly endpoints: readonly Endpoint[]
  readonly streams: readonly EventStream[]
  readonly downloads: readonly Download[]
  readonly document: Record<string, unknown>
}

/** Returns the OpenAPI document of all endpoints, backed by recorded chains. For tests only. */
export async function documented(): Promise<Documented> {
  const evm = await evmContextOf([await recordedEvmStore('c')])
  const exporting = { exports: undefined, sourceOf: () => Promise.reject(new Error('nothing to export')) }
  const endpoints = [
    ...(await allEndpoints()),
    ...stakingMetricsEndpoints(await contextOf(await recordedStore('local'), {})),
    ...getAvaxSupply(await contextOf(await recordedStore('local'), {}), []),
    getCompleteness(evm),
    ...subnetRpcUsage({ usage: undefined, now: () => 0, evm }),
    apiUsage({ usage: undefined, now: () => 0 }),
    apiLogs({ usage: undefined, now: () => 0, tokens: evm.tokens, keys: async () => [] }),
    ...exportEndpoints(exporting),
  ]
  const webhooks = openWebhooks(undefined, {
    ...{
      store: await recordedEvmStore('c'),
      evm,
      primary: undefined,
      tokens: evm.tokens,
      keys: async () => [],
    },
    ...{ now: () => 0, random: (length) => new Uint8Array(length), logger: undefined, metrics: undefined },
  })
  await webhooks.close()
  const streams = [listChanges(evm), streamMessages(webhooks.context)]
  const downloads = [exportDownload(exporting), getImage(evm)]
  const document = createDocument({ title: 'Firn Data API', version: '1', endpoints, streams, downloads })
  return { endpoints, streams, downloads, document }
}
