import { type Snapshot, Tips } from '@firn/store'
import type { NodeContext } from '../Context.ts'

/** Blocks that were accepted within this time (ns) are not yet proposed, so that validators who lag a little know the height. */
const WINDOW = 30_000_000_000n
/** Most blocks that may be held back. */
const MAX_BLOCKS = 64

/**
 * The P-chain height that block builders use now: that of the block before the oldest recent one, or the last when none is
 * recent. Source: avalanchego `vms/platformvm/validators/manager.go`, 1cf1fc3d17.
 */
export async function at(
  { store, now }: Pick<NodeContext, 'store' | 'now'>,
  snapshot: Snapshot,
): Promise<bigint> {
  const after = BigInt(Math.floor(now())) * 1_000_000n - WINDOW
  const oldest = await Tips.oldestRecent(store, snapshot, { after, limit: MAX_BLOCKS })
  return oldest === undefined ? snapshot.P.height : oldest - 1n
}
