import { gzipSync } from 'node:zlib'
import { type AnswerCache, Exchange, type UpstreamHealth } from '@firn/node-api'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** What this process counts of its requests. */
export interface Metrics {
  readonly registry: Registry
  /** Sees a request of a base, such as `bc/P`; returns what to call when it is answered. */
  observe(base: string): () => void
}

/** What {@link createMetrics} tells of. */
export interface MetricsOptions {
  readonly cache: Pick<AnswerCache, 'statistics'>
  readonly upstreams: () => readonly UpstreamHealth[]
  /** The height of each chain that is served. */
  readonly heights: () => Readonly<Record<string, number>>
}

interface Calls {
  processing: number
  count: number
  nanoseconds: bigint
}

const MAX_BASES = 200

/** Returns counters at zero. The three of API calls are called as a node calls them. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const byBase = new Map<string, Calls>()
  addCalls(registry, byBase)
  addOwn(registry, options)
  return {
    registry,
    observe(base) {
      // An alias can be anything, so that their number has no bound; labels must have one.
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
  gauge('avalanche_api_calls_processing', 'Calls being answered now', ({ processing }) => processing)
  gauge('avalanche_api_calls_duration', 'Nanoseconds spent on calls', ({ nanoseconds }) =>
    Number(nanoseconds),
  )
  new Counter({
    name: 'avalanche_api_calls',
    help: 'Calls answered',
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
    help: 'Height of the last block that is served',
    labelNames: ['chain'],
    registers,
    collect() {
      for (const [chain, height] of Object.entries(heights())) this.set({ chain }, height)
    },
  })
  new Gauge({
    name: 'firn_node_upstream_healthy',
    help: 'Whether the last call of an upstream was answered',
    labelNames: ['url'],
    registers,
    collect() {
      for (const { url, healthy } of upstreams()) this.set({ url }, healthy ? 1 : 0)
    },
  })
  for (const [member, help] of [
    ['hits', 'Answers that were given again'],
    ['misses', 'Questions that had to be worked out'],
    ['entries', 'Answers kept'],
    ['bytes', 'Bytes of answers kept'],
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

/** Returns the endpoint of `/ext/metrics`: all registries in one text, compressed for who takes gzip. */
export function endpoint(registries: () => readonly Registry[]): Exchange.Endpoint {
  return {
    handle(exchange) {
      void Registry.merge([...registries()])
        .metrics()
        .then(
          (text) => sendText(exchange, text),
          (error: unknown) => Exchange.refuse(exchange, { status: 500, body: `${error}\n` }),
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
