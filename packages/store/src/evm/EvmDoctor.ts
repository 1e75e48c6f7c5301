import type { Session } from '../internal/Driver.ts'
import type { EvmStore } from './EvmStore.ts'
import type { DoctorOptions, Fault } from './Examination.ts'
import { blockFaults } from './internal/doctorBlocks.ts'
import { CHECKS } from './internal/doctorChecks.ts'

export type { DoctorOptions, Fault } from './Examination.ts'

/** Blocks that follow each other without a gap, with all that followed from them. */
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

/** What was found. */
export interface EvmReport {
  /** Blocks that were looked at. */
  readonly blocks: bigint
  /** Empty where all is right; of each kind at most so many as were asked for. */
  readonly faults: readonly Fault[]
  readonly ranges: readonly CompleteRange[]
}

const MOST = 100

/**
 * Proves what is stored: that heights have no gap and blocks link, that their digests are those of their rows, and that contracts,
 * tokens, owners, balances, rollups and active addresses are what follows from the blocks, reckoned once more by the database. All
 * of it as of one moment; a writer may go on meanwhile, but for PGlite, which does nothing else.
 * @throws StoreError `STORE_UNAVAILABLE`; what `signal` was aborted with
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
 * What is complete: one range, or none while no block is stored. By what every commit keeps, and cheap: {@link check} proves it.
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
