import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, WebhookDelivery } from '@firn/client'

/** What to tail. */
export interface TailOptions {
  /** Id of the webhook. */
  readonly id: string
  /** Time between two requests in milliseconds. */
  readonly intervalMs: number
}

/** The functions that a tail calls. */
export interface TailEvents {
  /** Called once the messages that are there at the start are known. */
  readonly onStart: () => void
  readonly print: (delivery: WebhookDelivery) => void
}

/** Number of newest messages, and of the next ones to send, that are looked at in each round. */
const NEWEST = 100
const NEXT = 20

/**
 * Calls `print` for each message that is queued after the call, and for each attempt to send a message, until the signal is
 * aborted. Of a long queue, only the messages that are sent next and the newest ones are looked at.
 * @throws ClientError
 */
export const tail = async (
  webhooks: Client['webhooks'],
  { id, intervalMs }: TailOptions,
  signal: AbortSignal,
  { onStart, print }: TailEvents,
): Promise<void> => {
  let seen: ReadonlyMap<string, string> | undefined
  while (!signal.aborted) {
    try {
      const changed = new Map<string, WebhookDelivery>()
      const pages = await Promise.all([
        webhooks.listWebhookDeliveries(
          { id, state: ['queued'], sortOrder: 'asc', pageSize: NEXT },
          { signal },
        ),
        webhooks.listWebhookDeliveries({ id, pageSize: NEWEST }, { signal }),
      ])
      const now = new Map<string, string>()
      for (const one of pages.flatMap(({ deliveries }) => deliveries.toReversed())) {
        const state = `${one.state} ${one.attempts} ${one.attemptedAt ?? ''}`
        now.set(one.messageId, state)
        // What is there at the start was queued, and maybe sent, before.
        if (seen !== undefined && seen.get(one.messageId) !== state) changed.set(one.messageId, one)
      }
      // A message that the pages no longer contain may come back, for example after others were sent.
      if (seen === undefined) onStart()
      seen = new Map([...[...(seen ?? [])].slice(-10 * NEWEST), ...now])
      for (const one of [...changed.values()].toSorted((a, b) => timeOf(a) - timeOf(b))) print(one)
      await sleep(intervalMs, undefined, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

const timeOf = ({ attemptedAt, queuedAt }: WebhookDelivery): number => attemptedAt ?? queuedAt

/** Formats a message as a line: time, state, event, attempts, result and id. */
export const formatDelivery = (delivery: WebhookDelivery): string => {
  const { state, removed, blockNumber, attempts, status, failure, messageId } = delivery
  const result = [failure, status === undefined ? undefined : String(status)].filter(
    (word) => word !== undefined,
  )
  return [
    new Date(timeOf(delivery)).toISOString(),
    state.padEnd('delivered'.length),
    `block ${blockNumber}${removed ? ' removed' : ''}`,
    `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    ...(result.length === 0 ? [] : [result.join(' ')]),
    messageId,
  ].join('  ')
}
