import { formatArray, type Row, type Session } from '@firn/sql'
import type { ServiceStore } from '../ServiceTables.ts'
import { makeDue } from './makeDue.ts'

/** The channel on which processes learn that something is due. */
export const CHANNEL = 'firn_webhooks'

/** How far the events of a source were compared with the webhooks. */
export interface SourcePosition {
  readonly sequence: bigint
  /** Height up to which webhooks that wait for settled results have received events; undefined before the first of them. */
  readonly settled: bigint | undefined
}

/** An event that webhooks match. */
export interface MatchedEvent {
  /** Place within the change. */
  readonly position: number
  readonly height: bigint
  readonly blockHash: Uint8Array
  /** The parts of the message, as JSON. */
  readonly body: string
  /** Ids of the webhooks. */
  readonly webhooks: readonly string[]
}

/** Events of a change of the source. */
export interface EventsStep {
  readonly sequence: bigint
  readonly events: readonly MatchedEvent[]
  /**
   * If given, a webhook gets no event of a transaction of which it got an event in a change from this one on. The events belong
   * to transactions.
   */
  readonly since?: bigint | undefined
}

/** What a change of the source means for webhooks: events, or the removal of a block with all its events. */
export type SourceStep = EventsStep | { readonly sequence: bigint; readonly removedBlock: Uint8Array }

/** Changes that were compared with the webhooks, in order. */
export interface Comparison {
  readonly source: string
  readonly holder: string
  /** The position from which the changes follow. */
  readonly from: SourcePosition
  readonly to: SourcePosition
  readonly steps: readonly SourceStep[]
  readonly nowMs: number
}

/**
 * Takes the right to compare the events of a source with the webhooks, or renews it, for `termMs` milliseconds by the
 * database's clock. Returns the position of the source, or undefined while another process holds the right or no webhook
 * has the source. The right only saves work: {@link commit} refuses whoever has an outdated position.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookSources } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const position = await WebhookSources.acquire(store, { source: 'evm:43114', holder: 'process-1', termMs: 5_000 })
 * ```
 */
export async function acquire(
  store: ServiceStore,
  { source, holder, termMs }: { readonly source: string; readonly holder: string; readonly termMs: number },
): Promise<SourcePosition | undefined> {
  const [row] = await store.driver.control(
    `update webhook_source set holder = $2,
      expires_at = statement_timestamp() + $3::float8 * interval '1 millisecond'
    where source = $1 and (holder is null or holder = $2 or expires_at <= statement_timestamp())
    returning sequence, settled`,
    [source, holder, termMs],
  )
  return row && toPosition(row)
}

/**
 * Gives the right back, so that another process can take it immediately.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookSources } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * await WebhookSources.release(store, 'evm:43114', 'process-1')
 * ```
 */
export async function release(store: ServiceStore, source: string, holder: string): Promise<void> {
  await store.driver.control(
    'update webhook_source set holder = null, expires_at = null where source = $1 and holder = $2',
    [source, holder],
  )
}

/**
 * Stores the deliveries of compared changes together with the new position, in one transaction. Returns false, and stores
 * nothing, if the source is not at `from` or another process holds the right. A removed block queues a removal for each
 * delivery of its events, whether or not the event was delivered already.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookSources } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const comparison: WebhookSources.Comparison
 * const isStored = await WebhookSources.commit(store, comparison)
 * ```
 */
export function commit(store: ServiceStore, comparison: Comparison): Promise<boolean> {
  const { source, holder, from, to, steps, nowMs } = comparison
  return store.driver.transaction(async (session) => {
    const [row] = await session.query(
      `update webhook_source set sequence = $4, settled = $5
      where source = $1 and holder = $2 and sequence = $3 returning source`,
      [source, holder, String(from.sequence), String(to.sequence), to.settled?.toString() ?? null],
    )
    if (row === undefined) return false
    const touched = new Set<string>()
    for (const step of steps) {
      const ids =
        'events' in step
          ? await addEvents(session, source, await unsent(session, source, step), nowMs)
          : await addRemovals(session, source, step.sequence, step.removedBlock, nowMs)
      for (const id of ids) touched.add(id)
    }
    await makeDue(session, [...touched], nowMs)
    if (touched.size > 0) await session.query(`select pg_notify('${CHANNEL}', '')`)
    return true
  })
}

/**
 * Calls `listener` whenever another process queues deliveries, if the database is a server.
 *
 * @example
 * ```ts
 * import { type ServiceStore, WebhookSources } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * WebhookSources.listen(store, () => console.log('something is due'))
 * ```
 */
export function listen({ driver }: ServiceStore, listener: () => void): void {
  driver.listen(CHANNEL, listener)
}

/** Returns the step without what `since` leaves out. */
async function unsent(session: Session, source: string, step: EventsStep): Promise<EventsStep> {
  const { since } = step
  if (since === undefined) return step
  const events: MatchedEvent[] = []
  for (const event of step.events) {
    const rows = await session.query(SENT, [source, String(since), event.blockHash, event.body])
    const sent = new Set(rows.map((row) => row['webhook_id']))
    const webhooks = event.webhooks.filter((id) => !sent.has(id))
    if (webhooks.length > 0) events.push({ ...event, webhooks })
  }
  return { ...step, events }
}

const SENT = `select d.webhook_id from webhook_event as e
  join webhook_delivery as d on d.source = e.source and d.event_sequence = e.sequence and d.event_position = e.position
  where e.source = $1 and e.sequence >= $2 and e.block_hash = $3 and not d.is_removal
    and e.body::jsonb #> '{transaction,txHash}' = $4::text::jsonb #> '{transaction,txHash}'`

/** Stores events and their deliveries. Returns the ids of the webhooks. */
async function addEvents(
  session: Session,
  source: string,
  { sequence, events }: EventsStep,
  nowMs: number,
): Promise<readonly string[]> {
  if (events.length === 0) return []
  const rows = events.map(({ position, height, blockHash, body }) => ({
    position,
    height: String(height),
    block_hash: Buffer.from(blockHash).toString('hex'),
    body,
  }))
  await session.query(
    `insert into webhook_event (source, sequence, position, height, block_hash, body, created_ms)
    select $1, $2, position, height, decode(block_hash, 'hex'), body, $4
    from jsonb_to_recordset($3::text::jsonb) as t (position int, height bigint, block_hash text, body text)`,
    [source, String(sequence), JSON.stringify(rows), Math.floor(nowMs)],
  )
  const pairs = events.flatMap(({ position, webhooks }) => webhooks.map((id) => ({ position, id })))
  await session.query(
    `insert into webhook_delivery (webhook_id, sequence, position, source, event_sequence, event_position, is_removal,
      state, attempts, created_ms)
    select id, $2, position, $1, $2, position, false, 'queued', 0, $5
    from unnest($3::text[], $4::int[]) as t (id, position)`,
    [
      source,
      String(sequence),
      formatArray(pairs.map(({ id }) => id)),
      formatArray(pairs.map(({ position }) => position)),
      Math.floor(nowMs),
    ],
  )
  return pairs.map(({ id }) => id)
}

/** Queues the removal of all events of a block that have none yet, newest first. Returns the ids of the webhooks. */
async function addRemovals(
  session: Session,
  source: string,
  sequence: bigint,
  blockHash: Uint8Array,
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await session.query(
    `insert into webhook_delivery (webhook_id, sequence, position, source, event_sequence, event_position, is_removal,
      state, attempts, created_ms)
    select d.webhook_id, $2, row_number() over (partition by d.webhook_id order by d.sequence desc, d.position desc),
      d.source, d.event_sequence, d.event_position, true, 'queued', 0, $4
    from webhook_event as e
    join webhook_delivery as d
      on d.source = e.source and d.event_sequence = e.sequence and d.event_position = e.position
    where e.source = $1 and e.block_hash = $3 and not d.is_removal
      and not exists (select from webhook_delivery as r where r.webhook_id = d.webhook_id and r.is_removal
        and r.source = d.source and r.event_sequence = d.event_sequence and r.event_position = d.event_position)
    returning webhook_id`,
    [source, String(sequence), blockHash, Math.floor(nowMs)],
  )
  return rows.map((row) => String(row['webhook_id']))
}

function toPosition(row: Row): SourcePosition {
  return {
    sequence: row['sequence'] as bigint,
    settled: (row['settled'] as bigint | null) ?? undefined,
  }
}
