import type { ChainHandlers } from './ChainRequests.ts'
import type { Identity } from './Identity.ts'
import type { BlsChecks, Limits } from './Limits.ts'
import type { AppRequestHandler, GossipHandler, MessageHook } from './Peer.ts'
import type { Timers } from './Timers.ts'
import type { Compatibility, Version } from './Version.ts'

/** Options common to the dialling and the listening side. */
export interface PeerOptions {
  /** Id of the network: 1 is Mainnet, 5 is Fuji. */
  readonly networkId: number
  readonly identity: Identity
  /** The software version to claim; default `Version.CLAIMED`. */
  readonly version?: Version
  /** The versions that are accepted from peers; default `Version.compatibility(networkId)`. */
  readonly compatibility?: Compatibility
  /** ACPs to announce as supported. */
  readonly supportedAcps?: readonly number[]
  readonly objectedAcps?: readonly number[]
  /** The current ACPs: a peer must not list any of them both as supported and as objected. Default: none. */
  readonly currentAcps?: Iterable<number>
  readonly bls?: BlsChecks
  /**
   * Returns the registered BLS key (48 bytes) of a validator, or null for any other node. Used only with
   * `bls`.
   */
  readonly validatorKey?: (nodeId: Uint8Array) => Uint8Array | null
  /** Ids of tracked subnets: at most 16, of 32 bytes each. Only gossip depends on them. */
  readonly trackedSubnets?: readonly Uint8Array[]
  /** Whether to request the addresses of the validators of all subnets. */
  readonly allSubnets?: boolean
  /** Whether to compress the kinds of messages that nodes compress. */
  readonly compress?: boolean
  readonly limits?: Partial<Limits>
  readonly timers?: Timers
  /** Returns `length` random bytes. */
  readonly random?: (length: number) => Uint8Array
  /** Handles requests of peers. Default: answers with the error -2, "unregistered handler". */
  readonly onAppRequest?: AppRequestHandler
  /** Handles chain requests of peers. Default: ignores them. */
  readonly chains?: ChainHandlers
  /** Handles transactions that peers push. Default: ignores them. */
  readonly onGossip?: GossipHandler
  /** Receives each decoded message before the protocol handles it. */
  readonly onMessage?: MessageHook
}
