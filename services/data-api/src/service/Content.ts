import { randomBytes } from 'node:crypto'
import { Network } from '@firn/codec'
import type { EvmChain } from '@firn/evm-store'
import type { ApiKey } from '@firn/http'
import type { Observe } from '@firn/rpc'
import { type Logger, silentLogger, systemClock } from '@firn/runtime'
import { Secrets, type ServiceStore, type UsageStore } from '@firn/service-store'
import type { Store } from '@firn/store'
import { Tracing } from '@firn/tracing'
import type { Registry } from 'prom-client'
import { getCompleteness } from '../changes/getCompleteness.ts'
import { listChanges } from '../changes/listChanges.ts'
import type { AbiSources } from '../decoding/AbiSources.ts'
import { createContractCalls } from '../evm/balances/ContractCalls.ts'
import { createNativeBalances } from '../evm/balances/NativeBalances.ts'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { createLedgerChains, withPrimaryIds } from '../evm/chain/LedgerChains.ts'
import { openChains, type ServedChain } from '../evm/chain/ServedChains.ts'
import { evmEndpoints } from '../evm/Endpoints.ts'
import { icmEndpoints } from '../evm/icm/Endpoints.ts'
import { getImage } from '../evm/tokens/getImage.ts'
import type { ExportLimits } from '../exports/ExportLimits.ts'
import { createExports } from '../exports/Exports.ts'
import type { ExportTask } from '../exports/ExportTask.ts'
import { type ExportContext, exportDownload, exportEndpoints } from '../exports/exportEndpoints.ts'
import { sourceOf } from '../exports/Kinds.ts'
import { createPayer, type Payer } from '../http/admission/Payer.ts'
import type { Counters } from '../http/admission/RateLimit.ts'
import type * as Caller from '../http/endpoint/Caller.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import { createPageTokens, type PageTokens } from '../http/endpoint/PageToken.ts'
import type { Metadata } from '../metadata/Metadata.ts'
import { metricsEndpoints, stakingMetricsEndpoints } from '../metrics/Endpoints.ts'
import { healthEndpoints } from '../operate/health.ts'
import { createKeyRing, listKeys } from '../operate/KeyRing.ts'
import { allShapes, primaryNetworkEndpoints } from '../primary/Endpoints.ts'
import { getAvaxSupply } from '../primary/getAvaxSupply.ts'
import type { DataContext } from '../primary/network/Context.ts'
import { kindsOf, namesOf } from '../primary/network/NetworkNames.ts'
import { createObserver } from '../primary/network/Observer.ts'
import type { AggregateStatus } from '../signature-aggregator/AggregateStatus.ts'
import { aggregateSignatures } from '../signature-aggregator/aggregateSignatures.ts'
import { getAggregatedSignatures } from '../signature-aggregator/getAggregatedSignatures.ts'
import { type Aggregate, createAggregatorClient, type Fetch } from '../upstream/AggregatorClient.ts'
import { createNodePools, patienceOf } from '../upstream/nodePools.ts'
import { apiLogs } from '../usage/apiLogs.ts'
import { apiUsage } from '../usage/apiUsage.ts'
import { createRequestRecorder, REQUEST_LOG, type RequestLogOptions } from '../usage/RequestRecorder.ts'
import { subnetRpcUsage } from '../usage/subnetRpcUsage.ts'
import { webhookEndpoints } from '../webhooks/Endpoints.ts'
import { openWebhooks } from '../webhooks/openWebhooks.ts'
import { streamMessages } from '../webhooks/stream/streamMessages.ts'
import type { WebhookOptions } from '../webhooks/WebhookOptions.ts'

/** The network and the EVM chains that the service serves, with their data sources. */
export interface Content {
  /** Store of the Primary Network; undefined if the network is not served. */
  readonly store?: Store | undefined
  /** EVM chains to serve; by default none. */
  readonly chains?: readonly ServedChain[] | undefined
  /** Store in which gateways and this service count requests. If undefined, the usage endpoints return no metrics. */
  readonly usage?: UsageStore | undefined
  /** An additional accepted value of `{network}`, such as `fuji` for a custom network. */
  readonly alias?: string | undefined
  /** Base URL of the signature aggregator. If undefined, the signature endpoints return an error. */
  readonly aggregatorUrl?: string | undefined
  /** Function that sends requests to the aggregator; by default over HTTP. */
  readonly aggregatorFetch?: Fetch | undefined
  readonly aggregateStatus: AggregateStatus
  /** Which requests with API keys are kept, and for how long. */
  readonly requestLog?: RequestLogOptions | undefined
  /** Limits of exports. */
  readonly exports?: ExportLimits | undefined
  /** What the operator says about chains, tokens, addresses and subnets; by default nothing. */
  readonly metadata?: Metadata | undefined
  /** ABIs and signatures for decoding; by default of common standards. */
  readonly abis?: AbiSources | undefined
  /**
   * Base URLs of nodes that report observations of validators. Without them, uptimes and versions are
   * unknown.
   */
  readonly upstreams?: readonly string[] | undefined
  /** Which URLs webhooks may have, and whether this process sends their messages. */
  readonly webhooks?: WebhookOptions | undefined
  /** Maximum time of a request in milliseconds. */
  readonly timeoutMs: number
  readonly log?: Logger | undefined
}

/**
 * Opens the served network and chains. Returns their endpoints and, as `home`, the store that contains API keys and
 * secrets: the network's store or, without a network, the store of the first chain. `keys` reads the API keys, and
 * `recorder` keeps requests with them. `observe` observes each request to a
 * node. `metrics` receives the metrics of webhooks. `charged` is how callers pay for exports; without it, they do not.
 */
export async function open(
  options: Content,
  observe?: Observe,
  limiter?: Pick<Counters, 'check'>,
  metrics?: Registry,
  charged?: Caller.Allowances & { readonly counters: Counters },
) {
  const { store, chains: served = [], usage } = options
  const home: ServiceStore | undefined = store ?? served[0]?.store
  if (home === undefined) {
    throw new DataApiError(
      'DATA_CONFIGURATION',
      'nothing to serve; pass the store of a network or at least one EVM chain',
    )
  }
  const tokens = createPageTokens(await Secrets.shared(home, 'page tokens', () => randomBytes(32)))
  const network = await store?.network()
  const complete = (chain: EvmChain) => (network ? withPrimaryIds(chain, network.genesis) : chain)
  const chains = await openChains(served, complete, { metadata: options.metadata, abis: options.abis })
  const nodes = new Map(served.map((one) => [one.store.chainId, one.nodes]))
  const pools = createNodePools(nodes, { observe, timeoutMs: patienceOf(options.timeoutMs) }, Date.now)
  const nativeBalance = createNativeBalances(pools)
  const context: EvmContext = {
    chains: chains.sources,
    isPending: (chainId) => chains.pending.has(chainId),
    ledgerChains: store && createLedgerChains(store),
    networkKinds: network && kindsOf(network.constants.networkId, options.alias),
    tokens,
    aggregate: network && aggregateOf(options, network.constants.networkId),
    now: Date.now,
    nativeBalance,
    callContracts: createContractCalls(pools),
  }
  const primary = store && (await contextOf(options, store, tokens, observe))
  const keys: () => Promise<readonly ApiKey.StoredKey[]> = createKeyRing(home, Date.now)
  const webhooks = openWebhooks(options.webhooks, {
    ...{ store: home, evm: context, primary, tokens, keys, now: Date.now, random: randomBytes },
    ...{ logger: options.log, metrics },
  })
  const payer = charged && createPayer({ ...charged, keys })
  const exporting = openExports(options, context, primary, payer)
  const recorder =
    usage &&
    createRequestRecorder({
      // The keys are read apart from those that callers are checked with, which are cached for some seconds.
      ...{ usage, keys: () => listKeys(home), metrics, settings: options.requestLog ?? REQUEST_LOG },
      ...{ clock: systemClock, random: randomBytes, log: options.log ?? silentLogger },
    })
  // If no chain is served, the chain routes are omitted, because all of them could only return errors.
  const hasChains = served.length > 0
  const endpoints = [
    ...(primary === undefined
      ? []
      : [...networkEndpoints(options, primary), ...getAvaxSupply(primary, chains.sources)]),
    ...exportEndpoints(exporting),
    ...(hasChains
      ? [
          ...evmEndpoints(context),
          ...icmEndpoints(context),
          ...metricsEndpoints(context),
          getCompleteness(context),
        ]
      : []),
    ...subnetRpcUsage({ usage, now: Date.now, evm: context }),
    apiUsage({ usage, now: Date.now }),
    apiLogs({ usage, now: Date.now, tokens, keys }),
    ...webhookEndpoints(webhooks.context),
    ...healthEndpoints({ store, chains: chains.sources, limiter }),
  ]
  const close = async () => {
    await Promise.all([webhooks.close(), exporting.exports?.close(), recorder?.close()])
    chains.close()
  }
  const streams = [...(hasChains ? [listChanges(context)] : []), streamMessages(webhooks.context)]
  const downloads = [exportDownload(exporting), ...(hasChains ? [getImage(context)] : [])]
  return { home, keys, recorder, endpoints, streams, downloads, chains, close }
}

const EXPORT_LIMITS: ExportLimits = {
  anonymous: { maxRows: 100_000, maxBytes: 32 * 1_048_576 },
  keyed: { maxRows: 10_000_000, maxBytes: 2_048 * 1_048_576 },
  ...{ maxPerCaller: 2, maxBytes: 16_384 * 1_048_576, retentionMs: 86_400_000 },
}

/** Opens the exports of what is served. They need tables that can be written. */
function openExports(
  { usage, exports: limits = EXPORT_LIMITS, log = silentLogger }: Content,
  evm: EvmContext,
  context: DataContext | undefined,
  payer: Payer | undefined,
): ExportContext {
  const primary = context && { context, shapes: allShapes(context) }
  const rowsOf = (task: ExportTask) => sourceOf({ evm, primary }, task)
  const common = { sourceOf: rowsOf, clock: systemClock, random: Math.random, log, limits, payer }
  return { sourceOf: rowsOf, exports: usage && createExports({ ...common, store: usage }) }
}

function networkEndpoints({ aggregateStatus }: Content, context: DataContext): readonly Endpoint[] {
  return [
    ...primaryNetworkEndpoints(context),
    aggregateSignatures(context, aggregateStatus),
    getAggregatedSignatures(context, aggregateStatus),
    ...stakingMetricsEndpoints(context),
  ]
}

function aggregateOf(
  { aggregatorUrl: url, aggregatorFetch = fetch }: Content,
  networkId: number,
): Aggregate | undefined {
  if (url === undefined) return undefined
  const traced = Tracing.traceFetch('aggregate signatures', aggregatorFetch)
  return createAggregatorClient({ url, network: Network.formatName(networkId), fetch: traced })
}

async function contextOf(
  options: Content,
  store: Store,
  tokens: PageTokens,
  observe: Observe | undefined,
): Promise<DataContext> {
  const { alias, upstreams = [], metadata } = options
  const network = await store.network()
  if (network === undefined) {
    throw new DataApiError('DATA_CONFIGURATION', 'the database contains no network; run the indexer first')
  }
  const { networkId } = network.constants
  return {
    store,
    ...network,
    networkNames: namesOf(networkId, alias),
    tokens,
    now: Date.now,
    metadata,
    aggregate: aggregateOf(options, networkId),
    observations:
      upstreams.length === 0 ? undefined : createObserver({ urls: upstreams, now: Date.now, observe }),
  }
}
