import { fetchRows, formatArray, type Session } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from './EvmStore.ts'
import type { DueToken, TokenOutcome, TokenQueue } from './TokenQueue.ts'

/**
 * Returns the queue of a chain's tokens whose metadata must be fetched. Tokens that were never tried come first. The
 * queue may be used while a writer of the chain runs, even in another process. Results for tokens that were removed
 * by an undo in the meantime aren't stored. With `copiesImages`, the images that the results name become due in the queue
 * of images. The queue throws only StoreErrors.
 *
 * @example
 * ```ts
 * import { type EvmStore, sqlTokenQueue } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const queue = sqlTokenQueue(store)
 * ```
 */
export function sqlTokenQueue(
  store: EvmStore,
  { copiesImages = false }: { readonly copiesImages?: boolean } = {},
): TokenQueue {
  return {
    async due(limit, now) {
      const rows = await fetchRows(
        store,
        sql<DueToken>`select * from (
          (select u.contract, u.token_id as "tokenId", u.standard as kind, 0 as attempts from token_unseen u
            order by u.since, u.contract, u.token_id limit ${limit})
          union all
          (select m.contract, m.token_id, t.standard, m.attempts from token_metadata m
            join token t on t.contract = m.contract and t.token_id = m.token_id
            where m.retry_at <= ${now} order by m.retry_at limit ${limit})) as due limit ${limit}`,
      )
      return rows
    },
    async store(outcomes) {
      if (outcomes.length === 0) return
      await store.driver.transaction((session) => keep(session, outcomes, copiesImages))
    },
  }
}

async function keep(
  session: Session,
  outcomes: readonly TokenOutcome[],
  copiesImages: boolean,
): Promise<void> {
  const keys = [outcomes.map(({ contract }) => contract), formatArray(outcomes.map(({ tokenId }) => tokenId))]
  // All transactions lock tokens in the same order. Citus locks rows only by a single key.
  const ordered = outcomes.toSorted(
    (a, b) => Buffer.compare(a.contract, b.contract) || (a.tokenId < b.tokenId ? -1 : 1),
  )
  for (const { contract, tokenId, metadata, retryAt, ...outcome } of ordered) {
    // The row is locked, so that an undo waits for the results stored here and then removes them.
    const found = await session.query(LOCK, [contract, String(tokenId)])
    if (found.length === 0) continue
    const { uri, indexStatus, checkedAt, attempts } = outcome
    await session.query(PUT, [
      ...[contract, String(tokenId), uri, indexStatus, String(checkedAt), attempts],
      ...[
        retryAt === undefined ? null : String(retryAt),
        metadata === undefined ? null : JSON.stringify(metadata),
      ],
    ])
    // If an attempt failed, the copy of the last image remains.
    if (metadata === undefined) continue
    const statement = metadata.imageUri === undefined ? NO_IMAGE : copiesImages ? IMAGE_DUE : undefined
    if (statement !== undefined) await session.query(statement, [contract, String(tokenId)])
  }
  await session.query(SEEN, keys)
}

const KEYS = 'unnest($1::bytea[], $2::numeric[])'
const LOCK = 'select 1 from token where contract = $1 and token_id = $2 for key share'
const PUT = `insert into token_metadata (contract, token_id, uri, index_status, checked_at, attempts, retry_at, metadata)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb) on conflict (contract, token_id) do update set uri = excluded.uri,
    index_status = excluded.index_status, checked_at = excluded.checked_at, attempts = excluded.attempts,
    retry_at = excluded.retry_at, metadata = excluded.metadata`
const IMAGE_DUE = `insert into token_image (contract, token_id, attempts, retry_at) values ($1, $2, 0, 0)
  on conflict (contract, token_id) do update set attempts = 0, retry_at = 0`
const NO_IMAGE = 'delete from token_image where contract = $1 and token_id = $2'
const SEEN = `delete from token_unseen u using ${KEYS} as k (contract, token_id)
  where u.contract = k.contract and u.token_id = k.token_id`
