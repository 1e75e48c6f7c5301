import type { Session } from '@firn/sql'
import type { EvmStore } from './EvmStore.ts'
import type { DoctorOptions, Fault } from './Examination.ts'
import { missingIndexes } from './internal/deferredIndexes.ts'
import { blockFaults } from './internal/doctorBlocks.ts'
import { CHECKS } from './internal/doctorChecks.ts'
import { readPruned } from './internal/prune.ts'
import { isSharded } from './internal/sharding.ts'
import { untilFinished } from './internal/unfinished.ts'

export type { DoctorOptions, Fault } from './Examination.ts'

/** A range of consecutive stored blocks. */
export interface CompleteRange {
  readonly first: bigint
  readonly last: bigint
  readonly firstHash: Uint8Array
  readonly lastHash: Uint8Array
  /** Digest over all blocks up to the last block of the range; see `block.chain_digest`. */
  readonly chainDigest: Uint8Array
  /** Whether the digest is to be computed again, because traces were added to a block; see `EvmWriter.refreshDigests`. */
  readonly isDigestStale: boolean
  /** Time of the first block, in Unix seconds. */
  readonly since: bigint
}

/** The result of {@link check}. */
export interface EvmReport {
  /** Number of blocks checked. */
  readonly blocks: bigint
  /** The faults found; empty if there are none. {@link DoctorOptions.most} limits the number per check. */
  readonly faults: readonly Fault[]
  readonly ranges: readonly CompleteRange[]
  /**
   * Heights of the blocks that are stored without their traces because no node returned them in time. They are no faults:
   * the indexer requests the traces again.
   */
  readonly untraced: readonly bigint[]
}

const MOST = 100

/**
 * Verifies a consistent snapshot of the stored data. It checks that there are no gaps, that each block links to its
 * parent and that the block digests match the rows. It also recomputes contracts, tokens, owners, balances, rollups
 * and active addresses from the blocks and compares them. Indexes that are missing or invalid are faults too. Of blocks whose data was pruned, it checks the remaining data. A writer may continue in the meantime, except with PGlite,
 * which runs one query at a time.
 * @throws StoreError `STORE_UNAVAILABLE`; the abort reason of `signal`
 * @example
 * ```ts
 * import { EvmDoctor, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const { blocks, faults } = await EvmDoctor.check(store, { most: 10 })
 * ```
 */
export async function check(store: EvmStore, options: DoctorOptions = {}): Promise<EvmReport> {
  const { most = MOST, onProgress, signal } = options
  return inSnapshot(store, async (session) => {
    const found = await blockFaults(session, { most, onProgress, signal })
    const faults: Fault[] = [...found.faults]
    const [chain] = await session.query('select events_only from chain')
    // Nothing is derived from the blocks of a chain of which only events are stored, except events.
    for (const { table, text } of chain?.['events_only'] === true ? [] : CHECKS) {
      signal?.throwIfAborted()
      for (const row of await session.query(`${text} limit $1`, [most])) {
        const { height, of, expected, actual } = row as unknown as Difference
        const message = `${of}: expected ${expected ?? 'no row'}, got ${actual ?? 'no row'}`
        faults.push({ table, height: height ?? undefined, message })
      }
    }
    faults.push(
      ...(await eventFaults(session, most)),
      ...(await indexFaults(session)),
      ...(await imageFaults(session, most)),
    )
    const gaps = await session.query('select height from trace_gap order by height')
    const untraced = gaps.map(({ height }) => height as bigint)
    return { blocks: found.blocks, faults, ranges: await rangesOf(session), untraced }
  })
}

/**
 * Runs `work` in a consistent snapshot. On a sharded chain, each worker has its own. Commits wait until all workers have
 * theirs, and each worker is used through one connection, because each connection would have another snapshot.
 */
async function inSnapshot<T>({ driver }: EvmStore, work: (session: Session) => Promise<T>): Promise<T> {
  const run = (ready: (session: Session) => Promise<unknown>) =>
    driver.transaction(async (session) => {
      await session.query('set transaction isolation level repeatable read, read only')
      await ready(session)
      return work(session)
    })
  if (!(await driver.transaction(isSharded))) return run(async () => undefined)
  const begun = Promise.withResolvers<void>()
  const settings = { max_adaptive_executor_pool_size: '1', max_intermediate_result_size: '-1' }
  let result: Promise<T> | undefined
  await driver.transaction(async (session) => {
    await session.query('lock table writer in exclusive mode')
    await untilFinished(session.query)
    result = run(async (own) => {
      for (const [name, value] of Object.entries(settings))
        await own.query(`set local citus.${name} to ${value}`)
      await own.query(
        'select count(*) from (select height from block union all select 0 from token_balance) as all_shards',
      )
      begun.resolve()
    })
    await Promise.race([begun.promise, result])
  })
  return result as Promise<T>
}

interface Difference {
  readonly height: bigint | null
  readonly of: string
  readonly expected: string | null
  readonly actual: string | null
}

/**
 * Returns the range of stored blocks as an array with one element, or an empty array if no block is stored. The call
 * is cheap: it reads only the first and the last block, because no commit leaves a gap. {@link check} verifies the
 * blocks in between.
 * @throws StoreError `STORE_UNAVAILABLE`
 * @example
 * ```ts
 * import { EvmDoctor, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const [range] = await EvmDoctor.completeness(store)
 * console.log(range?.first, range?.last)
 * ```
 */
export async function completeness(store: EvmStore): Promise<readonly CompleteRange[]> {
  return store.driver.transaction(rangesOf)
}

/**
 * Checks that each decoded event belongs to a stored log of a block that is marked as decoded. Logs may be pruned before
 * their events.
 */
async function eventFaults(session: Session, most: number): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  const logsFrom = (await readPruned(session)).get('logs') ?? 0n
  for (const { name, next_height } of await session.query(
    'select name, next_height from event_table order by name',
  )) {
    const table = name as string
    const rows = await session.query(
      `select e.height, e.log_index from "${table}" e left join log l
          on l.height = e.height and l.log_index = e.log_index and l.address = e.address
        where (l.height is null and e.height >= $3) or e.height >= $1 order by e.height, e.log_index limit $2`,
      [String(next_height), most, String(logsFrom)],
    )
    for (const { height, log_index } of rows) {
      faults.push({
        table,
        height: height as bigint,
        message: `log ${log_index}: the event has no decoded log`,
      })
    }
  }
  return faults
}

/** Checks that the bytes of images have their hashes, and that the images of all tokens are stored. */
async function imageFaults(session: Session, most: number): Promise<readonly Fault[]> {
  const damaged = await session.query(
    `select encode(hash, 'hex') as hash from image where sha256(bytes) <> hash order by hash limit $1`,
    [most],
  )
  const missing = await session.query(
    `with stored as materialized (select hash from image)
      select encode(i.contract, 'hex') as contract, i.token_id, encode(i.hash, 'hex') as hash
      from token_image i left join stored s on s.hash = i.hash where i.hash is not null and s.hash is null limit $1`,
    [most],
  )
  return [
    ...damaged.map(({ hash }) => ({
      table: 'image',
      height: undefined,
      message: `image ${hash}: the bytes have another hash; delete the row, so that the image is not served`,
    })),
    ...missing.map(({ contract, token_id, hash }) => ({
      table: 'token_image',
      height: undefined,
      message: `token ${token_id} of 0x${contract}: expected the image ${hash}, which is not stored`,
    })),
  ]
}

/** Finds indexes that are missing, or that an interrupted `create index concurrently` of an operator has left unfinished. */
async function indexFaults(session: Session): Promise<readonly Fault[]> {
  const missing = await missingIndexes(session)
  const invalid = await session.query(INVALID_INDEXES)
  return [
    ...missing.map(({ table, definition }) => ({
      table,
      height: undefined,
      message: `the index ${definition} is not built yet, so requests are not answered; let the indexer reach the head of the chain, or start it without --indexes-after-backfill to build the index now`,
    })),
    ...invalid.map(({ table, name }) => ({
      table: table as string,
      height: undefined,
      message: `the index ${name} is invalid, so requests do not use it; build it again with REINDEX INDEX`,
    })),
  ]
}

const INVALID_INDEXES = `select c.relname as table, i.relname as name from pg_index x
  join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  where not x.indisvalid and c.relnamespace = current_schema()::regnamespace order by 1, 2`

async function rangesOf(session: Session): Promise<CompleteRange[]> {
  const [heights] = await session.query('select first_height, height from chain cross join cursor')
  if (heights === undefined) return []
  const [first, last] = [String(heights['first_height']), String(heights['height'])]
  const rows = await session.query(
    `select f.height as first, f.hash as "firstHash", f.time as since, l.height as last, l.hash as "lastHash",
      l.chain_digest as "chainDigest", exists (select from stale_digest) as "isDigestStale"
    from (select * from block where height = $1 limit 1) as f cross join (select * from block where height = $2 limit 1) as l`,
    [first, last],
  )
  return rows as unknown as CompleteRange[]
}
