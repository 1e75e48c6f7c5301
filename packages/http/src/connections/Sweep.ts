import type { Socket } from 'node:net'
import type { ConnectionLimits } from './ConnectionLimits.ts'
import { reset } from './SocketEnd.ts'

/** An open connection, with what the sweeps before have seen. */
export interface Connection {
  readonly socket: Socket
  /** Time at which the server was first seen to have closed its side. */
  closedAt?: number | undefined
  /** Set while the client does not read what was sent. */
  unread?: { readonly since: number; readonly written: number; readonly timeoutBefore: number } | undefined
}

/** A client that reads slowly must read this many bytes in {@link SLOW_FACTOR} times `unreadMs`. */
const SLOW_BYTES = 65_536
const SLOW_FACTOR = 10

type Limits = Pick<ConnectionLimits, 'unreadMs' | 'unreadBytes' | 'lingerMs'>

/** Destroys connections whose clients keep them open after their end, or do not read their answers. */
export function sweep(
  connections: Iterable<Connection>,
  limits: Limits,
  now: number,
  onEnd: (reason: 'unread' | 'half-open') => void,
): void {
  const unread: Socket[] = []
  let bytes = 0
  for (const connection of connections) {
    const { socket } = connection
    if (socket.destroyed) continue
    const isHalfOpen = isLingering(connection, limits, now)
    if (isHalfOpen || isUnread(connection, limits, now)) {
      onEnd(isHalfOpen ? 'half-open' : 'unread')
      reset(socket)
    } else if (connection.unread !== undefined) {
      unread.push(socket)
      bytes += socket.writableLength
    }
  }
  if (bytes <= limits.unreadBytes) return
  for (const socket of unread.sort((one, other) => other.writableLength - one.writableLength)) {
    if (bytes <= limits.unreadBytes) return
    bytes -= socket.writableLength
    onEnd('unread')
    reset(socket)
  }
}

/** Returns whether the client has kept its side open for too long after the server has closed its own. */
function isLingering(connection: Connection, { lingerMs }: Limits, now: number): boolean {
  if (!connection.socket.writableFinished) return false
  connection.closedAt ??= now
  return now - connection.closedAt >= lingerMs
}

/**
 * Returns whether the client reads its answer far too slowly. For a client that reads nothing, starts the time-out of
 * the socket, because only Node.js knows how many bytes of a large chunk were sent.
 */
function isUnread(connection: Connection, { unreadMs }: Limits, now: number): boolean {
  const { socket, unread } = connection
  // The additional millisecond distinguishes this time-out from time-outs of the HTTP server.
  const timeoutMs = unreadMs + 1
  if (socket.writableLength === 0) {
    if (unread !== undefined && socket.timeout === timeoutMs) socket.setTimeout(unread.timeoutBefore)
    connection.unread = undefined
    return false
  }
  const written = socket.bytesWritten - socket.writableLength
  const timeoutBefore = unread?.timeoutBefore ?? socket.timeout ?? 0
  if (unread === undefined) socket.setTimeout(timeoutMs)
  if (unread === undefined || written - unread.written >= SLOW_BYTES) {
    connection.unread = { since: now, written, timeoutBefore }
    return false
  }
  return now - unread.since >= unreadMs * SLOW_FACTOR
}
