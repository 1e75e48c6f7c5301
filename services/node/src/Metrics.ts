import { gzipSync } from 'node:zlib'
import { type AnswerCache, Exchange, Units, type UpstreamHealth } from '@firn/node-api'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Request metrics of this process. */
export interface Metrics {
  /**
   * Records a request to a base path such as `bc/P`. Returns a function that must be called when the response
   * is sent.
   */
  observe(base: string): () => void
}

/** Options of {@link createMetrics}. */
export interface MetricsOptions {
  readonly registry: Registry
  readonly cache: Pick<AnswerCache, 'statistics'>
  readonly upstreams: () => readonly UpstreamHealth[]
  /** Returns the last height of each served chain, by chain name. */
  readonly heights: () => Readonly<Record<string, number>>
}

interface Calls {
  processing: number
  count: number
  nanoseconds: bigint
}

const MAX_BASES = 200

/**
 * Adds the metrics of this process to the registry. The three metrics of API calls have the same names as in a node.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const { registry } = options
  collectDefaultMetrics({ register: registry })
  const byBase = new Map<string, Calls>()
  addCalls(registry, byBase)
  addOwn(registry, options)
  return {
    observe(base) {
      // Clients can choose any base path through aliases, so the number of labels must be limited.
      const name = byBase.has(base) || byBase.size < MAX_BASES ? base : 'others'
      const calls = byBase.get(name) ?? { processing: 0, count: 0, nanoseconds: 0n }
      byBase.set(name, calls)
      calls.processing += 1
      const start = process.hrtime.bigint()
      return () => {
        calls.processing -= 1
        calls.count += 1
        calls.nanoseconds += process.hrtime.bigint() - start
      }
    },
  }
}

function addCalls(registry: Registry, byBase: ReadonlyMap<string, Calls>): void {
  const gauge = (name: string, help: string, read: (calls: Calls) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['base'],
      registers: [registry],
      collect() {
        for (const [base, calls] of byBase) this.set({ base }, read(calls))
      },
    })
  gauge('avalanche_api_calls_processing', 'Number of API calls in progress', ({ processing }) => processing)
  gauge('avalanche_api_calls_duration', 'Nanoseconds spent on API calls', ({ nanoseconds }) =>
    Number(nanoseconds),
  )
  new Counter({
    name: 'avalanche_api_calls',
    help: 'Number of completed API calls',
    labelNames: ['base'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [base, { count }] of byBase) this.inc({ base }, count)
    },
  })
}

function addOwn(registry: Registry, { cache, upstreams, heights }: MetricsOptions): void {
  const registers = [registry]
  new Gauge({
    name: 'firn_node_height',
    help: 'Height of the last block served',
    labelNames: ['chain'],
    registers,
    collect() {
      for (const [chain, height] of Object.entries(heights())) this.set({ chain }, height)
    },
  })
  new Gauge({
    name: 'firn_node_upstream_healthy',
    help: 'Whether the last call to an upstream succeeded (1) or failed (0)',
    labelNames: ['url'],
    registers,
    collect() {
      for (const { url, healthy } of upstreams()) this.set({ url }, healthy ? 1 : 0)
    },
  })
  for (const [member, help] of [
    ['hits', 'Number of responses served from the cache'],
    ['misses', 'Number of responses that were not found in the cache'],
    ['entries', 'Number of responses in the cache'],
    ['bytes', 'Size of the cached responses in bytes'],
  ] as const) {
    new Gauge({
      name: `firn_node_answer_cache_${member}`,
      help,
      registers,
      collect() {
        this.set(cache.statistics()[member])
      },
    })
  }
}

/**
 * Returns the endpoint of `/ext/metrics`: the metrics of all registries as one text, compressed if the client
 * accepts gzip.
 */
export function endpoint(registries: () => readonly Registry[]): Exchange.Endpoint {
  return {
    units: Units.DOCUMENT,
    handle(exchange) {
      void Registry.merge([...registries()])
        .metrics()
        .then(
          (text) => sendText(exchange, text),
          (error: unknown) => Exchange.fail(exchange, error),
        )
    },
  }
}

function sendText(exchange: Exchange.Exchange, text: string): void {
  const type = ['Content-Type', Registry.PROMETHEUS_CONTENT_TYPE]
  const accepted = String(exchange.request.headers['accept-encoding'] ?? '')
  if (!/\bgzip\b/.test(accepted)) Exchange.send(exchange, 200, type, text)
  else Exchange.send(exchange, 200, [...type, 'Content-Encoding', 'gzip'], gzipSync(text))
}
