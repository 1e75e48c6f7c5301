import type { Session } from '@firn/sql'
import type { Webhook, WebhookChange } from './Webhooks.ts'

/**
 * Changes a webhook within a transaction, and makes its deliveries due again. Returns the changed webhook, or undefined if
 * the owner has no such webhook. Without an owner, any webhook is changed.
 */
export async function updateWebhook(
  session: Session,
  owner: Uint8Array | undefined,
  id: string,
  change: WebhookChange,
  nowMs: number,
): Promise<Webhook | undefined> {
  const revision = await nextRevision(session)
  const columns = Object.entries(change).filter(([, value]) => value !== undefined)
  const set = columns.map(([name], i) => `${name} = $${i + 4}${name === 'settings' ? '::text::jsonb' : ''}`)
  const values = columns.map(([name, value]) => (name === 'settings' ? JSON.stringify(value) : asText(value)))
  const [row] = await session.query(
    `update webhook set ${['revision = $3', ...set].join(', ')} where id = $1 and ($2::bytea is null or owner = $2) returning *`,
    [id, owner ?? null, revision, ...values],
  )
  if (row === undefined) return undefined
  const webhook = row as unknown as Webhook
  // The lock comes first, so that the next statement sees deliveries that others have added meanwhile.
  await session.query('select from webhook_queue where webhook_id = $1 for update', [id])
  await session.query(
    `update webhook_queue set host = $2, failures = 0, failing_since_ms = null,
      due_ms = case when $3::boolean and exists (select from webhook_delivery where webhook_id = $1 and state = 'queued')
        then $4::bigint end
    where webhook_id = $1`,
    [id, webhook.host, webhook.is_active, Math.floor(nowMs)],
  )
  return webhook
}

/** Returns the number of the next change of a webhook. */
export async function nextRevision(session: Session): Promise<string> {
  const [row] = await session.query(`insert into webhook_revision as r (id, revision) values (1, 1)
    on conflict (id) do update set revision = r.revision + 1 returning revision`)
  return String(row?.['revision'])
}

const asText = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)
