import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { PullGossipRequestSchema, PullGossipResponseSchema } from './gen/gossip_pb.ts'
import * as wire from './internal/wire.ts'

/** A request for the elements that a filter does not contain. */
export interface PullGossipRequest {
  /** At most 32 bytes. */
  readonly salt: Uint8Array
  /** An encoded `BloomFilter` of the elements that the requester has. */
  readonly filter: Uint8Array
}

/** A peer's response: elements in their application's encoding, such as transactions. */
export interface PullGossipResponse {
  readonly gossip: readonly Uint8Array[]
}

/**
 * Encodes the protobuf body of a request, which follows its handler's prefix. Source: package `sdk` of the
 * protocol.
 */
export function encodeRequest({ salt, filter }: PullGossipRequest): Uint8Array {
  return toBinary(PullGossipRequestSchema, create(PullGossipRequestSchema, { salt, filter }))
}

/**
 * Decodes a request from its protobuf body, without the handler's prefix.
 * @throws P2pError `P2P_MESSAGE`
 */
export function decodeRequest(bytes: Uint8Array): PullGossipRequest {
  wire.check(bytes, PullGossipRequestSchema)
  const { salt, filter } = fromBinary(PullGossipRequestSchema, bytes)
  return { salt, filter }
}

/** Encodes the protobuf body of a response; responses have no handler prefix. */
export function encodeResponse({ gossip }: PullGossipResponse): Uint8Array {
  return toBinary(PullGossipResponseSchema, create(PullGossipResponseSchema, { gossip: [...gossip] }))
}

/**
 * Decodes a response from its protobuf body, with at most 4,096 elements.
 * @throws P2pError `P2P_MESSAGE`
 */
export function decodeResponse(bytes: Uint8Array): PullGossipResponse {
  wire.check(bytes, PullGossipResponseSchema)
  return { gossip: fromBinary(PullGossipResponseSchema, bytes).gossip }
}
