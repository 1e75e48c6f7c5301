import type { ChainAlias } from '@firn/codec'
import { Blocks, type Position, type Snapshot, type Store, Snapshots as StoreSnapshots } from '@firn/store'
import { LRUCache } from 'lru-cache'
import { behind } from '../../http/endpoint/behind.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Version } from '../../http/endpoint/Endpoint.ts'
import type { Snapshots } from '../../http/endpoint/List.ts'
import type { DataContext } from './Context.ts'

/** Maximum number of cached snapshots. Each list that is being read needs one snapshot. */
const MAX_KEPT = 1_000

/**
 * Returns the snapshots for lists of the Primary Network. Their heights are listed in the order P-chain,
 * X-chain, C-chain.
 */
export function primarySnapshots(store: Store): Snapshots<Snapshot> {
  // The cache serves clients that read several pages of a list. The state at a height never changes.
  const kept = new LRUCache<string, Snapshot>({ max: MAX_KEPT })
  return {
    latest: () => store.snapshot(),
    heights: ({ P, X, C }) => [P.height, X.height, C.height],
    at: async (heights) => {
      const latest = await store.snapshot()
      const key = heights.join('.')
      const known = key === latest.key ? latest : kept.get(key)
      const snapshot = known ?? (await snapshotAt(store, latest, heights))
      if (snapshot === undefined) throw missing(latest, heights)
      kept.set(key, snapshot)
      return snapshot
    },
    head: ({ P }) => P,
  }
}

async function snapshotAt(
  store: Store,
  latest: Snapshot,
  [P = 0n, X = 0n, C = 0n]: readonly bigint[],
): Promise<Snapshot | undefined> {
  const [platform, avm, evm] = await Promise.all([
    positionOf(store, latest, 'P', P),
    positionOf(store, latest, 'X', X),
    positionOf(store, latest, 'C', C),
  ])
  if (platform === undefined || avm === undefined || evm === undefined) return undefined
  const snapshot = StoreSnapshots.create({ P: platform, X: avm, C: evm })
  if (platform.height === latest.P.height) return snapshot
  // After a proposal block, the chain time can differ from the block's time.
  const { time } = await Blocks.platformState(store, snapshot)
  return StoreSnapshots.create({ P: { ...platform, time }, X: avm, C: evm })
}

/**
 * Returns the error for a snapshot with a height at which no block is stored. Accepted blocks are never
 * replaced, so a height above the newest one means that this replica lags behind.
 */
function missing({ P, X, C }: Snapshot, heights: readonly bigint[]): DataApiError {
  const here = [P, X, C].map(({ height }) => height)
  const [needed, reached] = [heights, here].map((of) => `P ${of[0]}, X ${of[1]}, C ${of[2]}`)
  if (heights.some((height, i) => height > (here[i] ?? 0n))) {
    return behind('pageToken', `heights ${needed}`, `heights ${reached}`)
  }
  const message = `pageToken: no block is stored at one of the heights ${needed}; start again without a token`
  return new DataApiError('DATA_PAGE_TOKEN', message)
}

/** Returns the position of a chain at a height, or undefined if no block is stored at that height. */
export async function positionOf(
  store: Store,
  latest: Snapshot,
  chain: ChainAlias,
  height: bigint,
): Promise<Position | undefined> {
  if (latest[chain].height === height) return latest[chain]
  const block = await Blocks.byHeight(store, latest, chain, height)
  if (block !== undefined) return { height, blockId: block.id, time: block.time }
  // The ledger does not contain the C-chain's genesis block.
  return chain === 'C' && height === 0n ? { height, blockId: new Uint8Array(32), time: 0n } : undefined
}

/**
 * Returns the cache version of answers that change only with new blocks and with the operator's metadata. Later pages of a list never change,
 * because their page token contains the heights.
 */
export function perBlock({ store, metadata }: Pick<DataContext, 'store' | 'metadata'>): Version {
  return async ({ raw }) => {
    const key = raw['pageToken'] ? 'pinned' : (await store.snapshot()).key
    return metadata === undefined ? key : `${key} ${metadata.revision}`
  }
}

/**
 * Returns the cache version of answers that may contain a node's observations. Observations change without a
 * new block, so the result is undefined (not cacheable) if a node is configured.
 */
export function perBlockUnlessObserved(
  context: Pick<DataContext, 'store' | 'observations' | 'metadata'>,
): Version | undefined {
  return context.observations === undefined ? perBlock(context) : undefined
}
