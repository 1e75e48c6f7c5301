import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { ServiceStore } from '../ServiceTables.ts'
import { makeDue } from './makeDue.ts'
import type { DeliveryPlace } from './WebhookQueue.ts'
import type { DeliveryRow, DeliveryState } from './WebhookTables.ts'

/** A stored delivery, with the block of its event. */
export type Delivery = DeliveryRow & {
  readonly height: bigint
  readonly block_hash: Uint8Array
}

/** Options of {@link page}. */
export interface DeliveryQuery {
  readonly states: readonly DeliveryState[]
  readonly order: 'asc' | 'desc'
  readonly after: DeliveryPlace | undefined
  readonly limit: number
}

/**
 * Returns deliveries of a webhook in the order in which they are sent, or in the reverse order.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookDeliveries } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const id: string
 * const dead = await WebhookDeliveries.page(store, id, { states: ['dead'], order: 'desc', after: undefined, limit: 25 })
 * ```
 */
export function page(
  store: ServiceStore,
  id: string,
  { states, order, after, limit }: DeliveryQuery,
): Promise<readonly Delivery[]> {
  const [sign, direction] = order === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const behind =
    after === undefined
      ? sql`true`
      : sql`(d.sequence, d.position) ${sign} (${after.sequence}, ${after.position})`
  return fetchRows(
    store,
    sql<Delivery>`select d.*, e.height, e.block_hash from webhook_delivery as d
    join webhook_event as e
      on e.source = d.source and e.sequence = d.event_sequence and e.position = d.event_position
    where d.webhook_id = ${id} and d.state = any(${sql.val([...states])}::text[]) and ${behind}
    order by d.sequence ${direction}, d.position ${direction} limit ${limit}`,
  )
}

/** The deliveries to send again: those that are kept, from a point on. */
export interface Replay {
  readonly states: readonly Exclude<DeliveryState, 'queued'>[]
  /** Lowest height of the events; by default any. */
  readonly fromHeight?: bigint | undefined
  /** Earliest time at which the deliveries were queued, in Unix milliseconds; by default any. */
  readonly fromMs?: number | undefined
}

/**
 * Queues deliveries of a webhook again, at their old places in the order. Returns their number.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookDeliveries } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const id: string
 * const count = await WebhookDeliveries.replay(store, id, { states: ['dead'] }, Date.now())
 * ```
 */
export function replay(
  store: ServiceStore,
  id: string,
  { states, fromHeight, fromMs }: Replay,
  nowMs: number,
): Promise<number> {
  return store.driver.transaction(async (session) => {
    const rows = await session.query(
      `update webhook_delivery as d set state = 'queued', attempts = 0, first_attempt_ms = null
      from webhook_event as e
      where d.webhook_id = $1 and d.state = any($2::text[]) and d.created_ms >= $3 and e.height >= $4
        and e.source = d.source and e.sequence = d.event_sequence and e.position = d.event_position
      returning d.sequence`,
      [id, `{${states.join(',')}}`, Math.floor(fromMs ?? 0), String(fromHeight ?? 0n)],
    )
    if (rows.length > 0) await makeDue(session, [id], nowMs)
    return rows.length
  })
}

/**
 * Removes deliveries that were queued before a time, except those that active webhooks with a URL still have to send, and
 * events without deliveries. At most `limit` of each are removed. Returns the number of removed rows.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookDeliveries } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const week = 7 * 86_400_000
 * while ((await WebhookDeliveries.prune(store, Date.now() - week, 10_000)) > 0);
 * ```
 */
export async function prune(store: ServiceStore, beforeMs: number, limit: number): Promise<number> {
  const before = Math.floor(beforeMs)
  const deliveries = await fetchRows(
    store,
    sql`delete from webhook_delivery where ctid in (select d.ctid from webhook_delivery as d
      where d.created_ms < ${before} and (d.state <> 'queued'
        or exists (select from webhook as w where w.id = d.webhook_id and (not w.is_active or w.url = '')))
      limit ${limit}) returning 1`,
  )
  const events = await fetchRows(
    store,
    sql`delete from webhook_event where ctid in (select e.ctid from webhook_event as e
      where e.created_ms < ${before} and not exists (select from webhook_delivery as d where d.source = e.source
        and d.event_sequence = e.sequence and d.event_position = e.position)
      limit ${limit}) returning 1`,
  )
  return deliveries.length + events.length
}
