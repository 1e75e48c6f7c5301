import { formatArray, type Session } from '@firn/sql'

/**
 * Makes active webhooks due that had nothing to send. Their rows are locked first: whoever has found that nothing is left
 * to send, and is about to say so, would otherwise overwrite it.
 */
export async function makeDue(session: Session, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  const array = formatArray(ids)
  await session.query(
    'select from webhook_queue where webhook_id = any($1::text[]) order by webhook_id for update',
    [array],
  )
  await session.query(
    `update webhook_queue as q set due_ms = $2 from webhook as w
    where q.webhook_id = any($1::text[]) and q.due_ms is null and w.id = q.webhook_id and w.is_active`,
    [array, Math.floor(nowMs)],
  )
}
