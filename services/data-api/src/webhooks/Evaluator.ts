import { type Clock, type Logger, pause } from '@firn/runtime'
import { type ServiceStore, WebhookSources } from '@firn/service-store'
import type { Change, Feed, Progress } from './common/Feed.ts'
import { createWakeUp } from './delivery/WakeUp.ts'
import type { Registry } from './Registry.ts'

/** Options of {@link createEvaluator}. */
export interface EvaluatorOptions {
  /** Store with the webhooks. */
  readonly home: ServiceStore
  readonly registry: Registry
  /** Name of this process, unique among all processes. */
  readonly holder: string
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  /** Time in milliseconds after which another process may compare if this one is dead; default 5,000. */
  readonly leaseMs?: number | undefined
  /** Called after deliveries were queued. */
  readonly onQueued: () => void
}

/** Compares the changes of a source with the webhooks, and queues deliveries. */
export interface Evaluator {
  /** Tells that blocks or webhooks may have changed. */
  wake(): void
  /** Runs until the signal is aborted. Faults of the databases do not end it. */
  run(signal: AbortSignal): Promise<void>
}

/** Number of deliveries after which they are stored. */
const MOST_DELIVERIES = 10_000
/** Number of changes without deliveries after which the position is stored nevertheless. */
const MOST_UNSTORED = 1_000n
/** Time in milliseconds for which the right to compare is taken, and the part of it after which it is renewed. */
const LEASE_MS = 5_000
const RENEWED_AFTER = 0.3
/** Poll interval in milliseconds without a notification. */
const IDLE_MS = 1_000

/** Creates an evaluator. It starts when `run` is called. */
export function createEvaluator<C extends Change>(
  { home, registry, holder, clock, random, logger, onQueued, leaseMs = LEASE_MS }: EvaluatorOptions,
  feed: Feed<C>,
): Evaluator {
  const { source } = feed
  const wakeUp = createWakeUp(clock)
  let progress: (Progress & { stored: WebhookSources.SourcePosition }) | undefined
  let renewMs = 0

  /** Takes or renews the right to compare. Returns false while another process has it. */
  const acquire = async (): Promise<boolean> => {
    if (progress !== undefined && clock.now() < renewMs) return true
    renewMs = clock.now() + leaseMs * RENEWED_AFTER
    const stored = await WebhookSources.acquire(home, { source, holder, termMs: leaseMs })
    if (stored === undefined) progress = undefined
    else if (progress?.stored.sequence !== stored.sequence)
      progress = { stored, sequence: stored.sequence, settled: stored.settled }
    return stored !== undefined
  }

  /** Compares the next changes. Returns whether there may be more. */
  const round = async (): Promise<boolean> => {
    if (feed.lowest() === undefined) {
      await registry.refresh()
      return feed.lowest() !== undefined
    }
    // Read in the other order, a webhook that is created in between would miss a change that follows its creation.
    const tip = await feed.tip()
    await registry.refresh()
    const first = feed.lowest()
    if (first === undefined || !(await acquire()) || progress === undefined) return false
    // No messages are sent about changes before the first webhook became active.
    if (progress.sequence < first) progress.sequence = first
    const changes = await feed.changesAfter(progress)
    const steps: WebhookSources.SourceStep[] = []
    let deliveries = 0
    for (const change of changes) {
      if (change.sequence > tip) break
      const step = await feed.compare(change, progress)
      if (step !== undefined) steps.push(step)
      if (step !== undefined && 'events' in step)
        deliveries += step.events.reduce((sum, event) => sum + event.webhooks.length, 0)
      progress.sequence = change.sequence
      if (deliveries >= MOST_DELIVERIES) break
    }
    await store(progress, steps)
    return changes.length > 0
  }

  const store = async (
    current: Progress & { readonly stored: WebhookSources.SourcePosition },
    steps: readonly WebhookSources.SourceStep[],
  ) => {
    const { stored, sequence, settled } = current
    if (steps.length === 0 && settled === stored.settled && sequence - stored.sequence < MOST_UNSTORED) return
    const to = { sequence, settled }
    // Until the transaction is known to be stored, the position in memory is not to be relied on.
    progress = undefined
    const isStored = await WebhookSources.commit(home, {
      source,
      holder,
      from: stored,
      to,
      steps,
      nowMs: clock.now(),
    })
    if (!isStored) return
    progress = { stored: to, ...to }
    if (steps.length > 0) onQueued()
  }

  return {
    wake: wakeUp.wake,
    async run(signal) {
      const unlisten = feed.onAdvance(wakeUp.wake)
      let failures = 0
      while (!signal.aborted) {
        const woken = wakeUp.next()
        try {
          const isMore = await round()
          failures = 0
          if (!isMore) await woken.within(IDLE_MS, signal)
        } catch (error) {
          progress = undefined
          renewMs = 0
          if (signal.aborted) break
          if (failures++ === 0) logger.warn({ err: error, source }, 'webhooks wait for the blocks of a chain')
          await pause(failures, { clock, random }, signal)
        }
      }
      unlisten()
      await WebhookSources.release(home, source, holder).catch(() => undefined)
    },
  }
}
