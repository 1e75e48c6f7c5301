import { Blocks, type Snapshot } from '@firn/store'
import type { NodeContext } from '../Context.ts'

/**
 * Time in nanoseconds for which a block counts as recent. Block builders do not use the heights of recent blocks,
 * because validators that lag slightly may not know them yet.
 */
const WINDOW = 30_000_000_000n
/** Maximum number of the newest blocks that can count as recent. */
const MAX_BLOCKS = 64

/**
 * Returns the P-chain height that block builders use now. It is one below the oldest recent block, or the
 * last height if no block is recent. Source: avalanchego `vms/platformvm/validators/manager.go`, 1cf1fc3d17.
 */
export async function at(
  { store, now }: Pick<NodeContext, 'store' | 'now'>,
  snapshot: Snapshot,
): Promise<bigint> {
  const after = BigInt(Math.floor(now())) * 1_000_000n - WINDOW
  const oldest = await Blocks.oldestRecent(store, snapshot, { after, limit: MAX_BLOCKS })
  return oldest === undefined ? snapshot.P.height : oldest - 1n
}
