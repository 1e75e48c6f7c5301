/**
 * The Avalanche peer protocol over TLS: both sides of a connection, discovery by gossip, application requests.
 * @packageDocumentation
 */
export type { AppAnswer, AppRequestInit } from './AppRequests.ts'
export * as BloomFilter from './BloomFilter.ts'
export * as ClaimedIpPort from './ClaimedIpPort.ts'
export type { Counters } from './Counters.ts'
export * as Identity from './Identity.ts'
export type { BlsChecks } from './Limits.ts'
export * as Message from './Message.ts'
export { type Connection, createNetwork, type Endpoint, type Network, type NetworkOptions } from './Network.ts'
export { P2pError, type P2pErrorCode } from './P2pError.ts'
export type { Peer, PeerInfo, PeerState } from './Peer.ts'
export {
  createPeerServer,
  type InboundRequest,
  type PeerServer,
  type PeerServerOptions,
  type PeersQuery,
  type Reply,
} from './PeerServer.ts'
export { createManualTimers, type ManualTimers, SYSTEM, type Timer, type Timers } from './Timers.ts'
export * as Version from './Version.ts'
