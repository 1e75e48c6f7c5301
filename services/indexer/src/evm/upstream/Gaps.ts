import type { EvmError } from '@firn/evm'
import type { Clock } from '@firn/runtime'
import { IndexerError } from '../../common/IndexerError.ts'
import type { BlockRequest, EvmUpstream } from './EvmUpstream.ts'

/** Number of blocks below the head that a node reports of which it must have every block. */
const SETTLED = 64n
/** Time in milliseconds after which a node must have every block up to the head that it reports. */
const LONGEST_GAP_MS = 60_000

/** Creates a check for blocks that a node does not have although it reports a later one. */
export function createGaps({ now }: Clock) {
  /** For each node, since when it has not had blocks, by height. */
  const gaps = new WeakMap<EvmUpstream, Map<bigint, number>>()
  const isLate = (member: EvmUpstream, height: bigint): boolean => {
    const known = gaps.get(member) ?? new Map<bigint, number>()
    gaps.set(member, known)
    const since = known.get(height) ?? now()
    if (now() - since < LONGEST_GAP_MS && known.size < 2 * Number(SETTLED)) known.set(height, since)
    // After a wrong answer was found, the next one takes as long.
    else known.clear()
    return now() - since >= LONGEST_GAP_MS
  }
  return {
    /** Records that the node has a block. */
    end: (member: EvmUpstream, height: bigint) => void gaps.get(member)?.delete(height),
    /** Returns the error for a missing block. A node that reports a higher head for long contradicts itself. */
    unlessMissing(error: IndexerError | EvmError, request: BlockRequest | undefined, member: EvmUpstream) {
      const head = member.reported()
      if (error.code !== 'INDEXER_ABSENT' || request === undefined || head === undefined) return error
      const { height, hash } = request
      // A block that is requested by its hash may be on a branch of another node.
      const isOpen = hash !== undefined || head < height || !isLate(member, height)
      if (head < height + SETTLED && isOpen) return error
      return new IndexerError('INDEXER_BLOCK', `${error.message}, although it reports block ${head}`, {
        details: { upstream: member.name, height: `${height}`, reason: 'missing' },
      })
    },
  }
}
