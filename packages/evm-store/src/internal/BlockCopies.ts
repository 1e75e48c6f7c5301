import { createHash, type Hash } from 'node:crypto'
import { type CopyTarget, TableRows } from '@firn/sql'
import {
  type BlockRow,
  type BlockTable,
  DIGESTED_TABLES,
  EVM_TABLES,
  type EvmDatabase,
} from '../EvmSchema.ts'
import { type BlockRows, UNDIGESTED } from './blockRows.ts'
import { asLogged } from './idTransfers.ts'

/** The chain digest before the first stored block. */
export const NO_CHAIN_DIGEST = new Uint8Array(32)

/** Collects the rows of blocks for COPY and computes the digests of each block. */
export class BlockCopies {
  readonly tables: { readonly [T in BlockTable]: TableRows<EvmDatabase[T]> } = {
    block: tableRows('block'),
    transaction: tableRows('transaction'),
    transfer: tableRows('transfer'),
    internal_call: tableRows('internal_call'),
    creation: tableRows('creation'),
    log: tableRows('log'),
    log_transaction: tableRows('log_transaction'),
  }

  /**
   * Adds a block. Its digest is the SHA-256 of all its rows in COPY format, in the order of
   * {@link DIGESTED_TABLES}. The rows of each table follow the table's name and their number. The digest covers all
   * columns of the block's row except the digests, the settled height and the number of contracts. The chain digest is the SHA-256 of the previous block's
   * chain digest, `before`, followed by the block's digest. The logs have a separate digest, which is null if it is
   * null in `rows`. `isUntraced` is whether the traces of the block are missing, which the digest distinguishes from a block
   * without internal calls.
   */
  add(rows: BlockRows, before: Uint8Array, isUntraced = false): BlockRow {
    const hash = createHash('sha256')
    for (const name of DIGESTED_TABLES) {
      if (name === 'block') {
        digestRows(hash, new TableRows<DigestedBlock>(name, DIGESTED_BLOCK), [
          { ...rows.block, ...UNDIGESTED },
        ])
      } else if (name === 'transfer') this.#addTransfers(hash, rows.transfer)
      else digestRows(hash, this.tables[name], rows[name])
    }
    if (isUntraced) hash.update('untraced\n')
    const digest = new Uint8Array(hash.digest())
    const chain_digest = chainDigest(before, digest)
    const logs = createHash('sha256')
    digestRows(logs, this.tables.log, rows.log)
    if (rows.log_transaction.length > 0) digestRows(logs, this.tables.log_transaction, rows.log_transaction)
    const log_digest = rows.block.log_digest === null ? null : new Uint8Array(logs.digest())
    const block = { ...rows.block, digest, chain_digest, log_digest }
    this.tables.block.add(block)
    return block
  }

  /** Adds transfers to the table, and in the layouts of their logs to the digest. */
  #addTransfers(hash: Hash, rows: BlockRows['transfer']): void {
    const logged = asLogged(rows)
    const isSame = logged === rows
    digestRows(hash, isSame ? this.tables.transfer : tableRows('transfer'), logged)
    if (!isSame) for (const row of rows) this.tables.transfer.add(row)
  }
}

/** Returns the chain digest of a block: the SHA-256 of the previous block's one followed by the block's digest. */
export function chainDigest(before: Uint8Array, digest: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(before).update(digest).digest())
}

/** Adds rows to a table and to a digest. */
function digestRows(hash: Hash, table: TableRows<never>, rows: readonly unknown[]): void {
  const start = table.length
  for (const row of rows) (table as TableRows<unknown>).add(row)
  hash.update(`${table.name} ${rows.length}\n`).update(table.since(start))
}

type DigestedBlock = Omit<BlockRow, 'log_digest' | 'settled_height' | 'contracts'>
const { log_digest: _, settled_height: __, contracts: ___, ...digestedColumns } = EVM_TABLES.block.columns
/** The block's columns that its digest covers. */
const DIGESTED_BLOCK: CopyTarget<DigestedBlock> = { columns: digestedColumns }

/** The targets of COPY. The mapped type ensures that each table gets its own row type. */
const TARGETS: { readonly [T in BlockTable]: CopyTarget<EvmDatabase[T]> } = EVM_TABLES

function tableRows<T extends BlockTable>(table: T): TableRows<EvmDatabase[T]> {
  return new TableRows<EvmDatabase[T]>(table, TARGETS[table])
}
