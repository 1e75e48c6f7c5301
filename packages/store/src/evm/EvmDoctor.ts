import type { Session } from '../internal/Driver.ts'
import type { EvmStore } from './EvmStore.ts'
import type { DoctorOptions, Fault } from './Examination.ts'
import { blockFaults } from './internal/doctorBlocks.ts'
import { CHECKS } from './internal/doctorChecks.ts'

export type { DoctorOptions, Fault } from './Examination.ts'

/** Consecutive blocks without a gap, with all their derived rows. */
export interface CompleteRange {
  readonly first: bigint
  readonly last: bigint
  readonly firstHash: Uint8Array
  readonly lastHash: Uint8Array
  /** The digest over all blocks of the range, see `block.chain_digest`. */
  readonly chainDigest: Uint8Array
  /** The time of the first block, Unix seconds. */
  readonly since: bigint
}

/** The result of a check. */
export interface EvmReport {
  /** The number of blocks checked. */
  readonly blocks: bigint
  /** Empty when there are no faults; limited per kind by {@link DoctorOptions.most}. */
  readonly faults: readonly Fault[]
  readonly ranges: readonly CompleteRange[]
}

const MOST = 100

/**
 * Verifies the stored data: that heights have no gap and blocks link, that block digests match the rows, and
 * that contracts, tokens, owners, balances, rollups and active addresses follow from the blocks, which the
 * database recomputes. All of it as of one moment. A writer may continue meanwhile, except with PGlite, which
 * runs one query at a time.
 * @throws StoreError `STORE_UNAVAILABLE`; the abort reason of `signal`
 */
export async function check(store: EvmStore, options: DoctorOptions = {}): Promise<EvmReport> {
  const { most = MOST, onProgress, signal } = options
  return store.driver.transaction(async (session) => {
    await session.query('set transaction isolation level repeatable read, read only')
    const found = await blockFaults(session, { most, onProgress, signal })
    const faults: Fault[] = [...found.faults]
    for (const { table, text } of CHECKS) {
      signal?.throwIfAborted()
      for (const row of await session.query(`${text} limit $1`, [most])) {
        const { height, of, expected, actual } = row as unknown as Difference
        const message = `expected ${expected ?? 'none'}, got ${actual ?? 'none'} of ${of}`
        faults.push({ table, height: height ?? undefined, message })
      }
    }
    return { blocks: found.blocks, faults, ranges: await rangesOf(session) }
  })
}

interface Difference {
  readonly height: bigint | null
  readonly of: string
  readonly expected: string | null
  readonly actual: string | null
}

/**
 * Returns the complete range: one, or none while no block is stored. Cheap: it relies on what every commit
 * maintains; {@link check} verifies it.
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function completeness(store: EvmStore): Promise<readonly CompleteRange[]> {
  return store.driver.transaction(rangesOf)
}

async function rangesOf(session: Session): Promise<CompleteRange[]> {
  const rows =
    await session.query(`select f.height as first, f.hash as "firstHash", f.time as since, l.height as last,
      l.hash as "lastHash", l.chain_digest as "chainDigest"
    from chain join block f on f.height = chain.first_height cross join cursor join block l on l.height = cursor.height`)
  return rows as unknown as CompleteRange[]
}
