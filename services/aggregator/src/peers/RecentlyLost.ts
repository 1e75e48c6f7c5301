import { Hex } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { createBoundedCache } from '../internal/boundedCache.ts'

/** The nodes whose connections were lost a moment ago; created by {@link createRecentlyLost}. */
export interface RecentlyLost {
  /** Records that the connection to a node was lost now. */
  add(nodeId: Uint8Array): void
  /** Returns whether the connection was lost a moment ago, so that it is probably back soon. */
  has(nodeId: Uint8Array): boolean
}

/** Milliseconds in which most lost connections are back: two attempts to connect. */
const RECONNECT_MS = 5_000
const MAX_NODES = 65_536

/** Returns an empty record of lost connections. */
export function createRecentlyLost({ now }: Pick<Clock, 'now'>): RecentlyLost {
  const lostAt = createBoundedCache<number>(MAX_NODES)
  return {
    add: (nodeId) => void lostAt.set(Hex.encodeBare(nodeId), now()),
    has: (nodeId) => now() - (lostAt.get(Hex.encodeBare(nodeId)) ?? Number.NEGATIVE_INFINITY) < RECONNECT_MS,
  }
}
