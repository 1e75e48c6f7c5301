import type { Session } from '../../internal/Driver.ts'
import { Partitions } from '../../internal/partitions.ts'
import { type Lease, lockFence } from '../../Lease.ts'
import { StoreError } from '../../StoreError.ts'
import { type EvmChain, toRow } from '../EvmChain.ts'
import type { BlockRow } from '../EvmSchema.ts'
import type { Tip } from './Added.ts'

/** What a writer goes on from. */
export interface Opened {
  readonly fence: bigint
  readonly partitions: Partitions
  readonly tip: Tip
}

/**
 * Begins to write with a lease, or without one by fencing all others off, and gives an empty database its chain.
 * @throws StoreError `STORE_FENCED`, `STORE_NETWORK`
 */
export async function openChain(
  session: Session,
  chainId: bigint,
  chain: EvmChain,
  lease: Lease | undefined,
): Promise<Opened> {
  // The row stays locked until all is loaded, so that no other writer goes on meanwhile.
  const fence = await lockFence(session, lease)
  await putChain(session, chainId, chain)
  const partitions = await Partitions.load(session)
  return { fence, partitions, tip: await loadTip(session) }
}

/** What must not change of a chain; how it is called may. */
const LASTING = ['chain_id', 'first_height', 'has_traces'] as const

async function putChain(session: Session, chainId: bigint, chain: EvmChain): Promise<void> {
  const given = toRow(chain)
  const [stored = { ...given, chain_id: chainId }] = await session.query('select * from chain')
  for (const field of LASTING) {
    if (stored[field] === given[field]) continue
    const details = { field, expected: String(stored[field]), actual: String(given[field]) }
    const message = `expected a chain whose ${field} is ${details.expected}, got ${details.actual}`
    throw new StoreError('STORE_NETWORK', message, { details })
  }
  const names = Object.keys(given)
  const values = Object.values(given).map((value) => (typeof value === 'bigint' ? String(value) : value))
  await session.query('delete from chain')
  await session.query(
    `insert into chain (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    values,
  )
}

/** Makes a tip the one that readers see. */
export async function storeCursor(session: Session, { block, sequence }: Tip): Promise<void> {
  await session.query('delete from cursor')
  if (block === undefined) return
  const values = [String(block.height), block.hash, String(block.time), String(sequence)]
  await session.query('insert into cursor (height, hash, time, sequence) values ($1, $2, $3, $4)', values)
}

async function loadTip(session: Session): Promise<Tip> {
  const [row] = await session.query('select max(sequence) as sequence from change')
  return { block: await loadBlock(session), sequence: (row?.['sequence'] as bigint | null) ?? 0n }
}

/** The newest block. */
export async function loadBlock(session: Session): Promise<BlockRow | undefined> {
  const [row] = await session.query('select * from block order by height desc limit 1')
  return row as BlockRow | undefined
}
