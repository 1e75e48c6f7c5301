import { Bytes } from '@firn/codec'
import type { Block } from '@firn/evm'
import { type Session, StoreError, toKey } from '@firn/sql'
import type { BlockRow } from '../EvmSchema.ts'
import type { IndexedBlock } from '../IndexedBlock.ts'
import type { Added } from './Added.ts'
import { BlockCopies, NO_CHAIN_DIGEST } from './BlockCopies.ts'
import { derive } from './blockRows.ts'
import type { Contracts } from './Contracts.ts'
import { addDeployers } from './fillDeployers.ts'
import { outermost } from './outermost.ts'
import { chainDigestBefore, replaceDigests } from './staleDigests.ts'
import { limitUnchecked } from './storeChecks.ts'

/** Returns the row of a block that is stored without its traces; undefined if there is no such block. */
export async function untraced(session: Session, { height, hash }: Block): Promise<BlockRow | undefined> {
  const [row] = await session.query(
    `select b.* from block b join trace_gap g on g.height = b.height and g.hash = b.hash
      where b.height = $1 and b.hash = $2`,
    [String(height), hash],
  )
  return row as BlockRow | undefined
}

/**
 * Checks that a block has the stored transactions and receipts of `row`, which was stored without traces.
 * @throws StoreError `STORE_BLOCK`
 */
export function assertStored(block: Block, row: BlockRow): void {
  if (isStored(block, row)) return
  const message = `block ${block.height}: its transactions and receipts differ from the stored ones`
  throw new StoreError('STORE_BLOCK', message, { details: { height: block.height, field: 'receipts' } })
}

function isStored(block: Block, row: BlockRow): boolean {
  const { rows } = derive(outermost(block), before(row), row.log_digest !== null)
  const { digest, log_digest } = new BlockCopies().add(rows, NO_CHAIN_DIGEST, true)
  return Bytes.equals(digest, row.digest) && Bytes.equals(log_digest ?? NONE, row.log_digest ?? NONE)
}

const NONE = new Uint8Array()

/** Number of transactions through the block before `row`. */
function before({ cumulative_transactions, transactions }: BlockRow): bigint {
  return cumulative_transactions - BigInt(transactions)
}

/** A block that is stored without its traces. */
export interface Untraced {
  readonly row: BlockRow
  /** Sequence number of the change that adds them. */
  readonly sequence: bigint
}

/**
 * Adds the traces to a block that is stored without them, and to everything that is derived from them. Afterwards, all
 * tables are as if the block had been stored with its traces, once `refreshNext` has computed the chain digests of all later
 * blocks again:
 *
 * - `internal_call`, `creation` and `block`: the rows of the block
 * - `contract`: contracts that the block created, or the height of the creation of those that were seen later
 * - `rollup`, `last_activity`, `last_activity_count`: created contracts and deployers
 *
 * - `change`: the traces of the block were added
 *
 * Transactions, transfers, logs, tokens, balances and messages do not depend on traces. The checks of balances compare
 * the contracts that the block called or created again.
 */
export async function fill(
  session: Session,
  { block, contracts: facts }: IndexedBlock,
  { row, sequence }: Untraced,
  contracts: Contracts,
): Promise<void> {
  const derived = derive(block, before(row), row.log_digest !== null)
  const copies = new BlockCopies()
  const filled = copies.add(derived.rows, await chainDigestBefore(session, row.height))
  const added = { ...derived, block, contracts: facts, row: { ...filled, log_digest: row.log_digest } }
  // The creations that are stored already tell which deployers count already.
  await addDeployers(session, added, row.contracts)
  const height = String(row.height)
  await session.query('delete from creation where height = $1', [height])
  for (const table of [copies.tables.creation, copies.tables.internal_call])
    if (table.count > 0) await session.copy(table.target, table.finish())
  await session.query('update block set creations = $2, contracts = $3 where height = $1', [
    height,
    filled.creations,
    filled.contracts,
  ])
  await replaceDigests(session, filled, row.chain_digest)
  await addContracts(session, added, contracts)
  await checkAgain(session, added)
  await closeGap(session, { row, sequence })
}

/** Removes the gap, and adds the change that says so. */
async function closeGap(session: Session, { row, sequence }: Untraced): Promise<void> {
  const { height, hash, parent_hash, time } = row
  const text = 'delete from trace_gap where height = $1 returning sequence'
  const [gap] = await session.query(text, [String(height)])
  const added = gap?.['sequence'] as bigint | null | undefined
  await session.query(
    `insert into change (sequence, kind, height, hash, parent_hash, time, added) values ($1, 'traced', $2, $3, $4, $5, $6)`,
    [String(sequence), String(height), hash, parent_hash, String(time), added?.toString() ?? null],
  )
}

/** Stores the contracts that a block created. Those that were seen later first exist from the block on. */
async function addContracts(session: Session, added: Added, contracts: Contracts): Promise<void> {
  const { row, rows } = added
  // The readings that its events require were scheduled when the block was stored.
  const block = {
    ...added.block,
    transactions: added.block.transactions.map((one) => ({ ...one, logs: [] })),
  }
  await contracts.write(session, [{ ...added, block, rows: { ...rows, transfer: [] } }])
  const created = rows.creation.flatMap(({ contract, succeeded }) =>
    succeeded && contract !== null ? [contract] : [],
  )
  await session.query('update contract set since = $2 where address = any($1::bytea[]) and since > $2', [
    created,
    String(row.height),
  ])
  // Events of later blocks scheduled no readings of contracts that were not known yet.
  const [tip] = await session.query('select time from cursor')
  await session.query(READ_AGAIN, [created, String((tip?.['time'] as bigint) + 1n)])
}

const READ_AGAIN = `insert into contract_due (contract, attempts, due)
  select distinct c.address, 0, $2::int8 from unnest($1::bytea[]) as k (address) join contract c using (address)
  on conflict (contract) do update set attempts = 0, due = excluded.due`

/**
 * Makes the checks of balances compare the contracts that were called or created, because they may have passed the block
 * already.
 */
async function checkAgain(session: Session, { row, rows }: Added): Promise<void> {
  const height = String(row.height)
  const touched = new Map<string, Uint8Array>()
  for (const { recipient, succeeded } of rows.internal_call)
    if (succeeded && recipient !== null) touched.set(toKey(recipient), recipient)
  await session.query(
    'update token_check set due = 0 where contract = any($1::bytea[]) and due is not null',
    [[...touched.values()]],
  )
  const created = rows.creation.filter(({ contract, succeeded }) => succeeded && contract !== null)
  const owners = created.flatMap(({ contract, deployer, creator }) =>
    [deployer, creator].map((address) => ({ contract, address })),
  )
  await session.query(
    `insert into unchecked_balance (contract, standard, token_id, address, since)
      select distinct c.address, c.standard, 0, k.address, $3::int8 from unnest($1::bytea[], $2::bytea[]) as k (contract, address)
      join contract c on c.address = k.contract
      where c.standard in (20, 721) and exists (select 1 from checked_range where last >= $3::int8) on conflict do nothing`,
    [owners.map(({ contract }) => contract), owners.map(({ address }) => address), height],
  )
  await limitUnchecked(session, row.height)
}
