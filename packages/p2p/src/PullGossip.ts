import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { PullGossipRequestSchema, PullGossipResponseSchema } from './gen/gossip_pb.ts'
import * as wire from './internal/wire.ts'

/** What an application asks its peers for: elements that a filter does not contain. */
export interface PullGossipRequest {
  /** At most 32 bytes. */
  readonly salt: Uint8Array
  /** An encoded `BloomFilter` of what the asker has. */
  readonly filter: Uint8Array
}

/** What a peer answers: elements in their application's encoding, such as transactions. */
export interface PullGossipResponse {
  readonly gossip: readonly Uint8Array[]
}

/** The protobuf body of a request, to stand behind its handler's prefix. Source: package `sdk` of the protocol. */
export function encodeRequest({ salt, filter }: PullGossipRequest): Uint8Array {
  return toBinary(PullGossipRequestSchema, create(PullGossipRequestSchema, { salt, filter }))
}

/**
 * The request of a protobuf body, the handler's prefix taken off.
 * @throws P2pError `P2P_MESSAGE`
 */
export function decodeRequest(bytes: Uint8Array): PullGossipRequest {
  wire.check(bytes, PullGossipRequestSchema)
  const { salt, filter } = fromBinary(PullGossipRequestSchema, bytes)
  return { salt, filter }
}

/** The protobuf body of an answer; answers carry no handler prefix. */
export function encodeResponse({ gossip }: PullGossipResponse): Uint8Array {
  return toBinary(PullGossipResponseSchema, create(PullGossipResponseSchema, { gossip: [...gossip] }))
}

/**
 * The answer of a protobuf body, of at most 4,096 elements.
 * @throws P2pError `P2P_MESSAGE`
 */
export function decodeResponse(bytes: Uint8Array): PullGossipResponse {
  wire.check(bytes, PullGossipResponseSchema)
  return { gossip: fromBinary(PullGossipResponseSchema, bytes).gossip }
}
