import { isFirnError } from '@firn/codec'
import { type Clock, type Logger, pause } from '@firn/runtime'
import { type ServiceStore, WebhookSources } from '@firn/store'
import { EvmBlockContents, EvmChanges, type EvmSchema } from '@firn/store/evm'
import type { EvmChainSource } from '../../evm/EvmContext.ts'
import { createWakeUp } from '../delivery/WakeUp.ts'
import type { EvmWebhooks, Registry } from '../Registry.ts'
import * as Source from '../Source.ts'
import { matchedEvents } from './matchedEvents.ts'

/** Options of {@link createEvmEvaluator}. */
export interface EvmEvaluatorOptions {
  readonly chain: EvmChainSource
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

/** Compares the blocks of an EVM chain with the webhooks, and queues deliveries. */
export interface EvmEvaluator {
  /** Tells that blocks or webhooks may have changed. */
  wake(): void
  /** Runs until the signal is aborted. Faults of the databases do not end it. */
  run(signal: AbortSignal): Promise<void>
}

/** Number of changes that are read at once. */
const BATCH = 100
/** Number of deliveries after which they are stored. */
const MOST_DELIVERIES = 10_000
/** Number of changes without deliveries after which the position is stored nevertheless. */
const MOST_UNSTORED = 1_000n
/** Time in milliseconds for which the right to compare is taken, and the part of it after which it is renewed. */
const LEASE_MS = 5_000
const RENEWED_AFTER = 0.3
/** Time in milliseconds after which changes are looked for even if nobody has told of any. */
const IDLE_MS = 1_000

/** Where the comparison is. */
interface Progress {
  /** The stored position. */
  stored: WebhookSources.SourcePosition
  /** The last compared change, and how far settled blocks were told. Changes after the stored one concern no webhook. */
  sequence: bigint
  settled: bigint | undefined
}

/** Creates an evaluator. It starts when `run` is called. */
export function createEvmEvaluator(options: EvmEvaluatorOptions): EvmEvaluator {
  const { chain, home, registry, holder, clock, random, logger, leaseMs = LEASE_MS } = options
  const source = Source.ofEvm(chain.chain.chainId)
  const wakeUp = createWakeUp(clock)
  let progress: Progress | undefined
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
    await registry.refresh()
    const webhooks = registry.ofEvm(source)
    const lowest = [webhooks.executed.lowest(), webhooks.settled.lowest()].filter((one) => one !== undefined)
    if (lowest.length === 0 || !(await acquire()) || progress === undefined) return false
    // Nobody is told of what happened before the first webhook became active.
    const [first = 0n] = lowest.toSorted((one, other) => (one < other ? -1 : 1))
    if (progress.sequence < first) progress.sequence = first
    const changes = await changesAfter(progress)
    const steps: WebhookSources.SourceStep[] = []
    let deliveries = 0
    for (const change of changes) {
      const step = await compare(options, change, webhooks, progress)
      if (step !== undefined) steps.push(step)
      if (step !== undefined && 'events' in step)
        deliveries += step.events.reduce((sum, event) => sum + event.webhooks.length, 0)
      progress.sequence = change.sequence
      if (deliveries >= MOST_DELIVERIES) break
    }
    await store(progress, steps)
    return changes.length > 0
  }

  const changesAfter = async (from: Progress): Promise<readonly EvmSchema.ChangeRow[]> => {
    try {
      return await EvmChanges.after(chain.store, from.sequence, BATCH)
    } catch (error) {
      if (!isFirnError(error) || error.code !== 'STORE_PRUNED') throw error
      const oldest = error.details['oldest'] as bigint
      logger.warn(
        { source, after: String(from.sequence), oldest: String(oldest) },
        'changes were removed before webhooks were told',
      )
      from.sequence = oldest
      return []
    }
  }

  const store = async (current: Progress, steps: readonly WebhookSources.SourceStep[]) => {
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
    if (steps.length > 0) options.onQueued()
  }

  return {
    wake: wakeUp.wake,
    async run(signal) {
      const unlisten = chain.store.onAdvance(wakeUp.wake)
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

/** Returns what a change means for webhooks, or undefined if it means nothing. Updates how far settled blocks were told. */
async function compare(
  options: EvmEvaluatorOptions,
  change: EvmSchema.ChangeRow,
  webhooks: EvmWebhooks,
  progress: Progress,
): Promise<WebhookSources.SourceStep | undefined> {
  const { sequence, height } = change
  if (change.undone) {
    if (progress.settled !== undefined && progress.settled >= height) progress.settled = height - 1n
    return { sequence, removedBlock: change.hash }
  }
  const events: WebhookSources.MatchedEvent[] = []
  if (webhooks.executed.size > 0) {
    const block = await EvmBlockContents.atHeight(options.chain.store, height)
    // If a reorg has replaced the block meanwhile, the change that removes it follows, and nobody needs to know of it.
    if (block !== undefined && Buffer.compare(block.hash, change.hash) === 0)
      events.push(...(await matchedEvents(options.chain, block, webhooks.executed, sequence)))
  }
  if (webhooks.settled.size > 0) events.push(...(await settledEvents(options, change, webhooks, progress)))
  // Blocks that settle with this change share its place with its own events.
  return events.length === 0
    ? undefined
    : { sequence, events: events.map((event, position) => ({ ...event, position })) }
}

/** Returns the events of the blocks that a new block declares settled. */
async function settledEvents(
  { chain }: EvmEvaluatorOptions,
  { height, hash, sequence }: EvmSchema.ChangeRow,
  { settled }: EvmWebhooks,
  progress: Progress,
): Promise<readonly WebhookSources.MatchedEvent[]> {
  const header = await EvmBlockContents.headerAt(chain.store, height)
  if (header === undefined || Buffer.compare(header.hash, hash) !== 0) return []
  // A header without a settled height contains the results of its own block.
  const until = header.settledHeight ?? height
  progress.settled ??= until < height ? until : height - 1n
  const events: WebhookSources.MatchedEvent[] = []
  for (let next = progress.settled + 1n; next <= until; next++) {
    const block = await EvmBlockContents.atHeight(chain.store, next)
    if (block === undefined) break
    events.push(...(await matchedEvents(chain, block, settled, sequence)))
    progress.settled = next
  }
  return events
}
