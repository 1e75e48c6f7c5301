/**
 * The Avalanche peer protocol over TLS: connections in both directions, discovery of nodes, application and
 * chain requests, and pushed transactions. It runs only on Node.js. `createNetwork` dials, `createPeerServer` listens;
 * the namespaces contain the wire formats.
 *
 * @packageDocumentation
 */
export {
  type AppAnswer,
  type AppRequestInit,
  ERROR as AppErrorCode,
  MAX_REQUEST_BYTES,
  type PeerAnswer,
} from './AppRequests.ts'
export * as BloomFilter from './BloomFilter.ts'
export {
  type ChainAnswer,
  type ChainAnswers,
  type ChainHandlers,
  type ChainReply,
  type ChainRequestKind,
  type ChainRequests,
  type InboundChainRequest,
  limitAncestors,
  MAX_CONTAINERS,
} from './ChainRequests.ts'
export * as ClaimBook from './ClaimBook.ts'
export * as ClaimedIpPort from './ClaimedIpPort.ts'
export type { Counters } from './Counters.ts'
export * as Endpoint from './Endpoint.ts'
export * as Frame from './Frame.ts'
export * as HandlerPrefix from './HandlerPrefix.ts'
export * as Handshake from './Handshake.ts'
export * as Identity from './Identity.ts'
export * as Limits from './Limits.ts'
export * as Message from './Message.ts'
export { type Connection, createNetwork, type Network, type NetworkOptions } from './Network.ts'
export { P2pError, type P2pErrorCode } from './P2pError.ts'
export type {
  AppRequestHandler,
  GossipHandler,
  InboundRequest,
  MessageHook,
  Peer,
  PeerState,
  Reply,
} from './Peer.ts'
export type { PeerOptions } from './PeerOptions.ts'
export {
  type AdmissionLimits,
  createPeerServer,
  type PeerServer,
  type PeerServerOptions,
} from './PeerServer.ts'
export * as PullGossip from './PullGossip.ts'
export * as PushGossip from './PushGossip.ts'
export * as Timers from './Timers.ts'
export * as Version from './Version.ts'
