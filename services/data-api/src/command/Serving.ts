import type { Ports } from '@firn/http'
import { limitHeapGrowth, type Terminal, type Values } from '@firn/options'
import type { Logger } from '@firn/runtime'
import { createDataApi, type DataApiService, type ServiceOptions as Service } from '../service/Service.ts'
import type * as ServingOptions from './ServingOptions.ts'
import { VERSION } from './Version.ts'

/** Settings of the Data API. */
export type Serving = Ports.MaybeBound<
  Values<typeof ServingOptions.OPTIONS> & { readonly port: number },
  'port' | 'metricsPort'
> & {
  readonly aggregatorUrl?: string | undefined
  /** Nodes that observe the uptime of validators. */
  readonly upstream?: readonly string[]
}

/** In percent. Answers are short-lived, so V8 would let the heap grow to a multiple of what is in use. */
const HEAP_GROWTH = 100

/** Data that the Data API serves: a network, EVM chains, and the gateways' usage counts. */
export type Content = Pick<
  Service,
  | 'store'
  | 'chains'
  | 'usage'
  | 'problems'
  | 'registries'
  | 'links'
  | 'apis'
  | 'aggregatorFetch'
  | 'indexed'
  | 'parts'
  | 'local'
> & { readonly log: Logger }

/** Starts the Data API. */
export const serve = (content: Content, options: Serving): Promise<DataApiService> => {
  limitHeapGrowth(HEAP_GROWTH)
  return createDataApi({
    ...content,
    host: options.host,
    port: options.port,
    prefix: options.prefix,
    metrics:
      options.metricsPort === undefined
        ? undefined
        : { port: options.metricsPort, prefix: options.metricsPrefix ?? options.prefix },
    alias: options.networkAlias,
    limits: options.rateLimits
      ? {
          anonymous: {
            unitsPerMinute: options.anonymousUnitsPerMinute,
            unitsPerDay: options.anonymousUnitsPerDay,
            rowsPerSecond: options.anonymousRowsPerSecond,
            concurrent: options.anonymousConcurrency,
            streams: options.anonymousStreams,
          },
          keyed: {
            unitsPerMinute: options.keyUnitsPerMinute,
            unitsPerDay: options.keyUnitsPerDay,
            rowsPerSecond: options.keyRowsPerSecond,
            concurrent: options.keyConcurrency,
            streams: options.keyStreams,
          },
        }
      : undefined,
    redisUrl: options.redisUrl,
    aggregatorUrl: options.aggregatorUrl,
    aggregateStatus:
      options.aggregateStatus === 'auto' ? 'auto' : options.aggregateStatus === '201' ? 201 : 200,
    upstreams: options.upstream,
    metadataFile: options.metadata,
    abiFolder: options.abis,
    selectorFile: options.selectors,
    exports: {
      anonymous: { maxRows: options.anonymousExportRows, maxBytes: options.anonymousExportBytes },
      keyed: { maxRows: options.exportRows, maxBytes: options.keyExportBytes },
      maxBytes: options.exportBytes,
      maxPerCaller: options.exportsPerCaller,
      retentionMs: options.exportRetention,
    },
    requestLog: {
      logMs: options.requestLogKeep,
      logRows: options.requestLogRows,
      hasClients: options.requestLogClients,
      countsMs: options.usageKeep,
    },
    timeoutMs: options.requestTimeout,
    answerCacheBytes: options.answerCacheBytes,
    moneyForm: options.moneyForm,
    webhooks: {
      isDelivering: options.webhookDelivery,
      networks: options.webhookNetworks,
      timeoutMs: options.webhookTimeout,
      keepMs: options.webhookKeep,
      concurrency: options.webhookConcurrency,
      perHost: options.webhookHostConcurrency,
      retries: {
        longestMs: options.webhookLongestDelay,
        giveUpMs: options.webhookGiveUp,
        deactivateMs: options.webhookDeactivate,
      },
      streamsPerKey: options.webhookStreams,
      secretEncoding: options.webhookSecretEncoding,
    },
    operatorSocket: options.operatorSocket,
    proxies: options.proxies,
    trustedProxies: options.trustedProxies,
    maxConnections: options.maxConnections,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress,
    readTimeout: options.readTimeout,
    keepAliveTimeout: options.keepAliveTimeout,
    version: VERSION,
  })
}

/** Prints the URL of the Data API and an example request. */
export const print = ({ url }: DataApiService, name: string, terminal: Terminal): void => {
  terminal.print(`Data API         ${url}  (/docs, /openapi.json, /health, /metrics)`)
  terminal.print(`try              curl -s '${url}/v1/networks/${name}/subnets'`)
  terminal.print(
    `                 curl -s '${url}/v1/networks/${name}/blockchains/p-chain/transactions?pageSize=2'`,
  )
}

/** Prints example requests for the data of the first chain. */
export const printChainExamples = (
  dataUrl: string,
  chains: readonly { readonly chainId: bigint }[],
  terminal: Terminal,
): void => {
  const [{ chainId } = { chainId: 0n }] = chains
  terminal.print(`try              curl -s '${dataUrl}/v1/chains/${chainId}/blocks?pageSize=2'`)
  terminal.print(
    `                 curl -s '${dataUrl}/v2/chains/${chainId}/metrics/txCount?timeInterval=day'`,
  )
  terminal.print(`                 curl -sN '${dataUrl}/v1/changes/${chainId}?cursor=0'`)
}

/** Waits until the signal is aborted. */
export const untilAborted = async (signal: AbortSignal): Promise<void> => {
  // A timer is needed, because an abort listener does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000)
  try {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } finally {
    clearInterval(alive)
  }
}
