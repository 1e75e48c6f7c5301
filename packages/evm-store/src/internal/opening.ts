import { Bytes, Hex } from '@firn/codec'
import { type Lease, lockFence, Partitions, type Session, StoreError, setLocal } from '@firn/sql'
import { type EvmChain, toRow } from '../EvmChain.ts'
import type { BlockRow } from '../EvmSchema.ts'
import type { LogSelection } from '../LogSelection.ts'
import type { Tip } from './Added.ts'
import { loadCollections } from './collections.ts'
import { missingIndexes } from './deferredIndexes.ts'
import type { Collections } from './idTransfers.ts'
import { openIcm } from './storeIcm.ts'
import { untilFinished } from './unfinished.ts'

/** The state from which a writer continues. */
export interface WriterState {
  readonly fence: bigint
  /** Whether the chain is sharded over the workers of a Citus cluster. */
  readonly isSharded: boolean
  /** Whether indexes are missing that requests need. */
  readonly missingIndexes: number
  readonly partitions: Partitions
  readonly tip: Tip
  /** Height of the first block without its traces; undefined if there is none. */
  readonly untracedFrom: bigint | undefined
  /** Contracts whose ERC-20 transfer logs contain token ids. */
  readonly collections: Collections
}

/**
 * Makes this process the writer of the chain and stores the chain's description. Without a lease, all other writers
 * are fenced off.
 * @throws StoreError `STORE_FENCED`, `STORE_NETWORK`, `STORE_UNAVAILABLE`
 */
export async function openChain(
  session: Session,
  chainId: bigint,
  chain: EvmChain,
  {
    lease,
    logs = true,
    selection = [],
  }: {
    readonly lease?: Lease | undefined
    readonly logs?: boolean | undefined
    readonly selection?: LogSelection | undefined
  },
): Promise<WriterState> {
  // The fence stays locked until everything is loaded, so that no other writer commits in the meantime.
  const fence = await lockFence(session, lease)
  const isSharded = await readSharded(session)
  if (isSharded) await untilFinished(session.query)
  const tip = await loadTip(session)
  const next = (tip.block?.height ?? chain.firstHeight - 1n) + 1n
  const hasAllLogs = logs && chain.isEventsOnly !== true
  await putChain(session, chainId, chain, hasAllLogs ? next : undefined)
  if (chain.isEventsOnly === true) await putSelection(session, selection, next)
  else await openIcm(session, next)
  const missing = (await missingIndexes(session)).length
  const partitions = await Partitions.load(session)
  const untracedFrom = await firstUntraced(session)
  const collections = await loadCollections(session)
  return { fence, isSharded, missingIndexes: missing, partitions, tip, untracedFrom, collections }
}

/**
 * Returns whether the chain is sharded over the workers of a Citus cluster.
 * @throws StoreError `STORE_UNAVAILABLE` until all of its tables are
 */
async function readSharded(session: Session): Promise<boolean> {
  const [sharding] = await session.query('select is_complete from sharding')
  if (sharding?.['is_complete'] !== false) return sharding !== undefined
  const message =
    'the tables of the chain are being distributed over the workers of a Citus cluster; wait, or run `firn db distribute --chain` again if it was interrupted'
  throw new StoreError('STORE_UNAVAILABLE', message)
}

/**
 * Stores which logs are stored. Logs that were not selected before are complete from the next height on.
 */
async function putSelection(session: Session, selection: LogSelection, next: bigint): Promise<void> {
  const topics = selection.map(({ topic0 }) => topic0)
  const addresses = selection.map(({ address }) => address ?? new Uint8Array())
  const given =
    'select distinct topic0, address from unnest($1::bytea[], $2::bytea[]) as given (topic0, address)'
  await session.query(`delete from log_selection where (topic0, address) not in (${given})`, [
    topics,
    addresses,
  ])
  await session.query(
    `insert into log_selection select topic0, address, $3::int8 from (${given}) as given on conflict do nothing`,
    [topics, addresses, String(next)],
  )
}

/** The properties of a chain that must not change, and how its blocks are then stored. Its names may change. */
const LASTING: {
  readonly [F in 'chain_id' | 'first_height' | 'events_only' | 'has_traces']: (value: unknown) => string
} = {
  chain_id: (id) => `with the chain id ${id}`,
  first_height: (height) => `from block ${height} on`,
  events_only: (isOnly) => (isOnly === true ? 'with only their events' : 'completely'),
  has_traces: (has) => (has === true ? 'with traces' : 'without traces'),
}

/** `next` is the height of the next block if its logs are stored. */
async function putChain(
  session: Session,
  chainId: bigint,
  chain: EvmChain,
  next: bigint | undefined,
): Promise<void> {
  const given = { ...toRow(chain), logs_from: null as bigint | null }
  const [stored = { ...given, chain_id: chainId }] = await session.query('select * from chain')
  for (const [field, describe] of Object.entries(LASTING)) {
    const [expected, actual] = [stored[field], given[field as keyof typeof LASTING]]
    if (expected === actual) continue
    const details = { field, expected: String(expected), actual: String(actual) }
    const message = `the blocks of chain ${chainId} are stored ${describe(expected)}, and can't be continued ${describe(actual)}: use the options with which they were stored, or run "firn evm --reset ${chainId}" to remove them and to index the chain again`
    throw new StoreError('STORE_NETWORK', message, { details })
  }
  given.genesis_hash = sameGenesis(stored['genesis_hash'] as Uint8Array | null, given.genesis_hash)
  given.logs_from = next === undefined ? null : ((stored['logs_from'] as bigint | null) ?? next)
  const names = Object.keys(given)
  const values = Object.values(given).map((value) => (typeof value === 'bigint' ? String(value) : value))
  await session.query('delete from chain')
  await session.query(
    `insert into chain (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    values,
  )
}

/**
 * Returns the hash of block 0. Once it is stored, it must not change.
 * @throws StoreError `STORE_NETWORK`
 */
function sameGenesis(stored: Uint8Array | null, given: Uint8Array | null): Uint8Array | null {
  if (stored === null || given === null || Bytes.equals(stored, given)) return stored ?? given
  const details = { field: 'genesis_hash', expected: Hex.encode(stored), actual: Hex.encode(given) }
  const message = `this database holds an EVM chain whose block 0 is ${details.expected}, got ${details.actual}`
  throw new StoreError('STORE_NETWORK', message, { details })
}

/**
 * Stores the position and the sequence number that readers see once the database transaction is committed. This also
 * ends a halt.
 */
export async function storeCursor(session: Session, { block, sequence }: Tip): Promise<void> {
  await session.query('delete from cursor')
  if (block === undefined) return
  const { height, hash, time, settled_height: settled } = block
  await session.query(
    'insert into cursor (height, hash, time, sequence, settled_height) values ($1, $2, $3, $4, $5)',
    [String(height), hash, String(time), String(sequence), settled === null ? null : String(settled)],
  )
}

/**
 * Returns the tip from which a writer continues. Its sequence number is the highest that was ever reserved, because
 * readers may have seen the numbers of changes that a crash lost.
 */
async function loadTip(session: Session): Promise<Tip> {
  const [row] = await session.query(
    'select greatest(reserved, (select max(sequence) from change)) as sequence from writer',
  )
  const sequence = row?.['sequence'] as bigint
  await session.query('update cursor set sequence = $1', [String(sequence)])
  return { block: await loadBlock(session), sequence }
}

/** Number of sequence numbers reserved at a time. */
const RESERVED = 10_000n

/**
 * Reserves the {@link RESERVED} sequence numbers after `sequence`, and returns the last of them. The database
 * transaction is then committed synchronously, so that readers see none of these numbers before the reservation can
 * survive a server crash.
 */
export async function reserve(session: Session, sequence: bigint): Promise<bigint> {
  const reserved = sequence + RESERVED
  await session.query('update writer set reserved = $1', [String(reserved)])
  await session.query(setLocal({ synchronous_commit: 'on' }))
  return reserved
}

/** Returns the height of the first block without its traces; undefined if there is none. */
export async function firstUntraced(session: Session): Promise<bigint | undefined> {
  const [row] = await session.query('select min(height) as height from trace_gap')
  return (row?.['height'] as bigint | null | undefined) ?? undefined
}

/** Returns the row of the newest block. */
export async function loadBlock(session: Session): Promise<BlockRow | undefined> {
  const [row] = await session.query('select * from block order by height desc limit 1')
  return row as BlockRow | undefined
}
