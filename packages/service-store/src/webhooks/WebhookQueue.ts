import { formatArray, type Row, type Session } from '@firn/sql'
import type { ServiceStore } from '../ServiceTables.ts'
import { updateWebhook } from './updateWebhook.ts'
import type { Webhook } from './Webhooks.ts'
import type { DeliveryState } from './WebhookTables.ts'

/** Identifies a delivery, and its place in the order of its webhook's deliveries. */
export interface DeliveryPlace {
  readonly sequence: bigint
  readonly position: number
}

/** A delivery to send. */
export interface QueuedDelivery extends DeliveryPlace {
  readonly isRemoval: boolean
  /** Number of earlier attempts, and the time of the first of them in Unix milliseconds. */
  readonly attempts: number
  readonly firstAttemptMs: number | undefined
  /** The parts of the message, as JSON. */
  readonly body: string
}

/** A webhook whose next deliveries this process may send until its claim expires. */
export interface ClaimedWebhook {
  readonly webhook: Webhook
  /** Secret of the owner; undefined if none was generated. */
  readonly secret: string | undefined
  /** Number of failed attempts since the last successful one, and the time of the first of them. */
  readonly failures: number
  readonly failingSinceMs: number | undefined
  /** The next deliveries, in order; empty if others have sent them. */
  readonly deliveries: readonly QueuedDelivery[]
}

/** Options of {@link claim}. */
export interface ClaimOptions {
  /** Name of this process, unique among all processes. */
  readonly holder: string
  /** Time in milliseconds, by the database's clock, after which others may claim the webhooks. */
  readonly termMs: number
  readonly nowMs: number
  /**
   * Longest delay between two attempts in milliseconds. A webhook that is due later than that is due now: the clock was
   * set back.
   */
  readonly longestDelayMs: number
  /** Maximum number of webhooks. */
  readonly limit: number
  /** Maximum number of deliveries for each webhook. */
  readonly perWebhook: number
  /** Hosts whose webhooks are left out. */
  readonly exceptHosts: readonly string[]
}

/**
 * Claims webhooks that are due, and returns them with their next deliveries. Webhooks that others are changing are left
 * out.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookQueue } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const options: WebhookQueue.ClaimOptions
 * for (const { webhook, deliveries } of await WebhookQueue.claim(store, options)) console.log(webhook.url, deliveries.length)
 * ```
 */
export async function claim(store: ServiceStore, options: ClaimOptions): Promise<readonly ClaimedWebhook[]> {
  const { holder, termMs, nowMs, longestDelayMs, limit, perWebhook, exceptHosts } = options
  return store.driver.transaction(async (session) => {
    const claimed = await session.query(
      `with due as (select webhook_id from webhook_queue
        where due_ms is not null and (due_ms <= $1 or due_ms > $2)
          and (claimed_until is null or claimed_until <= statement_timestamp()) and not host = any($3::text[])
        order by due_ms limit $4 for update skip locked)
      update webhook_queue as q set claimed_by = $5,
        claimed_until = statement_timestamp() + $6::float8 * interval '1 millisecond'
      from due where q.webhook_id = due.webhook_id
      returning q.webhook_id, q.failures, q.failing_since_ms`,
      [
        Math.floor(nowMs),
        Math.floor(nowMs + longestDelayMs),
        JSON.stringify(exceptHosts).replace('[', '{').replace(/]$/, '}'),
        limit,
        holder,
        termMs,
      ],
    )
    if (claimed.length === 0) return []
    const ids = formatArray(claimed.map((row) => String(row['webhook_id'])))
    const webhooks = await session.query(
      `select w.*, s.secret from webhook as w left join webhook_secret as s on s.owner = w.owner
      where w.id = any($1::text[])`,
      [ids],
    )
    const deliveries = await session.query(
      `select d.*, e.body from unnest($1::text[]) as given (id)
      cross join lateral (select * from webhook_delivery where webhook_id = given.id and state = 'queued'
        order by sequence, position limit $2) as d
      join webhook_event as e
        on e.source = d.source and e.sequence = d.event_sequence and e.position = d.event_position
      order by d.webhook_id, d.sequence, d.position`,
      [ids, perWebhook],
    )
    const byWebhook = Map.groupBy(deliveries, (row) => row['webhook_id'])
    const states = new Map(claimed.map((row) => [row['webhook_id'], row]))
    return webhooks.map(({ secret, ...row }) => ({
      webhook: row as unknown as Webhook,
      secret: (secret as string | null) ?? undefined,
      failures: Number(states.get(row['id'])?.['failures']),
      failingSinceMs: toNumber(states.get(row['id'])?.['failing_since_ms']),
      deliveries: (byWebhook.get(row['id']) ?? []).map(toQueued),
    }))
  })
}

/** An attempt to send a delivery. */
export interface Attempt extends DeliveryPlace {
  readonly state: DeliveryState
  readonly atMs: number
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** Why the attempt failed; undefined if it did not. */
  readonly failure: string | undefined
}

/** The attempts for one webhook, in order, and what follows from them. */
export interface Settlement {
  readonly webhookId: string
  readonly attempts: readonly Attempt[]
  readonly failures: number
  readonly failingSinceMs: number | undefined
  /** Time of the next attempt in Unix milliseconds, if anything is left to send. */
  readonly dueMs: number
  /** Why the webhook is deactivated; undefined if it stays active. */
  readonly deactivation: string | undefined
}

/**
 * Stores the results of attempts, and gives the claims back. Webhooks that another process has claimed meanwhile keep
 * that claim.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookQueue } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const settlements: readonly WebhookQueue.Settlement[]
 * await WebhookQueue.settle(store, 'process-1', settlements, Date.now())
 * ```
 */
export async function settle(
  store: ServiceStore,
  holder: string,
  settlements: readonly Settlement[],
  nowMs: number,
): Promise<void> {
  if (settlements.length === 0) return
  await store.driver.transaction(async (session) => {
    // Rows are locked in one order everywhere, and before the next statement looks for remaining messages.
    await session.query(
      'select from webhook_queue where webhook_id = any($1::text[]) order by webhook_id for update',
      [formatArray(settlements.map(({ webhookId }) => webhookId))],
    )
    await storeAttempts(session, settlements)
    await session.query(
      `update webhook_queue as q set claimed_by = null, claimed_until = null, failures = t.failures,
        failing_since_ms = t.since, due_ms = case when w.is_active and exists
          (select from webhook_delivery where webhook_id = q.webhook_id and state = 'queued') then t.due end
      from jsonb_to_recordset($1::text::jsonb) as t (id text, failures int, since bigint, due bigint)
      join webhook as w on w.id = t.id
      where q.webhook_id = t.id and q.claimed_by = $2`,
      [
        JSON.stringify(
          settlements.map((one) => ({
            id: one.webhookId,
            failures: one.failures,
            since: one.failingSinceMs && Math.floor(one.failingSinceMs),
            due: Math.floor(one.dueMs),
          })),
        ),
        holder,
      ],
    )
    for (const { webhookId, deactivation } of settlements) {
      if (deactivation === undefined) continue
      const change = { is_active: false, inactive_reason: deactivation }
      await updateWebhook(session, undefined, webhookId, change, nowMs)
    }
  })
}

async function storeAttempts(session: Session, settlements: readonly Settlement[]): Promise<void> {
  const attempts = settlements.flatMap(({ webhookId, attempts }) =>
    attempts.map(({ sequence, position, state, atMs, status, failure }) => ({
      id: webhookId,
      sequence: String(sequence),
      position,
      state,
      at: Math.floor(atMs),
      status,
      failure,
    })),
  )
  if (attempts.length === 0) return
  await session.query(
    `update webhook_delivery as d set state = t.state, attempts = d.attempts + 1, attempted_ms = t.at,
      first_attempt_ms = coalesce(d.first_attempt_ms, t.at), status = t.status, failure = t.failure
    from jsonb_to_recordset($1::text::jsonb)
      as t (id text, sequence bigint, position int, state text, at bigint, status int, failure text)
    where d.webhook_id = t.id and d.sequence = t.sequence and d.position = t.position`,
    [JSON.stringify(attempts)],
  )
}

/**
 * Gives claims back without attempts.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookQueue } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * await WebhookQueue.release(store, 'process-1', ['6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11'])
 * ```
 */
export async function release(store: ServiceStore, holder: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await store.driver.control(
    `update webhook_queue set claimed_by = null, claimed_until = null
    where webhook_id = any($1::text[]) and claimed_by = $2`,
    [formatArray(ids), holder],
  )
}

/**
 * Gives back the claims and rights of all processes, if the database is embedded: only one process can have it open, so
 * the others have ended. Does nothing on a server.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookQueue } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * await WebhookQueue.releaseDead(store)
 * ```
 */
export async function releaseDead({ driver }: ServiceStore): Promise<void> {
  if (driver.isShared) return
  await driver.control(
    'update webhook_queue set claimed_by = null, claimed_until = null where claimed_by is not null',
  )
  await driver.control('update webhook_source set holder = null, expires_at = null where holder is not null')
}

/**
 * Returns the time at which the next webhook is due, in Unix milliseconds, or undefined if nothing is queued.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookQueue } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const dueMs = await WebhookQueue.nextDue(store)
 * ```
 */
export async function nextDue(store: ServiceStore): Promise<number | undefined> {
  const [row] = await store.driver.control(
    'select min(due_ms) as due from webhook_queue where due_ms is not null and claimed_until is null',
  )
  return toNumber(row?.['due'])
}

function toQueued(row: Row): QueuedDelivery {
  return {
    sequence: row['sequence'] as bigint,
    position: Number(row['position']),
    isRemoval: row['is_removal'] === true,
    attempts: Number(row['attempts']),
    firstAttemptMs: toNumber(row['first_attempt_ms']),
    body: String(row['body']),
  }
}

function toNumber(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}
