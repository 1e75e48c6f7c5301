import { Bytes, Hex } from '@firn/codec'
import { type Session, StoreError, TableRows } from '@firn/sql'
import type { EvmChain } from '../EvmChain.ts'
import type { BlockRow, ChangeRow, TraceGapRow } from '../EvmSchema.ts'
import { EVM_TABLES } from '../EvmSchema.ts'
import type { EvmPosition } from '../EvmSnapshot.ts'
import type { IndexedBlock } from '../IndexedBlock.ts'
import type { Added, Tip } from './Added.ts'
import { BlockCopies, NO_CHAIN_DIGEST } from './BlockCopies.ts'
import { derive } from './blockRows.ts'
import type { Collections } from './idTransfers.ts'
import { outermost } from './outermost.ts'

/** The rows to be written for consecutive blocks. */
export class EvmBatch {
  readonly #chain: EvmChain
  readonly #hasLogs: boolean
  readonly #collections: Collections
  readonly copies = new BlockCopies()
  readonly changes = new TableRows<ChangeRow>('change', EVM_TABLES.change)
  readonly gaps = new TableRows<TraceGapRow>('trace_gap', EVM_TABLES.trace_gap)
  readonly blocks: Added[] = []
  #tip: Tip

  /**
   * @param hasLogs whether the logs of the blocks are stored
   * @param collections contracts whose ERC-20 transfer logs contain token ids
   */
  constructor(chain: EvmChain, tip: Tip, hasLogs: boolean, collections: Collections) {
    this.#collections = collections
    this.#chain = chain
    this.#hasLogs = hasLogs
    this.#tip = tip
  }

  /** The tip after the batch is stored. */
  get tip(): Tip {
    return this.#tip
  }

  /**
   * Adds the next block to the batch.
   * @throws StoreError `STORE_CURSOR`, `STORE_BLOCK`
   */
  add(indexed: IndexedBlock): void {
    const before = this.#tip.block
    this.#assertContinues(indexed, before)
    this.#assertLater(indexed, before)
    this.#assertContents(indexed)
    const block = this.#traced(indexed)
    const derived = derive(block, before?.cumulative_transactions ?? 0n, this.#hasLogs, this.#collections)
    const isUntraced = this.#isUntraced(indexed)
    const row = this.copies.add(derived.rows, before?.chain_digest ?? NO_CHAIN_DIGEST, isUntraced)
    const { tracesDue: due = 0n } = indexed
    const sequence = this.#tip.sequence + 1n
    if (isUntraced) this.gaps.add({ height: row.height, hash: row.hash, attempts: 0, due, sequence })
    this.changes.add({ sequence, kind: 'added', ...positionOf(row), added: null })
    this.blocks.push({ block, contracts: indexed.contracts, ...derived, row })
    this.#tip = { block: row, sequence }
  }

  /** Stores the rows of the blocks in {@link BLOCK_TABLES} and the rows of the change feed. */
  async write(session: Session): Promise<void> {
    const tables = [...Object.values(this.copies.tables), this.changes, this.gaps].filter(
      ({ count }) => count > 0,
    )
    await Promise.all(tables.map((table) => session.copy(table.target, table.finish())))
  }

  #assertContinues({ block }: IndexedBlock, before: BlockRow | undefined): void {
    const expected = before === undefined ? this.#chain.firstHeight : before.height + 1n
    const isNext = before === undefined || Bytes.equals(before.hash, block.parentHash)
    if (block.height === expected && isNext) return
    const parent = before && Hex.encode(before.hash)
    const details = { expected, parent, actual: block.height, actualParent: Hex.encode(block.parentHash) }
    const place = parent === undefined ? '' : ` with parent ${parent}`
    const message = `expected block ${expected}${place}, got block ${block.height} with parent ${details.actualParent}`
    throw new StoreError('STORE_CURSOR', message, { details })
  }

  /**
   * Checks that the time of a block is not before its parent's. An undo relies on this order when it corrects the
   * rollups.
   */
  #assertLater({ block }: IndexedBlock, before: BlockRow | undefined): void {
    if (before === undefined || block.timestamp >= before.time) return
    const details = {
      height: block.height,
      field: 'timestamp',
      expected: before.time,
      actual: block.timestamp,
    }
    const message = `block ${block.height}: expected a timestamp of at least ${before.time} (its parent's), got ${block.timestamp}`
    throw new StoreError('STORE_BLOCK', message, { details })
  }

  /** Checks that the block was read with selected logs if only events of the chain are stored. */
  #assertContents({ block }: IndexedBlock): void {
    const isEventsOnly = this.#chain.isEventsOnly ?? false
    if ((block.selected !== undefined) === isEventsOnly) return
    const [expected, actual] = isEventsOnly ? ['logs', 'transactions'] : ['transactions', 'logs']
    const details = { height: block.height, field: 'selected', expected, actual }
    const message = `block ${block.height}: expected a block read with its ${expected}, got one with its ${actual}`
    throw new StoreError('STORE_BLOCK', message, { details })
  }

  /** Returns whether the block is stored without the traces that the chain is stored with. */
  #isUntraced({ block, tracesDue }: IndexedBlock): boolean {
    const { hasTraces } = this.#chain
    return hasTraces && tracesDue !== undefined && block.traces === undefined && block.transactions.length > 0
  }

  /** Returns the block with or without traces, as configured for the chain. */
  #traced(indexed: IndexedBlock) {
    const { block } = indexed
    if (!this.#chain.hasTraces) return { ...block, traces: undefined }
    if (block.traces !== undefined || block.transactions.length === 0) return block
    if (this.#isUntraced(indexed)) return outermost(block)
    const details = { height: block.height, field: 'traces' }
    throw new StoreError(
      'STORE_BLOCK',
      `block ${block.height} has no traces, but this chain is stored with traces; enable the trace API on the node`,
      { details },
    )
  }
}

/** Returns the columns of a block that the change feed contains too. */
export function positionOf({ height, hash, parent_hash, time }: BlockRow) {
  return { height, hash, parent_hash, time }
}

/** Returns the position of a chain whose last block is `block`, or undefined if no block is given. */
export function cursorOf(block: BlockRow | undefined): EvmPosition | undefined {
  if (block === undefined) return undefined
  const { height, hash, time, settled_height } = block
  return { height, hash, time, settledHeight: settled_height }
}
