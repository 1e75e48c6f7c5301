import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { PullGossipRequestSchema, PullGossipResponseSchema } from './gen/gossip_pb.ts'
import * as wire from './internal/wire.ts'

/** A request for the elements that the given filter does not contain. */
export interface PullGossipRequest {
  /** Salt of the filter's hashes, at most 32 bytes. */
  readonly salt: Uint8Array
  /** An encoded `BloomFilter` of the elements that the requester has. */
  readonly filter: Uint8Array
}

/**
 * A response to a {@link PullGossipRequest}. The elements, for example transactions, are in the application's
 * encoding.
 */
export interface PullGossipResponse {
  readonly gossip: readonly Uint8Array[]
}

/**
 * Encodes the protobuf body of a request, without the handler's prefix (message `PullGossipRequest` of
 * package `sdk`).
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { BloomFilter, PullGossip } from '@firn/p2p'
 *
 * const body = PullGossip.encodeRequest({ salt: randomBytes(32), filter: BloomFilter.EMPTY })
 * ```
 */
export function encodeRequest({ salt, filter }: PullGossipRequest): Uint8Array {
  return toBinary(PullGossipRequestSchema, create(PullGossipRequestSchema, { salt, filter }))
}

/**
 * Decodes the protobuf body of a request, without the handler's prefix.
 * @throws P2pError `P2P_MESSAGE`
 * @example
 * ```ts
 * import { BloomFilter, PullGossip } from '@firn/p2p'
 *
 * declare const body: Uint8Array
 * const { salt, filter } = PullGossip.decodeRequest(body)
 * const known = BloomFilter.decode(filter)
 * ```
 */
export function decodeRequest(bytes: Uint8Array): PullGossipRequest {
  wire.check(bytes, PullGossipRequestSchema)
  const { salt, filter } = fromBinary(PullGossipRequestSchema, bytes)
  return { salt, filter }
}

/**
 * Encodes the protobuf body of a response; responses have no handler prefix.
 *
 * @example
 * ```ts
 * import { PullGossip } from '@firn/p2p'
 *
 * const body = PullGossip.encodeResponse({ gossip: [Uint8Array.of(1), Uint8Array.of(2)] })
 * ```
 */
export function encodeResponse({ gossip }: PullGossipResponse): Uint8Array {
  return toBinary(PullGossipResponseSchema, create(PullGossipResponseSchema, { gossip: [...gossip] }))
}

/**
 * Decodes the protobuf body of a response.
 * @throws P2pError `P2P_MESSAGE` if it is malformed or has more than 4,096 elements
 * @example
 * ```ts
 * import { PullGossip } from '@firn/p2p'
 *
 * declare const body: Uint8Array
 * const count = PullGossip.decodeResponse(body).gossip.length
 * ```
 */
export function decodeResponse(bytes: Uint8Array): PullGossipResponse {
  wire.check(bytes, PullGossipResponseSchema)
  return { gossip: fromBinary(PullGossipResponseSchema, bytes).gossip }
}
