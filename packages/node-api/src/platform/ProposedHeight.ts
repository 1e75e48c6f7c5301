import { Blocks, type Snapshot } from '@firn/store'
import type { NodeContext } from '../Context.ts'

/**
 * Blocks accepted within this time (in nanoseconds) are not proposed yet, so that validators that lag
 * slightly already know the proposed height.
 */
const WINDOW = 30_000_000_000n
/** Maximum number of recent blocks that are not proposed yet. */
const MAX_BLOCKS = 64

/**
 * Returns the P-chain height that block builders use now: the parent of the oldest recent block, or the last
 * block if none is recent. Source: avalanchego `vms/platformvm/validators/manager.go`, 1cf1fc3d17.
 */
export async function at(
  { store, now }: Pick<NodeContext, 'store' | 'now'>,
  snapshot: Snapshot,
): Promise<bigint> {
  const after = BigInt(Math.floor(now())) * 1_000_000n - WINDOW
  const oldest = await Blocks.oldestRecent(store, snapshot, { after, limit: MAX_BLOCKS })
  return oldest === undefined ? snapshot.P.height : oldest - 1n
}
