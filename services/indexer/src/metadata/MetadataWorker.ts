import type { DueToken, TokenOutcome, TokenQueue } from '@firn/evm-store'
import type { PublicFetch } from '@firn/outbound'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import { Counter, Gauge, Registry } from 'prom-client'
import { STATUS_OF } from './Failure.ts'
import { outcomeOf, type Result } from './Outcome.ts'
import { runQueue } from './QueueLoop.ts'
import { shared } from './sharedMetric.ts'
import { createTokenTry } from './TokenTry.ts'
import * as TokenUri from './TokenUri.ts'
import { type ReadUris, readApart, type UriAnswer } from './TokenUriReader.ts'

export interface MetadataWorkerOptions {
  readonly queue: TokenQueue
  readonly readUris: ReadUris
  readonly fetch: PublicFetch.PublicFetch
  readonly random: () => number
  readonly gateways?: TokenUri.Gateways
  readonly clock?: Clock
  readonly logger?: Logger
  readonly registry?: Registry
  /** Value of the `chain` label in the metrics. */
  readonly chain?: string
  /** Maximum number of tokens processed concurrently; default 32. */
  readonly concurrency?: number
  /** Maximum number of tokens fetched concurrently from one host; default 4. */
  readonly perHost?: number
  /** Maximum number of tokens fetched concurrently through one gateway; default 16. */
  readonly perGateway?: number
  /** Number of attempts after which a transient failure becomes final; default 8. */
  readonly mostAttempts?: number
  /** Milliseconds between two checks of an empty queue; default 1,000. */
  readonly idleMs?: number
}

/** Fetches the metadata of tokens. */
export interface MetadataWorker {
  /** Runs until the signal is aborted. Failures of tokens, servers, the node or the queue do not end it. */
  run(signal: AbortSignal): Promise<void>
}

/** Creates a worker. It starts when `run` is called. */
export function createMetadataWorker({
  queue,
  readUris,
  fetch,
  random,
  gateways = TokenUri.GATEWAYS,
  clock = systemClock,
  logger = silentLogger,
  registry = new Registry(),
  chain = '',
  concurrency = 32,
  perHost = 4,
  perGateway = 16,
  mostAttempts = 8,
  idleMs = 1_000,
}: MetadataWorkerOptions): MetadataWorker {
  const metrics = createMetrics(registry, chain)
  const tryToken = createTokenTry({ fetch, gateways, clock, perHost, perGateway })

  const look = async (token: DueToken, answer: UriAnswer, signal: AbortSignal) => {
    const result = await tryToken(token, answer, signal).catch((error: unknown): Result => {
      if (!signal.aborted) logger.error({ err: error }, 'processing the metadata of a token failed')
      return { failure: 'fault' }
    })
    if (signal.aborted) return undefined
    const uri = typeof answer === 'string' ? answer : ''
    metrics.count(result)
    return outcomeOf(token, uri, result, { nowMs: clock.now(), random, mostAttempts })
  }

  return {
    run: (signal) =>
      runQueue<DueToken, TokenOutcome>(
        {
          due: (limit) => queue.due(limit, BigInt(Math.floor(clock.now() / 1_000))),
          async start(tokens) {
            const answers = await readApart(readUris, tokens, signal)
            return tokens.map((token, i) => look(token, answers[i] ?? { error: 'unavailable' }, signal))
          },
          store: (outcomes) => queue.store(outcomes),
          onTaken: (tokens) => metrics.taken.set(tokens),
          name: 'metadata worker',
          ...{ concurrency, idleMs, clock, random, logger },
        },
        signal,
      ),
  }
}

/** Creates the metrics of one chain's worker. Workers of several chains can share a registry. */
function createMetrics(registry: Registry, chain: string) {
  const registers = [registry]
  const outcomes = shared(registry, 'firn_metadata_outcomes_total', (name) => {
    const help = 'Number of tokens processed, by resulting status and reason.'
    return new Counter({ name, help, labelNames: ['chain', 'status', 'reason'], registers })
  })
  const taken = shared(registry, 'firn_metadata_tokens_taken', (name) => {
    return new Gauge({ name, help: 'Number of tokens being processed.', labelNames: ['chain'], registers })
  })
  const count = (result: Result) => {
    if ('metadata' in result) return outcomes.inc({ chain, status: 'INDEXED', reason: 'indexed' })
    const reason = result.until === undefined ? result.failure : 'deferred'
    outcomes.inc({ chain, status: STATUS_OF[result.failure], reason })
  }
  return { taken: { set: (tokens: number) => taken.set({ chain }, tokens) }, count }
}
