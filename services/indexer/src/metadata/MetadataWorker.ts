import type { PublicFetch } from '@firn/http'
import { type Clock, type Logger, pause, silentLogger, systemClock } from '@firn/runtime'
import type { DueToken, TokenOutcome, TokenQueue } from '@firn/store'
import { Counter, Gauge, Registry } from 'prom-client'
import { STATUS_OF } from './Failure.ts'
import { outcomeOf, type Result } from './Outcome.ts'
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

/** Time in milliseconds for which outcomes are collected. They are then written together. */
const GATHER_MS = 50

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

  return {
    async run(signal) {
      /** Tokens in progress, from the moment they are taken from the queue until their outcome is written. */
      const taken = new Map<string, Promise<void>>()
      const ended: TokenOutcome[] = []
      let wake = () => {}

      const look = async (token: DueToken, answer: UriAnswer) => {
        const result = await tryToken(token, answer, signal).catch((error: unknown): Result => {
          if (!signal.aborted) logger.error({ err: error }, 'processing the metadata of a token failed')
          return { failure: 'fault' }
        })
        if (signal.aborted) return
        const uri = typeof answer === 'string' ? answer : ''
        ended.push(outcomeOf(token, uri, result, { nowMs: clock.now(), random, mostAttempts }))
        metrics.count(result)
        wake()
      }

      const write = async () => {
        const outcomes = ended.slice()
        if (outcomes.length === 0) return
        await queue.store(outcomes)
        ended.splice(0, outcomes.length)
        for (const outcome of outcomes) taken.delete(keyOf(outcome))
      }

      const take = async (): Promise<boolean> => {
        const room = concurrency - taken.size
        if (room < concurrency / 2) return false
        const due = await queue.due(concurrency, BigInt(Math.floor(clock.now() / 1_000)))
        const fresh = due.filter((token) => !taken.has(keyOf(token))).slice(0, room)
        if (fresh.length === 0) return false
        const answers = await readApart(readUris, fresh, signal)
        for (const [i, token] of fresh.entries())
          taken.set(keyOf(token), look(token, answers[i] ?? { error: 'unavailable' }))
        return true
      }

      let failures = 0
      while (!signal.aborted) {
        const ending = new Promise<void>((settle) => {
          wake = settle
        })
        try {
          await write()
          const took = await take()
          failures = 0
          metrics.taken.set(taken.size)
          if (!took && ended.length === 0) await sleepUnless(ending, idleMs, clock, signal)
          await sleepUnless(undefined, GATHER_MS, clock, signal)
        } catch (error) {
          if (signal.aborted) break
          failures++
          logger.warn({ err: error }, 'the metadata worker is waiting for its node or its database')
          await pause(failures, { clock, random }, signal)
        }
      }
      await Promise.all(taken.values())
    },
  }
}

/** Resolves when `earlier` resolves, when `ms` milliseconds have passed, or when the signal is aborted. */
async function sleepUnless(
  earlier: Promise<void> | undefined,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController()
  const end = () => done.abort()
  // With `AbortSignal.any`, the long-lived signal would keep references to all combined signals.
  signal.addEventListener('abort', end, { once: true })
  const slept = signal.aborted ? undefined : clock.sleep(ms, done.signal).catch(() => {})
  await (earlier === undefined ? slept : Promise.race([earlier, slept]))
  signal.removeEventListener('abort', end)
  done.abort()
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

function shared<M>(registry: Registry, name: string, make: (name: string) => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make(name)
}

const keyOf = ({ contract, tokenId }: { readonly contract: Uint8Array; readonly tokenId: bigint }): string =>
  `${Buffer.from(contract).toString('hex')}/${tokenId}`
