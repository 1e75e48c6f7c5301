import * as IpAddress from '../IpAddress.ts'
import type * as TrustedProxies from '../TrustedProxies.ts'
import type { ConnectionLimits } from './ConnectionLimits.ts'

/** Reason why a connection is refused: too many connections in total, or too many from one address. */
export type Refusal = 'total' | 'address'

/** Counts the open connections of a server, in total and by address. */
export interface ConnectionCounts {
  readonly open: number
  /**
   * Counts a connection, and returns a function that counts its end. Returns the reason if the connection exceeds a
   * limit.
   */
  add(peer: IpAddress.IpAddress | undefined): (() => void) | Refusal
}

/**
 * Creates counts of connections. `capacity` returns how many connections the process can hold. Connections without
 * an address, and connections of trusted proxies, count only in total.
 */
export function create(
  limits: Pick<ConnectionLimits, 'connections' | 'connectionsPerAddress'>,
  trusted: TrustedProxies.TrustedProxies,
  capacity: () => number = () => Number.POSITIVE_INFINITY,
): ConnectionCounts {
  const counts = new Map<string, number>()
  // No address and no network may take more than half of all connections.
  const limitOf = (factor: number) =>
    Math.min(limits.connectionsPerAddress * factor, Math.ceil(Math.min(limits.connections, capacity()) / 2))
  let open = 0
  return {
    get open() {
      return open
    },
    add(peer) {
      if (open >= limits.connections) return 'total'
      const isLimited = peer !== undefined && !isProxy(peer, trusted)
      const keys = isLimited ? IpAddress.toLimitKeys(peer) : []
      if (keys.some(({ key, factor }) => (counts.get(key) ?? 0) >= limitOf(factor))) return 'address'
      open++
      for (const { key } of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
      return () => {
        open--
        for (const { key } of keys) {
          const left = (counts.get(key) ?? 1) - 1
          if (left === 0) counts.delete(key)
          else counts.set(key, left)
        }
      }
    },
  }
}

/** Returns whether a peer is a trusted proxy, whose connections serve many callers. */
function isProxy(peer: IpAddress.IpAddress, trusted: TrustedProxies.TrustedProxies): boolean {
  return trusted.kind === 'count' ? trusted.count > 0 : trusted.has(peer)
}
