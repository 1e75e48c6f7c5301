import { fetchFirst, fetchRows, type Session } from '@firn/sql'
import { sql } from 'kysely'
import type { ServiceStore } from '../ServiceTables.ts'
import { nextRevision, updateWebhook } from './updateWebhook.ts'
import type { WebhookRow } from './WebhookTables.ts'
import { groupKeys } from './webhookKeys.ts'

export { countKeys, firstKeys, keysPage } from './webhookKeys.ts'

/** A stored webhook. */
export interface Webhook extends Omit<WebhookRow, 'is_active'> {
  readonly is_active: boolean
}

/** A webhook with what it observes. */
export interface KeyedWebhook extends Webhook {
  readonly keys: readonly Uint8Array[]
}

/** A webhook to store. */
export type NewWebhook = Omit<WebhookRow, 'position' | 'revision' | 'is_active' | 'inactive_reason'> & {
  readonly keys: readonly Uint8Array[]
}

/** The columns that an owner can change. */
export type WebhookChange = {
  readonly [Column in
    | 'url'
    | 'host'
    | 'name'
    | 'description'
    | 'settings'
    | 'secret_encoding'
    | 'is_active'
    | 'inactive_reason'
    | 'from_sequence']?: WebhookRow[Column] | undefined
}

/** Number of rows that are read at once when all changes are read. */
const PAGE = 5_000

/**
 * Stores an active webhook. Its source starts at `from_sequence` if no webhook has this source yet.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const webhook: Webhooks.NewWebhook
 * await Webhooks.create(store, webhook)
 * ```
 */
export async function create(store: ServiceStore, { keys, ...row }: NewWebhook): Promise<void> {
  await store.driver.transaction(async (session) => {
    const revision = await nextRevision(session)
    await session.query(
      `insert into webhook (id, owner, source, event_type, chain, url, host, name, description, is_active, created_at,
        settings, secret_encoding, from_sequence, position, revision)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, $10, $11::text::jsonb, $12, $13, $14, $14)`,
      [
        row.id,
        row.owner,
        row.source,
        row.event_type,
        row.chain,
        row.url,
        row.host,
        row.name,
        row.description,
        String(row.created_at),
        JSON.stringify(row.settings),
        row.secret_encoding,
        String(row.from_sequence),
        revision,
      ],
    )
    await insertKeys(session, row.id, keys)
    // Nobody sends the messages of a webhook without a URL, so it is never due.
    if (row.url !== '')
      await session.query('insert into webhook_queue (webhook_id, host, failures) values ($1, $2, 0)', [
        row.id,
        row.host,
      ])
    await session.query(
      'insert into webhook_source (source, sequence) values ($1, $2) on conflict (source) do nothing',
      [row.source, String(row.from_sequence)],
    )
  })
}

/**
 * Returns a webhook of an owner, or undefined if the owner has no such webhook.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const owner: Uint8Array
 * const webhook = await Webhooks.find(store, owner, '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11')
 * ```
 */
export function find(store: ServiceStore, owner: Uint8Array, id: string): Promise<Webhook | undefined> {
  return fetchFirst(store, sql<Webhook>`select * from webhook where id = ${id} and owner = ${owner}`)
}

/**
 * Returns the webhooks of an owner, newest first.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const owner: Uint8Array
 * const query = { isActive: true, eventTypes: ['address_activity'], after: undefined, limit: 10 }
 * const first = await Webhooks.page(store, owner, query)
 * ```
 */
export function page(
  store: ServiceStore,
  owner: Uint8Array,
  {
    isActive,
    eventTypes,
    after,
    limit,
  }: {
    readonly isActive: boolean | undefined
    readonly eventTypes: readonly string[]
    readonly after: bigint | undefined
    readonly limit: number
  },
): Promise<readonly Webhook[]> {
  const state = isActive === undefined ? sql`true` : sql`is_active = ${isActive}`
  const behind = after === undefined ? sql`true` : sql`position < ${after}`
  return fetchRows(
    store,
    sql<Webhook>`select * from webhook where owner = ${owner} and ${state} and ${behind}
      and event_type = any(${sql.val([...eventTypes])}::text[]) order by position desc limit ${limit}`,
  )
}

/**
 * Returns the number of webhooks of an owner.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const owner: Uint8Array
 * const count = await Webhooks.count(store, owner)
 * ```
 */
export async function count(store: ServiceStore, owner: Uint8Array): Promise<number> {
  const row = await fetchFirst(
    store,
    sql<{ count: number }>`select count(*)::int as count from webhook where owner = ${owner}`,
  )
  return row?.count ?? 0
}

/**
 * Changes a webhook of an owner, and returns it. Returns undefined if the owner has no such webhook. A webhook that
 * becomes active is due at `nowMs` if it has queued deliveries.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const owner: Uint8Array
 * declare const id: string
 * await Webhooks.update(store, owner, id, { is_active: false }, Date.now())
 * ```
 */
export function update(
  store: ServiceStore,
  owner: Uint8Array,
  id: string,
  change: WebhookChange,
  nowMs: number,
): Promise<Webhook | undefined> {
  return store.driver.transaction((session) => updateWebhook(session, owner, id, change, nowMs))
}

/**
 * Adds keys to a webhook of an owner, or removes keys, and returns the webhook. Returns undefined if the owner has no
 * such webhook. Keys that are there already, or are not there, change nothing.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const owner: Uint8Array
 * declare const id: string
 * declare const address: Uint8Array
 * await Webhooks.changeKeys(store, owner, id, 'add', [address])
 * ```
 */
export function changeKeys(
  store: ServiceStore,
  owner: Uint8Array,
  id: string,
  change: 'add' | 'remove',
  keys: readonly Uint8Array[],
): Promise<Webhook | undefined> {
  return store.driver.transaction(async (session) => {
    const revision = await nextRevision(session)
    const [row] = await session.query(
      'update webhook set revision = $3 where id = $1 and owner = $2 returning *',
      [id, owner, revision],
    )
    if (row === undefined) return undefined
    if (change === 'add') await insertKeys(session, id, keys)
    else if (keys.length > 0)
      await session.query('delete from webhook_key where webhook_id = $1 and key = any($2::bytea[])', [
        id,
        keys,
      ])
    return row as unknown as Webhook
  })
}

/**
 * Returns the revision of the newest change; 0 if there never was a webhook.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const revision = await Webhooks.revision(store)
 * ```
 */
export async function revision(store: ServiceStore): Promise<bigint> {
  const row = await fetchFirst(store, sql<{ revision: bigint }>`select revision from webhook_revision`)
  return row?.revision ?? 0n
}

/**
 * Yields the webhooks that were changed after a revision, oldest change first, including inactive ones. Webhooks that
 * change meanwhile may be missing; their revision is higher than the last one's.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * for await (const webhook of Webhooks.changedSince(store, 0n)) console.log(webhook.id, webhook.keys.length)
 * ```
 */
export async function* changedSince(store: ServiceStore, revision: bigint): AsyncGenerator<KeyedWebhook> {
  for (let last = revision; ; ) {
    const rows = await fetchRows(
      store,
      sql<Webhook>`select * from webhook where revision > ${last} order by revision limit ${PAGE}`,
    )
    const active = rows.filter((row) => row.is_active).map(({ id }) => id)
    const keys = groupKeys(
      await fetchRows(
        store,
        sql<{ id: string; key: Uint8Array }>`select webhook_id as id, key from webhook_key
        where webhook_id = any(${sql.val(active)}::text[])`,
      ),
    )
    for (const row of rows) yield { ...row, keys: keys.get(row.id) ?? [] }
    last = rows.at(-1)?.revision ?? last
    if (rows.length < PAGE) return
  }
}

/**
 * Returns the secret of an owner, or undefined if none was generated.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const owner: Uint8Array
 * const secret = await Webhooks.secretOf(store, owner)
 * ```
 */
export async function secretOf(store: ServiceStore, owner: Uint8Array): Promise<string | undefined> {
  const row = await fetchFirst(
    store,
    sql<{ secret: string }>`select secret from webhook_secret where owner = ${owner}`,
  )
  return row?.secret
}

/**
 * Stores the secret of an owner, and returns the secret that is stored then. An existing secret is replaced only if
 * `isRotation` is true.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const owner: Uint8Array
 * const secret = await Webhooks.putSecret(store, owner, randomBytes(32).toString('hex'), true)
 * ```
 */
export async function putSecret(
  store: ServiceStore,
  owner: Uint8Array,
  secret: string,
  isRotation: boolean,
): Promise<string> {
  const row = await fetchFirst(
    store,
    sql<{ secret: string }>`insert into webhook_secret as s (owner, secret) values (${owner}, ${secret})
      on conflict (owner) do update set secret = case when ${isRotation}::boolean then excluded.secret else s.secret end
      returning secret`,
  )
  return row?.secret ?? secret
}

/** Counts a change. Changes wait for each other, so that whoever sees a revision sees all earlier changes. */
async function insertKeys(session: Session, id: string, keys: readonly Uint8Array[]): Promise<void> {
  if (keys.length === 0) return
  await session.query(
    'insert into webhook_key (webhook_id, key) select $1, key from unnest($2::bytea[]) as t (key) on conflict do nothing',
    [id, keys],
  )
}
