import { createHash } from 'node:crypto'
import { type CopyTarget, TableRows } from '../../internal/rows.ts'
import { BLOCK_TABLES, type BlockRow, type BlockTable, EVM_TABLES, type EvmDatabase } from '../EvmSchema.ts'
import { type BlockRows, UNDIGESTED } from './blockRows.ts'

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
  }

  /**
   * Adds a block. Its digest is the SHA-256 of all its rows in COPY format, in the order of
   * {@link BLOCK_TABLES}. The rows of each table follow the table's name and their number. The digest covers all
   * columns of the block's row except the digests. The chain digest is the SHA-256 of the previous block's
   * chain digest, `before`, followed by the block's digest.
   */
  add(rows: BlockRows, before: Uint8Array): BlockRow {
    const hash = createHash('sha256')
    for (const name of BLOCK_TABLES) {
      const table = name === 'block' ? tableRows(name) : this.tables[name]
      const start = table.length
      const count = table.count
      if (name === 'block') (table as TableRows<BlockRow>).add({ ...rows.block, ...UNDIGESTED })
      else for (const row of rows[name]) (table as TableRows<unknown>).add(row)
      hash.update(`${name} ${table.count - count}\n`).update(table.since(start))
    }
    const digest = new Uint8Array(hash.digest())
    const chain_digest = new Uint8Array(createHash('sha256').update(before).update(digest).digest())
    const block = { ...rows.block, digest, chain_digest }
    this.tables.block.add(block)
    return block
  }
}

/** The targets of COPY. The mapped type ensures that each table gets its own row type. */
const TARGETS: { readonly [T in BlockTable]: CopyTarget<EvmDatabase[T]> } = EVM_TABLES

function tableRows<T extends BlockTable>(table: T): TableRows<EvmDatabase[T]> {
  return new TableRows<EvmDatabase[T]>(table, TARGETS[table])
}
