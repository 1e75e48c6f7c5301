import type { DueImage, ImageOutcome, ImageQueue } from '@firn/evm-store'
import type { PublicFetch } from '@firn/outbound'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import { Counter, Gauge, Registry } from 'prom-client'
import { isPassing, STATUS_OF } from '../metadata/Failure.ts'
import { nextAttempt } from '../metadata/NextAttempt.ts'
import { runQueue } from '../metadata/QueueLoop.ts'
import { shared } from '../metadata/sharedMetric.ts'
import * as TokenUri from '../metadata/TokenUri.ts'
import { createImageTry, type ImageResult } from './ImageTry.ts'

/** Options of {@link createImageWorker}. */
export interface ImageWorkerOptions {
  readonly queue: ImageQueue
  /** Fetches images; see {@link FETCH_POLICY}. */
  readonly fetch: PublicFetch.PublicFetch
  /** Maximum total size in bytes of the chain's copies. The oldest ones are removed. 0 removes all and stores none. */
  readonly limit: number
  readonly random: () => number
  readonly gateways?: TokenUri.Gateways
  readonly clock?: Clock
  readonly logger?: Logger
  readonly registry?: Registry
  /** Value of the `chain` label in the metrics. */
  readonly chain?: string
  /** Maximum number of images fetched concurrently; default 8. */
  readonly concurrency?: number
  /** Maximum number of images fetched concurrently from one host; default 2. */
  readonly perHost?: number
  /** Maximum number of images fetched concurrently through one gateway; default 4. */
  readonly perGateway?: number
  /** Number of attempts after which a transient failure becomes final; default 5. */
  readonly mostAttempts?: number
  /** Milliseconds between two checks of an empty queue; default 1,000. */
  readonly idleMs?: number
}

/** Stores copies of the images of tokens. */
export interface ImageWorker {
  /** Runs until the signal is aborted. Failures of images, servers or the queue do not end it. */
  run(signal: AbortSignal): Promise<void>
}

/**
 * How images are fetched: up to 4 MiB in 30 seconds. Each redirect is checked like the URL itself. Content types do not
 * count, because the first bytes decide about the format.
 */
export const FETCH_POLICY = {
  bodyBytes: 4_194_304,
  accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
  isReadable: () => true,
} as const satisfies Partial<PublicFetch.Policy>

/** Part of the limit by which the copies may exceed it before the oldest ones are removed. */
const EXCESS = 1 / 64

/** Creates a worker. It starts when `run` is called. */
export function createImageWorker({
  queue,
  fetch,
  limit,
  random,
  gateways = TokenUri.GATEWAYS,
  clock = systemClock,
  logger = silentLogger,
  registry = new Registry(),
  chain = '',
  concurrency = 8,
  perHost = 2,
  perGateway = 4,
  mostAttempts = 5,
  idleMs = 1_000,
}: ImageWorkerOptions): ImageWorker {
  const metrics = createMetrics(registry, chain)
  const tryImage = createImageTry({ fetch, gateways, clock, perHost, perGateway })
  const isOn = limit > 0
  let filled: Awaited<ReturnType<ImageQueue['fill']>> | 'all' = isOn ? undefined : 'all'
  /** Bytes stored since the oldest copies were removed. Workers of other processes may have stored more before. */
  let excess = Number.POSITIVE_INFINITY

  const trim = async () => {
    if (excess <= limit * EXCESS) return
    metrics.use(await queue.trim(limit))
    excess = 0
  }

  const due = async (most: number): Promise<readonly DueImage[]> => {
    await trim()
    if (!isOn) return []
    const found = await queue.due(most, BigInt(Math.floor(clock.now() / 1_000)))
    // Images of tokens that were stored while images were not copied have time.
    if (found.length === 0 && filled !== 'all') filled = (await queue.fill(filled)) ?? 'all'
    return found
  }

  const look = async (image: DueImage, signal: AbortSignal): Promise<ImageOutcome | undefined> => {
    const result = await tryImage(image, signal).catch((error: unknown): ImageResult => {
      if (!signal.aborted) logger.error({ err: error }, 'copying the image of a token failed')
      return { failure: 'fault' }
    })
    if (signal.aborted) return undefined
    metrics.count(result)
    const { contract, tokenId, uri, attempts } = image
    const nowMs = clock.now()
    const row = { contract, tokenId, uri, result, checkedAt: BigInt(Math.floor(nowMs / 1_000)) }
    if (!('failure' in result)) return { ...row, attempts: 0, retryAt: undefined }
    const { failure, ...hints } = result
    const isTransient = failure in STATUS_OF && isPassing(STATUS_OF[failure as keyof typeof STATUS_OF])
    const context = { nowMs, random, mostAttempts }
    return { ...row, ...nextAttempt({ attempts, isTransient, ...hints }, context) }
  }

  return {
    run: (signal) =>
      runQueue<DueImage, ImageOutcome>(
        {
          due,
          start: async (images) => images.map((image) => look(image, signal)),
          async store(outcomes) {
            await queue.store(outcomes)
            for (const { result } of outcomes) if (!('failure' in result)) excess += result.bytes.length
            await trim()
          },
          onTaken: (images) => metrics.taken(images),
          name: 'image worker',
          ...{ concurrency, idleMs, clock, random, logger },
        },
        signal,
      ),
  }
}

/** Creates the metrics of one chain's worker. Workers of several chains can share a registry. */
function createMetrics(registry: Registry, chain: string) {
  const registers = [registry]
  const outcomes = shared(registry, 'firn_image_outcomes_total', (name) => {
    const help =
      'Number of images of tokens processed, by result: the content type or the reason of the failure.'
    return new Counter({ name, help, labelNames: ['chain', 'result'], registers })
  })
  const gauge = (metric: string, help: string) =>
    shared(registry, metric, (name) => new Gauge({ name, help, labelNames: ['chain'], registers }))
  const taken = gauge('firn_images_taken', 'Number of images of tokens being copied.')
  const images = gauge('firn_images_stored', 'Number of stored copies of images.')
  const bytes = gauge('firn_images_stored_bytes', 'Total size of the stored copies of images.')
  return {
    count: (result: ImageResult) =>
      outcomes.inc({ chain, result: 'failure' in result ? result.failure : result.contentType }),
    taken: (count: number) => taken.set({ chain }, count),
    use: (usage: { readonly images: number; readonly bytes: number }) => {
      images.set({ chain }, usage.images)
      bytes.set({ chain }, usage.bytes)
    },
  }
}
