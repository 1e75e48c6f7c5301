import { Bytes, Hex } from '@firn/codec'
import type { Row, Session } from '../../internal/Driver.ts'
import type { DoctorOptions, Fault } from '../EvmDoctor.ts'
import type { BlockRow, TransactionRow } from '../EvmSchema.ts'
import { BlockCopies, NO_CHAIN_DIGEST } from './BlockCopies.ts'
import type { BlockRows } from './blockRows.ts'
import { BLOCK_TABLES, type BlockTable, EVM_COLUMNS } from './evmColumns.ts'

/** Blocks that are read at a time, with all their rows. */
const PAGE = 16

/** What was found of blocks. */
export interface BlockFaults {
  readonly blocks: bigint
  readonly faults: readonly Fault[]
}

/** Reads all blocks with their rows, some at a time. */
export async function blockFaults(
  session: Session,
  { most = 100, onProgress, signal }: DoctorOptions,
): Promise<BlockFaults> {
  const [chain] = await session.query('select first_height from chain')
  const [cursor] = await session.query('select height, hash from cursor')
  const faults: Fault[] = []
  const tell = (table: string, height: bigint, message: string) => {
    if (faults.length < most) faults.push({ table, height, message })
  }
  let before: BlockRow | undefined
  let next = (chain?.['first_height'] as bigint | undefined) ?? 0n
  let blocks = 0n
  for (;;) {
    signal?.throwIfAborted()
    const page = (await session.query('select * from block where height >= $1 order by height limit $2', [
      String(next),
      PAGE,
    ])) as unknown as readonly BlockRow[]
    const rows = await rowsBetween(session, next, page.at(-1)?.height)
    for (const block of page) {
      if (block.height !== next) tell('block', next, `expected block ${next}, got ${block.height} after it`)
      const own = Object.fromEntries(
        BLOCK_TABLES.map((table) => [table, rows[table]?.get(block.height) ?? []]),
      )
      const all = { ...own, block } as unknown as BlockRows
      for (const message of faultsOf(all, before?.height === block.height - 1n ? before : undefined)) {
        tell('block', block.height, message)
      }
      for (const table of Object.values(rows)) table.delete(block.height)
      before = block
      next = block.height + 1n
      blocks++
    }
    for (const [table, left] of Object.entries(rows)) {
      for (const height of left.keys()) tell(table, height, 'expected no rows, as there is no block')
    }
    if (page.length < PAGE) break
    onProgress?.(next - 1n)
  }
  const end = before && `${before.height} ${Hex.encode(before.hash)}`
  const stands = cursor && `${cursor['height']} ${Hex.encode(cursor['hash'] as Uint8Array)}`
  if (end !== stands) {
    tell('cursor', before?.height ?? next, `expected ${end ?? 'none'}, got ${stands ?? 'none'}`)
  }
  return { blocks, faults }
}

type Rows = { readonly [T in BlockTable]?: Map<bigint, Row[]> }

/** The rows of all heights from `first` to `last`, or to the end. */
async function rowsBetween(session: Session, first: bigint, last: bigint | undefined): Promise<Rows> {
  const rows: { [T in BlockTable]?: Map<bigint, Row[]> } = {}
  for (const table of BLOCK_TABLES) {
    if (table === 'block') continue
    const order = Object.keys(EVM_COLUMNS[table]).filter((name) => PLACES.includes(name))
    const found = await session.query(
      `select * from ${table} where height >= $1 and height <= $2 order by ${order.join(', ')}`,
      [String(first), String(last ?? 2n ** 63n - 1n)],
    )
    rows[table] = Map.groupBy(found, (row) => row['height'] as bigint)
  }
  return rows
}

function* faultsOf(rows: BlockRows, before: BlockRow | undefined): Iterable<string> {
  const { block, transaction } = rows
  if (before !== undefined && !Bytes.equals(before.hash, block.parent_hash)) {
    yield `expected ${Hex.encode(before.hash)} as its parent, got ${Hex.encode(block.parent_hash)}`
  }
  const { digest, chain_digest } = new BlockCopies().add(rows, before?.chain_digest ?? NO_CHAIN_DIGEST)
  if (!Bytes.equals(digest, block.digest)) {
    yield `expected the digest ${Hex.encode(digest)} of its rows, got ${Hex.encode(block.digest)}`
  }
  if (!Bytes.equals(chain_digest, block.chain_digest)) {
    yield `expected the digest ${Hex.encode(chain_digest)} of the chain, got ${Hex.encode(block.chain_digest)}`
  }
  const cumulative = (before?.cumulative_transactions ?? 0n) + BigInt(transaction.length)
  const sums: readonly (readonly [name: string, expected: unknown, actual: unknown])[] = [
    ['transactions', transaction.length, block.transactions],
    ['cumulative transactions', cumulative, block.cumulative_transactions],
    ['gas', total(transaction, ({ gas_used }) => gas_used), block.gas_executed],
    ['fees', total(transaction, ({ gas_used, gas_price }) => gas_used * gas_price), block.fees_spent],
    ['gas prices', total(transaction, ({ gas_price }) => gas_price), block.gas_price_sum],
    ['creations', rows.creation.length, block.creations],
  ]
  for (const [name, expected, actual] of sums) {
    if (expected !== actual) yield `expected ${expected} ${name}, got ${actual}`
  }
}

const PLACES = ['height', 'log_index', 'transaction_index', 'position']

function total(rows: readonly TransactionRow[], of: (row: TransactionRow) => bigint): bigint {
  return rows.reduce((all, row) => all + of(row), 0n)
}
