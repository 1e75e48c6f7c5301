import { formatArray, type Session } from '@firn/sql'
import type { BlockRow } from '../EvmSchema.ts'
import { chainDigest, NO_CHAIN_DIGEST } from './BlockCopies.ts'

/** Number of blocks whose chain digests are computed again in a database transaction, for which commits wait. */
const STEP = 1_000

/** Returns the chain digest from which a block's chain digest follows. */
export async function chainDigestBefore(session: Session, height: bigint): Promise<Uint8Array> {
  const [previous] = await session.query('select chain_digest from block where height = $1', [
    String(height - 1n),
  ])
  return (previous?.['chain_digest'] as Uint8Array | undefined) ?? NO_CHAIN_DIGEST
}

/** Returns the lowest height from which on chain digests are to be computed again; undefined if there is none. */
export async function firstStale(session: Session): Promise<bigint | undefined> {
  const [row] = await session.query('select min(height) as height from stale_digest')
  return (row?.['height'] as bigint | null | undefined) ?? undefined
}

/** Stores the chain digest of a block whose own digest has changed. The chain digests of later blocks are then to be computed again. */
export async function replaceDigests(
  session: Session,
  { height, digest, chain_digest }: BlockRow,
  before: Uint8Array,
): Promise<void> {
  const own = [String(height)]
  await session.query('update block set digest = $2, chain_digest = $3 where height = $1', [
    ...own,
    digest,
    chain_digest,
  ])
  // The chain digest of the block now follows from the previous block's.
  await session.query('delete from stale_digest where height = $1', own)
  await markStale(session, height + 1n, before)
}

/** Marks the chain digests from a height on, if blocks are stored there. They follow from `before`. */
async function markStale(session: Session, height: bigint, before: Uint8Array): Promise<void> {
  const own = String(height)
  const [next] = await session.query('select height from block where height = $1', [own])
  if (next === undefined) return
  await session.query('insert into stale_digest (height, before) values ($1, $2) on conflict do nothing', [
    own,
    before,
  ])
}

/** Computes the lowest stale chain digests again, of at most `most` blocks. Returns whether there are more. */
export async function refreshNext(session: Session, most = STEP): Promise<boolean> {
  const from = await firstStale(session)
  if (from === undefined) return false
  const first = String(from)
  const rows = await session.query(
    'select height, digest, chain_digest from block where height >= $1 order by height limit $2',
    [first, most],
  )
  let last = await chainDigestBefore(session, from)
  const digests = rows.map((row) => {
    last = chainDigest(last, row['digest'] as Uint8Array)
    return last
  })
  const heights = rows.map((row) => row['height'] as bigint)
  const end = heights.at(-1) ?? from
  await session.query(
    `update block b set chain_digest = k.chain_digest from unnest($3::int8[], $4::bytea[]) as k (height, chain_digest)
      where b.height = k.height and b.height >= $1 and b.height <= $2`,
    [first, String(end), formatArray(heights), digests],
  )
  await session.query('delete from stale_digest where height >= $1 and height <= $2', [first, String(end)])
  const replaced = rows.at(-1)?.['chain_digest'] as Uint8Array | undefined
  if (replaced !== undefined) await markStale(session, end + 1n, replaced)
  return (await firstStale(session)) !== undefined
}
