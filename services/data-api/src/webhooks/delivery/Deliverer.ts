import { type Clock, type Logger, pause } from '@firn/runtime'
import { type ServiceStore, WebhookQueue } from '@firn/service-store'
import type { Send, Sent } from '../common/Sender.ts'
import { headersOf, messageOf } from './message.ts'
import { afterFailure, RETRIES, type RetryPolicy } from './RetryPolicy.ts'
import { createWakeUp } from './WakeUp.ts'

/** Options of {@link createDeliverer}. */
export interface DelivererOptions {
  readonly store: ServiceStore
  readonly send: Send
  /** Name of this process, unique among all processes. */
  readonly holder: string
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  /** Longest time of an attempt in milliseconds, as the sender has it. */
  readonly timeoutMs: number
  readonly retries?: RetryPolicy | undefined
  /** Maximum number of webhooks to which messages are sent at the same time; default 64. */
  readonly concurrency?: number | undefined
  /** Maximum number of them with the same host; default 16. */
  readonly perHost?: number | undefined
  /** Time in milliseconds, in addition to the time of one attempt, for which claims are valid; default 5,000. */
  readonly spareMs?: number | undefined
  /** Counts an attempt. */
  readonly count?: ((sent: Sent) => void) | undefined
}

/** Sends the queued messages of all webhooks: of each in order, of several at the same time. */
export interface Deliverer {
  /** Tells that something may be due. */
  wake(): void
  /** Runs until the signal is aborted. Faults of targets and of the database do not end it. */
  run(signal: AbortSignal): Promise<void>
}

/** Maximum number of messages that a webhook gets before its claim is given back. */
const PER_WEBHOOK = 16
/** Time in milliseconds between two reads of the queue without a notification. */
const IDLE_MS = 1_000
const SPARE_MS = 5_000

/** Creates a deliverer. It starts when `run` is called. */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, holder, clock, random, logger, timeoutMs, retries = RETRIES } = options
  const { concurrency = 64, perHost = 16, spareMs = SPARE_MS } = options
  const wakeUp = createWakeUp(clock)
  const hosts = new Map<string, number>()
  let ended: WebhookQueue.Settlement[] = []
  let active = 0

  const start = (claimed: WebhookQueue.ClaimedWebhook, signal: AbortSignal) => {
    const { host } = claimed.webhook
    active++
    hosts.set(host, (hosts.get(host) ?? 0) + 1)
    return deliver(claimed, { ...options, retries, spareMs }, signal)
      .then((settlement) => {
        if (settlement !== undefined) ended.push(settlement)
      })
      .finally(() => {
        active--
        const left = (hosts.get(host) ?? 1) - 1
        if (left === 0) hosts.delete(host)
        else hosts.set(host, left)
        wakeUp.wake()
      })
  }

  /** Claims what is due, and starts to send it. Returns whether there was anything. */
  const take = async (running: Set<Promise<void>>, signal: AbortSignal): Promise<boolean> => {
    if (active >= concurrency) return false
    const nowMs = clock.now()
    const claimed = await WebhookQueue.claim(store, {
      holder,
      termMs: timeoutMs + spareMs,
      nowMs,
      longestDelayMs: retries.longestMs,
      limit: concurrency - active,
      perWebhook: PER_WEBHOOK,
      exceptHosts: [...hosts].filter(([, count]) => count >= perHost).map(([host]) => host),
    })
    const tooMany: string[] = []
    for (const one of claimed) {
      if ((hosts.get(one.webhook.host) ?? 0) >= perHost) tooMany.push(one.webhook.id)
      else {
        const work = start(one, signal)
        running.add(work)
        void work.finally(() => running.delete(work))
      }
    }
    await WebhookQueue.release(store, holder, tooMany)
    return claimed.length > tooMany.length
  }

  /** Stores results. They are kept if the database fails. */
  const settle = async (): Promise<boolean> => {
    // Further results may be added while these are stored.
    const settlements = ended.slice()
    if (settlements.length === 0) return false
    await WebhookQueue.settle(store, holder, settlements, clock.now())
    ended = ended.slice(settlements.length)
    for (const { webhookId, deactivation } of settlements)
      if (deactivation !== undefined)
        logger.warn({ webhookId, reason: deactivation }, 'a webhook was deactivated')
    return true
  }

  return {
    wake: wakeUp.wake,
    async run(signal) {
      const running = new Set<Promise<void>>()
      let failures = 0
      while (!signal.aborted) {
        const woken = wakeUp.next()
        const beganMs = clock.now()
        try {
          const settled = await settle()
          const took = await take(running, signal)
          failures = 0
          if (settled || took) {
            // An embedded database runs one statement at a time, and the indexer needs it as well.
            if (!store.driver.isShared)
              await createWakeUp(clock)
                .next()
                .within(clock.now() - beganMs, signal)
            continue
          }
          const dueMs = await WebhookQueue.nextDue(store)
          const wait = dueMs === undefined ? IDLE_MS : Math.min(Math.max(dueMs - clock.now(), 1), IDLE_MS)
          await woken.within(active >= concurrency ? IDLE_MS : wait, signal)
        } catch (error) {
          if (signal.aborted) break
          if (failures++ === 0) logger.warn({ err: error }, 'webhooks wait for their database')
          await pause(failures, { clock, random }, signal)
        }
      }
      await Promise.all(running)
      await settle().catch((error: unknown) =>
        logger.warn({ err: error }, 'results of webhooks were not stored; their messages are sent again'),
      )
    },
  }
}

/** Sends the claimed deliveries of one webhook in order, until one fails or the claim is about to expire. */
async function deliver(
  { webhook, secret, deliveries, ...state }: WebhookQueue.ClaimedWebhook,
  options: DelivererOptions & { readonly retries: RetryPolicy; readonly spareMs: number },
  signal: AbortSignal,
): Promise<WebhookQueue.Settlement | undefined> {
  const { clock, random, retries, count } = options
  const untilMs = clock.now() + options.spareMs
  const attempts: WebhookQueue.Attempt[] = []
  let { failures, failingSinceMs } = state
  const settlement = (dueMs: number, deactivation?: string): WebhookQueue.Settlement => ({
    webhookId: webhook.id,
    attempts,
    failures,
    failingSinceMs,
    dueMs,
    deactivation,
  })
  for (const delivery of deliveries) {
    if (signal.aborted || clock.now() > untilMs) break
    const atMs = clock.now()
    const sent = await attempt(webhook, secret, delivery, options, signal)
    if (sent === undefined) break
    count?.(sent)
    const { sequence, position } = delivery
    if (sent.failure === undefined) {
      failures = 0
      failingSinceMs = undefined
      attempts.push({ sequence, position, state: 'delivered', atMs, ...sent })
      continue
    }
    failures++
    failingSinceMs ??= atMs
    const failed = {
      status: sent.status,
      nowMs: clock.now(),
      attempts: delivery.attempts + 1,
      firstAttemptMs: delivery.firstAttemptMs ?? atMs,
      failures,
      failingSinceMs,
    }
    const consequence = afterFailure(failed, retries, random)
    attempts.push({ sequence, position, state: consequence.state, atMs, ...sent })
    return settlement(consequence.dueMs, consequence.deactivation)
  }
  return settlement(clock.now())
}

/** Sends a delivery. Returns undefined if the signal aborts. */
async function attempt(
  webhook: WebhookQueue.ClaimedWebhook['webhook'],
  secret: string | undefined,
  delivery: WebhookQueue.QueuedDelivery,
  { send, logger }: DelivererOptions,
  signal: AbortSignal,
): Promise<Sent | undefined> {
  try {
    const message = messageOf(webhook, delivery)
    const headers = headersOf(message, webhook, secret)
    return await send({ url: webhook.url, body: message.body, headers }, signal)
  } catch (error) {
    if (signal.aborted) return undefined
    logger.error({ err: error, webhookId: webhook.id }, 'sending a message failed')
    return { status: undefined, failure: 'fault' }
  }
}
