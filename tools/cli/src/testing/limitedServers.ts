import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAggregatorService, createConfiguration } from '@firn/aggregator'
import { createDataApi } from '@firn/data-api'
import { createDevnet } from '@firn/devnet'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { createGateway } from '@firn/gateway'
import type { ConnectionLimits } from '@firn/http'
import { createMonitor, ofNetwork } from '@firn/indexer'
import { createConfiguration as createNodeConfiguration, openService } from '@firn/node'
import { openUsage } from '@firn/service-store/testing'
import { recordedStore } from '@firn/store/testing'

/** A running server with limits of connections. For tests only. */
export interface LimitedServer {
  readonly name: string
  readonly url: string
  /** Path of the metrics, prefix of their names, and name of the listener in them. */
  readonly metrics: { readonly url: string; readonly prefix: string; readonly listener: string }
}

export type Limits = Partial<ConnectionLimits.ConnectionLimits>

/** Starts every server of Firn with the given limits. `own` is called with everything that must be closed. */
export async function startLimited(
  limits: Limits,
  own: (closing: { close(): unknown }) => void,
): Promise<readonly LimitedServer[]> {
  const groups = [startDataApi, startAggregator, startNode, startGateway, startMonitor]
  const started: LimitedServer[] = []
  for (const start of groups) started.push(...(await start(limits, own)))
  return started
}

type Start = (
  limits: Limits,
  own: (closing: { close(): unknown }) => void,
) => Promise<readonly LimitedServer[]>

const startDataApi: Start = async (connectionLimits, own) => {
  const usage = await openUsage()
  const service = await createDataApi({
    store: await recordedStore('local'),
    chains: [{ store: await recordedEvmStore('c'), nodes: [] }],
    usage,
    ...{ host: '127.0.0.1', port: 0, metrics: { port: 0 } },
    ...{ limits: undefined, connectionLimits },
    ...{ aggregatorUrl: 'http://127.0.0.1:9', aggregateStatus: 200, timeoutMs: 60_000, version: '0' },
  })
  own(usage)
  own(service)
  const of = (name: string, url: string, listener: string) => ({
    ...{ name, url },
    metrics: { url: `${url}/metrics`, prefix: 'firn_data_api', listener },
  })
  return [of('data api', service.url, 'api'), of('metrics api', service.metricsUrl, 'metrics')]
}

const startAggregator: Start = async (connectionLimits, own) => {
  const devnet = await createDevnet({ validators: 1 })
  own(devnet)
  const metricsPort = await freePort()
  const configuration = createConfiguration({
    ...{ pChainApi: devnet.rpcUrl, apiPort: 0, metricsPort, logLevel: 'off', rateLimitPerMinute: 0 },
  })
  const service = await createAggregatorService(configuration, { connectionLimits })
  own(service)
  const { url, metricsUrl = '' } = service
  const of = (name: string, at: string, listener: string) => ({
    ...{ name, url: at },
    metrics: { url: `${at}/metrics`, prefix: 'signature_aggregator', listener },
  })
  return [of('aggregator', url, 'api'), of('aggregator metrics', metricsUrl, 'metrics')]
}

const startNode: Start = async (connectionLimits, own) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'firn-limits-'))
  own({ close: () => rmSync(dataDir, { recursive: true, force: true }) })
  const { headersMs = 0, readMs = 0, idleMs = 0 } = connectionLimits
  const service = await openService({
    configuration: createNodeConfiguration({
      ...{ dataDir, httpPort: 0, stakingPort: 0 },
      ...{ httpReadTimeout: readMs, httpReadHeaderTimeout: headersMs, httpIdleTimeout: idleMs },
    }),
    store: await recordedStore('local'),
    display: { write: () => undefined },
    connectionLimits,
  })
  own(service)
  const metrics = { url: `${service.url}/ext/metrics`, prefix: 'firn_node', listener: 'api' }
  return [{ name: 'node api', url: service.url, metrics }]
}

const startGateway: Start = async (limits, own) => {
  const upstream = createServer(
    (_request, response) => void response.end('{"jsonrpc":"2.0","id":1,"result":"0xa868"}'),
  )
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  own(upstream)
  const usage = await openUsage()
  own(usage)
  const { connections, connectionsPerAddress, readMs: requestMs, idleMs } = limits
  const given = {
    connections,
    connectionsPerAddress,
    requestMs,
    idleMs,
    rate: undefined,
    refusals: undefined,
  }
  const node = new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`)
  const gateway = await createGateway({
    chains: [{ names: ['43112'], urls: [node] }],
    ...{ usage, host: '127.0.0.1', port: 0 },
    limits: Object.fromEntries(
      Object.entries(given).filter(([name, value]) => value !== undefined || name[0] === 'r'),
    ),
    now: () => performance.timeOrigin + performance.now(),
    random: { bytes: randomBytes, number: Math.random },
    log: { info: () => undefined, warn: () => undefined },
  })
  own(gateway)
  const { url } = gateway
  return [
    {
      name: 'gateway',
      url,
      metrics: { url: `${url}/metrics`, prefix: 'firn_gateway', listener: 'api' },
    },
  ]
}

const startMonitor: Start = async (limits, own) => {
  const metrics = { contentType: 'text/plain; version=0.0.4; charset=utf-8', getMetricsAsArray: () => [] }
  const status = () => ({
    ...{
      phase: 'following',
      problems: [],
      warnings: [],
      chains: undefined,
      blocksPerSecond: 0,
      secondsLeft: undefined,
    },
  })
  const indexer = { status, metrics, problemsOf: () => [] }
  const monitor = await createMonitor(ofNetwork(indexer as never), { port: 0, limits })
  own(monitor)
  const { url } = monitor
  return [
    {
      name: 'indexer monitor',
      url,
      metrics: { url: `${url}/metrics`, prefix: 'firn_indexer', listener: 'metrics' },
    },
  ]
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
