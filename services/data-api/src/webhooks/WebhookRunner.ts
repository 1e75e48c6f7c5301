import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import { type ServiceStore, WebhookDeliveries, WebhookQueue, WebhookSources } from '@firn/service-store'
import { Counter, type Registry as Metrics } from 'prom-client'
import type { EvmChainSource, EvmContext } from '../evm/chain/EvmContext.ts'
import type { DataContext } from '../primary/network/Context.ts'
import type { Change, Feed } from './common/Feed.ts'
import type { Send } from './common/Sender.ts'
import * as Source from './common/Source.ts'
import { createDeliverer } from './delivery/Deliverer.ts'
import type { RetryPolicy } from './delivery/RetryPolicy.ts'
import { createEvaluator, type Evaluator } from './Evaluator.ts'
import type { FeedContext, Kind } from './kinds/Kind.ts'
import { EVENT_TYPES, KINDS } from './kinds/Kinds.ts'
import type { BlockWatch } from './primary/BlockWatch.ts'
import { primaryFeed } from './primary/primaryFeed.ts'
import { createRegistry, type Registry } from './Registry.ts'

/** Options of {@link startWebhooks}. */
export interface RunnerOptions {
  /** Store with the webhooks. */
  readonly home: ServiceStore
  /** The served EVM chains. The list may grow. */
  readonly chains: readonly EvmChainSource[]
  /** The context of the same chains; without it, no events are sent for undelivered messages. */
  readonly evm?: EvmContext | undefined
  /** The served Primary Network; undefined if it is not served. */
  readonly primary?: DataContext | undefined
  readonly send: Send
  readonly timeoutMs: number
  /** Time in milliseconds for which deliveries are kept, for replays. */
  readonly keepMs: number
  readonly concurrency?: number | undefined
  readonly perHost?: number | undefined
  readonly retries?: RetryPolicy | undefined
  /** As in the options of the deliverer and of the evaluators. */
  readonly spareMs?: number | undefined
  readonly leaseMs?: number | undefined
  readonly clock?: Clock | undefined
  readonly random?: (() => number) | undefined
  readonly logger?: Logger | undefined
  readonly metrics?: Metrics | undefined
  /** Called after messages were queued, for those who read them as streams. */
  readonly onQueued?: (() => void) | undefined
}

/** The workers of webhooks in this process. */
export interface WebhookRunner {
  /** Tells that a webhook has changed. */
  wake(): void
  /** Stops the workers. Messages that are being sent are aborted, and sent again by others. */
  close(): Promise<void>
}

/** Time in milliseconds between two looks for chains that were stored meanwhile. */
const LOOK_MS = 500
/** Time in milliseconds between two removals of old deliveries, and the number of rows of each statement. */
const PRUNE_MS = 600_000
const PRUNE_ROWS = 5_000

/**
 * Starts the workers: one that compares the blocks of each chain with the webhooks, and one that sends messages. Any
 * number of processes may run them on the same database.
 */
export function startWebhooks(options: RunnerOptions): WebhookRunner {
  const { home, chains, clock = systemClock, random = Math.random, logger = silentLogger } = options
  const stop = new AbortController()
  const { signal } = stop
  const holder = crypto.randomUUID()
  const registry = createRegistry(home)
  const common = { holder, clock, random, logger }
  const attempts = counterOf(options.metrics)
  const deliverer = createDeliverer({
    ...common,
    store: home,
    send: options.send,
    timeoutMs: options.timeoutMs,
    retries: options.retries,
    concurrency: options.concurrency,
    perHost: options.perHost,
    spareMs: options.spareMs,
    count: ({ failure }) => attempts?.inc({ result: failure ?? 'delivered' }),
  })
  const onQueued = () => {
    deliverer.wake()
    options.onQueued?.()
  }
  const evaluators: Evaluator[] = []
  const running: Promise<void>[] = []
  const run = <C extends Change>(feed: Feed<C>) => {
    const { leaseMs } = options
    const evaluator = createEvaluator({ ...common, home, registry, leaseMs, onQueued }, feed)
    evaluators.push(evaluator)
    running.push(evaluator.run(signal))
  }
  const { primary } = options
  if (primary !== undefined)
    for (const alias of CHAIN_ALIASES) run(primaryFeed(alias, primary, watchesOf(registry, alias)))
  const followed = new Set<EvmChainSource>()
  const look = () => {
    for (const chain of chains) {
      if (followed.has(chain) || chain.chain.isEventsOnly === true) continue
      followed.add(chain)
      for (const feed of feedsOf(registry, chain, { evm: options.evm, logger, now: () => clock.now() }))
        run(feed)
    }
  }
  look()
  const timer = setInterval(look, LOOK_MS).unref()
  WebhookSources.listen(home, deliverer.wake)
  // The workers cope with rows that a dead process has claimed, so a failure here only delays them.
  const released = WebhookQueue.releaseDead(home).catch(() => undefined)
  running.push(
    released.then(() => deliverer.run(signal)),
    prune(options, clock, signal),
  )
  return {
    wake() {
      for (const evaluator of evaluators) evaluator.wake()
      deliverer.wake()
    },
    async close() {
      clearInterval(timer)
      stop.abort()
      await Promise.all(running)
    },
  }
}

/** Returns the webhooks of all kinds on a chain of the Primary Network. */
function watchesOf(registry: Registry, alias: ChainAlias): readonly BlockWatch[] {
  return EVENT_TYPES.flatMap((type) => {
    const { follow }: Kind = KINDS[type]
    return follow.over === 'primary' ? [follow.watch(registry.of(type, Source.ofPrimary(alias)))] : []
  })
}

/** Returns the changes of an EVM chain for the webhooks of all kinds. */
function feedsOf(registry: Registry, chain: EvmChainSource, context: FeedContext): readonly Feed<Change>[] {
  return EVENT_TYPES.flatMap((type) => {
    const { follow }: Kind = KINDS[type]
    if (follow.over !== 'evm') return []
    return follow.feed(chain, registry.of(type, follow.sourceOf(chain.chain.chainId)), context) ?? []
  })
}

/** Removes old deliveries from time to time. */
async function prune({ home, keepMs }: RunnerOptions, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(PRUNE_MS, signal).catch(() => undefined)
    try {
      while (!signal.aborted && (await WebhookDeliveries.prune(home, clock.now() - keepMs, PRUNE_ROWS)) > 0);
    } catch {
      // The next round tries again.
    }
  }
}

function counterOf(metrics: Metrics | undefined) {
  if (metrics === undefined) return undefined
  return new Counter({
    name: 'firn_webhook_attempts_total',
    help: 'Number of attempts to send messages of webhooks, by result',
    labelNames: ['result'],
    registers: [metrics],
  })
}
