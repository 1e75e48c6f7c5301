import { fetchFirst, fetchRows, formatArray, type Row } from '@firn/sql'
import { sql } from 'kysely'
import type { ServiceStore } from '../ServiceTables.ts'
import type { DeliveryPlace } from './WebhookQueue.ts'
import type { Webhook } from './Webhooks.ts'

/** A reader of the messages of a webhook. */
export interface Reader {
  readonly webhookId: string
  /** Place of the last message that was read. */
  readonly after: DeliveryPlace
}

/** A message of a webhook, whether or not it was sent. */
export interface TailDelivery extends DeliveryPlace {
  readonly isRemoval: boolean
  /** Time at which it was queued, in Unix milliseconds. */
  readonly createdMs: number
  /** The parts of the message, as JSON. */
  readonly body: string
  readonly webhook: Pick<Webhook, 'id' | 'event_type' | 'settings'>
}

/**
 * Returns the next messages of several webhooks, at most `limit` of each, as a list for each reader. Messages of a webhook
 * are stored in their order, so a reader that continues after the last one misses none.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookTail } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const webhookId: string
 * const [messages] = await WebhookTail.after(store, [{ webhookId, after: { sequence: 0n, position: 0 } }], 20)
 * ```
 */
export async function after(
  store: ServiceStore,
  readers: readonly Reader[],
  limit: number,
): Promise<readonly (readonly TailDelivery[])[]> {
  if (readers.length === 0) return []
  const rows = await fetchRows(
    store,
    sql<Row>`select given.number, d.sequence, d.position, d.is_removal, d.created_ms, e.body, w.id, w.event_type, w.settings
    from unnest(${formatArray(readers.map(({ webhookId }) => webhookId))}::text[],
      ${formatArray(readers.map(({ after: place }) => place.sequence))}::int8[],
      ${formatArray(readers.map(({ after: place }) => place.position))}::int4[]) with ordinality as given (id, sequence, position, number)
    join webhook as w on w.id = given.id
    cross join lateral (select * from webhook_delivery where webhook_id = given.id
        and (sequence, position) > (given.sequence, given.position) order by sequence, position limit ${limit}) as d
    join webhook_event as e
      on e.source = d.source and e.sequence = d.event_sequence and e.position = d.event_position
    order by given.number, d.sequence, d.position`,
  )
  const byReader = Map.groupBy(rows, (row) => Number(row['number']))
  return readers.map((_, i) =>
    (byReader.get(i + 1) ?? []).map((row) => ({
      sequence: row['sequence'] as bigint,
      position: Number(row['position']),
      isRemoval: row['is_removal'] === true,
      createdMs: Number(row['created_ms']),
      body: String(row['body']),
      webhook: {
        id: String(row['id']),
        event_type: String(row['event_type']),
        settings: row['settings'] as Webhook['settings'],
      },
    })),
  )
}

/** How far the messages of a webhook go. */
export interface TailEnd {
  /** Place of the newest message; undefined if there is none. */
  readonly last: DeliveryPlace | undefined
  /** Position up to which the source was compared with the webhooks. */
  readonly sequence: bigint
}

/**
 * Returns how far the messages of a webhook go.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookTail } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const id: string
 * const { last } = await WebhookTail.end(store, id)
 * ```
 */
export async function end(store: ServiceStore, id: string): Promise<TailEnd> {
  const row = await fetchFirst(
    store,
    sql<Row>`select s.sequence as compared, d.sequence, d.position from webhook as w
    join webhook_source as s on s.source = w.source
    left join lateral (select sequence, position from webhook_delivery where webhook_id = w.id
      order by sequence desc, position desc limit 1) as d on true
    where w.id = ${id}`,
  )
  const sequence = (row?.['sequence'] ?? null) as bigint | null
  return {
    last: sequence === null ? undefined : { sequence, position: Number(row?.['position']) },
    sequence: (row?.['compared'] as bigint | undefined) ?? 0n,
  }
}
