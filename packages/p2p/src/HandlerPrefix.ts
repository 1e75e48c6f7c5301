/** Handler of transaction gossip. Application requests and gossip start with a handler id; responses do not. */
export const TX_GOSSIP = 0
export const ATOMIC_TX_GOSSIP = 1
/** Handler of ACP-118 signature requests. */
export const SIGNATURE_REQUEST = 2

/** The result of {@link parse}. */
export interface Parsed {
  readonly handlerId: bigint
  /** Length of the prefix in bytes. */
  readonly length: number
  /** The bytes after the prefix. */
  readonly body: Uint8Array
}

/**
 * Returns the prefix of a handler: its id as unsigned LEB128 in 1 to 10 bytes.
 *
 * @example
 * ```ts
 * import { HandlerPrefix } from '@firn/p2p'
 *
 * HandlerPrefix.encode(300) // Uint8Array [172, 2]
 * ```
 */
export function encode(handlerId: number | bigint): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(handlerId))
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

/**
 * Prepends a handler's prefix to a body.
 *
 * @example
 * ```ts
 * import { HandlerPrefix } from '@firn/p2p'
 *
 * HandlerPrefix.prepend(HandlerPrefix.SIGNATURE_REQUEST, Uint8Array.of(7, 8)) // Uint8Array [2, 7, 8]
 * ```
 */
export function prepend(handlerId: number | bigint, body: Uint8Array): Uint8Array {
  const prefix = encode(handlerId)
  const bytes = new Uint8Array(prefix.length + body.length)
  bytes.set(prefix)
  bytes.set(body, prefix.length)
  return bytes
}

/**
 * Returns the handler id and the body of an application message, or undefined if it does not start with an
 * LEB128 number of at most 64 bits. Longer encodings than needed (`82 00` for 2) are accepted, as in nodes.
 *
 * @example
 * ```ts
 * import { HandlerPrefix } from '@firn/p2p'
 *
 * HandlerPrefix.parse(Uint8Array.of(2, 7, 8))?.handlerId // 2n
 * ```
 */
export function parse(bytes: Uint8Array): Parsed | undefined {
  let handlerId = 0n
  for (let i = 0; i < 10; i++) {
    const byte = bytes[i]
    if (byte === undefined || (i === 9 && byte > 1)) return undefined
    handlerId |= BigInt(byte & 0x7f) << BigInt(7 * i)
    if (byte < 0x80) return { handlerId, length: i + 1, body: bytes.subarray(i + 1) }
  }
  return undefined
}

/**
 * Returns the body of an application message for `handlerId`, or undefined if it is for another handler or
 * has no prefix.
 *
 * @example
 * ```ts
 * import { HandlerPrefix } from '@firn/p2p'
 *
 * HandlerPrefix.strip(Uint8Array.of(2, 7, 8), HandlerPrefix.SIGNATURE_REQUEST) // Uint8Array [7, 8]
 * ```
 */
export function strip(bytes: Uint8Array, handlerId: number): Uint8Array | undefined {
  const parsed = parse(bytes)
  return parsed?.handlerId === BigInt(handlerId) ? parsed.body : undefined
}
