import {
  Blocks,
  type Position,
  type Snapshot,
  type Store,
  Snapshots as StoreSnapshots,
  Tips,
} from '@firn/store'
import type { Snapshots } from './front/List.ts'

/** The snapshots of lists over the Primary Network: the P-, X- and C-chain's heights, in this order. */
export function primarySnapshots(store: Store): Snapshots<Snapshot> {
  return {
    latest: () => store.snapshot(),
    heights: ({ P, X, C }) => [P.height, X.height, C.height],
    at: async ([P = 0n, X = 0n, C = 0n]) => {
      const latest = await store.snapshot()
      const positions = await Promise.all([
        positionOf(store, latest, 'P', P),
        positionOf(store, latest, 'X', X),
        positionOf(store, latest, 'C', C),
      ])
      const [platform, avm, evm] = positions
      if (platform === undefined || avm === undefined || evm === undefined) return undefined
      const snapshot = StoreSnapshots.create({ P: platform, X: avm, C: evm })
      if (platform.height === latest.P.height) return snapshot
      // The time of a proposal's block is not yet that of the chain.
      const { time } = await Tips.platform(store, snapshot)
      return StoreSnapshots.create({ P: { ...platform, time }, X: avm, C: evm })
    },
    head: ({ P }) => P,
  }
}

/** Where a chain stood at a height; undefined for a height that it has not reached. */
async function positionOf(
  store: Store,
  latest: Snapshot,
  chain: 'P' | 'X' | 'C',
  height: bigint,
): Promise<Position | undefined> {
  if (latest[chain].height === height) return latest[chain]
  const block = await Blocks.byHeight(store, latest, chain, height)
  if (block !== undefined) return { height, blockID: block.id, time: block.time }
  // The C-chain's genesis block is not in the ledger.
  return chain === 'C' && height === 0n ? { height, blockID: new Uint8Array(32), time: 0n } : undefined
}
