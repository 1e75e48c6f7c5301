import { createHash } from 'node:crypto'
import { fetchRows, type Session } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from './EvmStore.ts'
import type { DueImage, Image, ImageOutcome, ImageQueue } from './ImageQueue.ts'
import { readImageUsage } from './internal/imageUsage.ts'
import type { TokenKey } from './TokenQueue.ts'

/** Size of the other columns and index entries of an image in bytes, so that small images count too. */
const ROW_BYTES = 512

/** Number of tokens that {@link ImageQueue.fill} looks at. */
const FILLED = 5_000

/**
 * Returns the queue of a chain's images. Several workers may use it at the same time. Results for tokens that were
 * removed by an undo in the meantime aren't stored. The queue throws only StoreErrors.
 *
 * @example
 * ```ts
 * import { type EvmStore, sqlImageQueue } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const queue = sqlImageQueue(store)
 * ```
 */
export function sqlImageQueue(store: EvmStore): ImageQueue {
  const { driver } = store
  return {
    due: (limit, now) =>
      fetchRows(
        store,
        sql<DueImage>`select i.contract, i.token_id as "tokenId", m.metadata ->> 'imageUri' as uri, i.attempts
          from token_image i join token_metadata m on m.contract = i.contract and m.token_id = i.token_id
          where i.retry_at <= ${now} and m.metadata ->> 'imageUri' is not null order by i.retry_at limit ${limit}`,
      ),
    async store(outcomes) {
      if (outcomes.length > 0) await driver.transaction((session) => keep(session, outcomes))
    },
    async fill(after) {
      const behind =
        after === undefined
          ? sql`true`
          : sql`(contract, token_id) > (${after.contract}, ${String(after.tokenId)}::numeric)`
      const rows = await fetchRows(
        store,
        sql<TokenKey>`select contract, token_id as "tokenId" from token_metadata
          where metadata ->> 'imageUri' is not null and ${behind}
          order by contract, token_id limit ${sql.lit(FILLED)}`,
      )
      const keys = [rows.map(({ contract }) => contract), rows.map(({ tokenId }) => String(tokenId))]
      if (rows.length > 0) await driver.transaction((session) => session.query(ADD, keys))
      return rows.length < FILLED ? undefined : rows.at(-1)
    },
    trim: (limit) =>
      driver.transaction(async (session) => {
        const usage = await readImageUsage(session)
        if (usage.bytes <= limit) return usage
        const removed = await session.query(REMOVE_OLDEST, [limit])
        await session.query(FORGET, [removed.map(({ hash }) => hash as Uint8Array)])
        return readImageUsage(session)
      }),
  }
}

async function keep(session: Session, outcomes: readonly ImageOutcome[]): Promise<void> {
  const hashed = outcomes.map((outcome) => {
    const { result } = outcome
    if ('failure' in result) return { ...outcome, hash: undefined, image: undefined }
    return { ...outcome, hash: createHash('sha256').update(result.bytes).digest(), image: result }
  })
  // All transactions lock images in the same order, and tokens after them.
  const images = new Map(
    hashed.flatMap(({ hash, image, checkedAt }) =>
      hash === undefined ? [] : [[hash.toString('hex'), { ...image, hash, checkedAt }] as const],
    ),
  )
  for (const [, image] of [...images].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await session.query(PUT_IMAGE, imageRow(image))
  const ordered = hashed.toSorted(
    (a, b) => Buffer.compare(a.contract, b.contract) || (a.tokenId < b.tokenId ? -1 : 1),
  )
  for (const { contract, tokenId, uri, hash, result, attempts, retryAt } of ordered) {
    const failure = 'failure' in result ? result.failure : null
    await session.query(PUT, [
      ...[contract, String(tokenId), uri, hash ?? null, failure, attempts],
      retryAt === undefined ? null : String(retryAt),
    ])
  }
}

function imageRow(image: Image & { readonly hash: Uint8Array; readonly checkedAt: bigint }) {
  const { hash, contentType, width, height, checkedAt, bytes } = image
  return [hash, contentType, width, height, bytes.length + ROW_BYTES, String(checkedAt), bytes]
}

/** Tokens that share an image keep it, even if it was the oldest one. */
const PUT_IMAGE = `insert into image (hash, content_type, width, height, size, stored_at, bytes)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict (hash) do update set stored_at = excluded.stored_at`
/** A token has no row, or another URI, if its metadata changed or an undo removed it. */
const PUT = `update token_image i set hash = $4::bytea, failure = $5::text, attempts = $6::int, retry_at = $7::int8
  from token_metadata m where i.contract = $1 and i.token_id = $2::numeric and m.contract = $1 and m.token_id = $2::numeric
    and m.metadata ->> 'imageUri' = $3`
const ADD = `insert into token_image (contract, token_id, attempts, retry_at)
  select k.contract, k.token_id, 0, 0 from unnest($1::bytea[], $2::numeric[]) as k (contract, token_id)
  on conflict (contract, token_id) do nothing`
const REMOVE_OLDEST = `delete from image where hash in (select hash from
    (select hash, sum(size) over (order by stored_at desc, hash desc) as total from image) as i where total > $1)
  returning hash`
const FORGET = `update token_image set hash = null, failure = 'removed' where hash = any($1::bytea[])`
