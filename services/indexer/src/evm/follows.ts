import { Bytes, Hex } from '@firn/codec'
import type { Block } from '@firn/evm'
import { IndexerError } from '../common/IndexerError.ts'

/** What a block must follow. */
export interface Parent {
  readonly hash: Uint8Array
  /** Time in Unix seconds. */
  readonly time: bigint
}

/** Why a block does not follow its parent, or has an impossible time. */
export interface Contradiction {
  readonly kind: 'parent' | 'time' | 'future'
  readonly block: Block
  /** `INDEXER_BLOCK` */
  readonly error: IndexerError
}

/** The longest time in seconds by which a block may be ahead of the clock. */
const MOST_AHEAD = 3_600n

/**
 * Returns why a block does not follow its parent; undefined if it does. `latest` is the time of the clock in Unix
 * seconds, and undefined if blocks may be ahead of it by any time, as on development chains.
 */
export function contradiction(
  parent: Parent | undefined,
  block: Block,
  latest: bigint | undefined,
): Contradiction | undefined {
  const { height, hash, parentHash, timestamp } = block
  const found = (kind: Contradiction['kind'], reason: string): Contradiction => {
    const message = `block ${height} ${Hex.encode(hash)}: ${reason}`
    const details = { height: `${height}`, reason: kind }
    return { kind, block, error: new IndexerError('INDEXER_BLOCK', message, { details }) }
  }
  if (parent !== undefined && !Bytes.equals(parent.hash, parentHash))
    return found('parent', `expected the parent ${Hex.encode(parent.hash)}, got ${Hex.encode(parentHash)}`)
  if (parent !== undefined && timestamp < parent.time)
    return found('time', `expected a timestamp of at least ${parent.time} (its parent's), got ${timestamp}`)
  if (latest !== undefined && timestamp > latest + MOST_AHEAD)
    return found(
      'future',
      `its timestamp ${timestamp} is ${timestamp - latest} seconds ahead of this machine's clock; check the clock`,
    )
  return undefined
}

/** Splits blocks before the first one that does not follow its predecessor. */
export function linkedPart(
  parent: Parent | undefined,
  blocks: readonly Block[],
  latest: bigint | undefined,
): { readonly linked: readonly Block[]; readonly broken: Contradiction | undefined } {
  let before = parent
  for (const [i, block] of blocks.entries()) {
    const broken = contradiction(before, block, latest)
    if (broken !== undefined) return { linked: blocks.slice(0, i), broken }
    before = { hash: block.hash, time: block.timestamp }
  }
  return { linked: blocks, broken: undefined }
}
