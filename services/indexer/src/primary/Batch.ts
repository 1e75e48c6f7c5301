import type { Change } from '@firn/ledger'
import type { Accepted } from '@firn/store'
import type { DecodedBlock } from './DecodedBlock.ts'

/** Blocks that are applied and will be written in one database transaction. */
export interface Batch {
  blocks: Accepted[]
  /** Origins of the blocks. */
  origins: Set<string>
  bytes: number
  changes: number
  /** Time of the first block in milliseconds. */
  since: number
}

const MAX_BYTES = 8 << 20
const MAX_CHANGES = 20_000
/** Maximum time in milliseconds from a batch's first block until the batch is written, which a killed process loses. */
const MAX_MS = 2_000

/** Creates an empty batch. */
export function create(): Batch {
  return { blocks: [], origins: new Set(), bytes: 0, changes: 0, since: 0 }
}

/** Adds an applied block. */
export function add(batch: Batch, block: DecodedBlock, changes: readonly Change.Change[], now: number): void {
  const { chain, bytes, parentId, container, origin } = block
  if (batch.blocks.length === 0) batch.since = now
  batch.blocks.push({ chain, bytes, parentId, changes, ...(container === undefined ? {} : { container }) })
  batch.origins.add(origin)
  batch.bytes += container?.bytes.length ?? bytes.length
  batch.changes += changes.length
}

/** Returns whether the batch should be written. */
export function isFull({ blocks, bytes, changes, since }: Batch, batchBlocks: number, now: number): boolean {
  if (blocks.length >= batchBlocks || bytes >= MAX_BYTES || changes >= MAX_CHANGES) return true
  return blocks.length > 0 && now - since >= MAX_MS
}
