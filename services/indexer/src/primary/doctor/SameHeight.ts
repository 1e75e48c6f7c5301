import { CHAIN_ALIASES, type ChainAlias, Id } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { Blocks, type Position, type Snapshot, Snapshots, type Store } from '@firn/store'
import type { Reference } from './Reference.ts'

/** Options of {@link ask}. */
export interface SameHeightOptions {
  readonly store: Store
  readonly reference: Pick<Reference, 'tip'>
  readonly clock: Clock
  /** Maximum number of attempts. A new attempt is needed if the node's chains advance during the request. */
  readonly attempts: number
}

/** An answer with the database's state at the node's heights, or the reason why there is no answer. */
export type Outcome<T> =
  | { readonly answer: T; readonly at: Snapshot }
  | {
      readonly reason: string
      /** Whether the database is behind the node's heights. */
      readonly isBehind: boolean
    }

/** Pause in milliseconds before another attempt. It gives the database's writer time to catch up. */
const PAUSE_MS = 500

/**
 * Repeats a request until the node's heights before and after it are equal and the database has reached these
 * heights. The database may be ahead, because it contains past states.
 */
export async function ask<T>(
  options: SameHeightOptions,
  chains: readonly ChainAlias[],
  question: () => Promise<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const { store, reference, clock, attempts } = options
  const tips = async () =>
    Object.fromEntries(
      await Promise.all(chains.map(async (chain) => [chain, await reference.tip(chain, signal)] as const)),
    ) as Partial<Record<ChainAlias, bigint>>
  let reason = ''
  let isBehind = false
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await clock.sleep(PAUSE_MS, signal)
    const before = await tips()
    const at = await snapshotAt(store, before)
    isBehind = !('key' in at)
    if (!('key' in at)) {
      reason = `the node is at ${at.chain}-chain height ${before[at.chain]}, but the database is at ${at.height}`
      continue
    }
    const answer = await question()
    const after = await tips()
    if (chains.every((chain) => before[chain] === after[chain])) return { answer, at }
    reason = 'the node accepted blocks during the request'
  }
  return { reason: `${reason} (in ${attempts} consecutive attempts)`, isBehind }
}

/**
 * Returns the database's state at the given heights, and at the newest height for chains without a given
 * height. If a chain has not reached its height yet, returns this chain and its height.
 */
async function snapshotAt(
  store: Store,
  heights: Partial<Readonly<Record<ChainAlias, bigint>>>,
): Promise<Snapshot | { readonly chain: ChainAlias; readonly height: bigint }> {
  const now = await store.snapshot()
  const positions: Partial<Record<ChainAlias, Position>> = {}
  for (const chain of CHAIN_ALIASES) {
    const height = heights[chain] ?? now[chain].height
    if (height > now[chain].height) return { chain, height: now[chain].height }
    positions[chain] = height === now[chain].height ? now[chain] : await positionAt(store, now, chain, height)
  }
  return Snapshots.create(positions as Record<ChainAlias, Position>)
}

async function positionAt(store: Store, now: Snapshot, chain: ChainAlias, height: bigint): Promise<Position> {
  const block = await Blocks.byHeight(store, now, chain, height)
  return { height, blockId: block?.id ?? Id.EMPTY, time: block?.time ?? 0n }
}
