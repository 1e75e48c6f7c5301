import type { Identity } from './Identity.ts'
import type { BlsChecks, Limits } from './Limits.ts'
import type { AppRequestHandler, MessageHook } from './Peer.ts'
import type { Timers } from './Timers.ts'
import type { Compatibility, Version } from './Version.ts'

/** Options of both sides of the protocol. */
export interface PeerOptions {
  /** 1 is Mainnet, 5 is Fuji. */
  readonly networkId: number
  readonly identity: Identity
  /** The version to claim; default `Version.CLAIMED`. */
  readonly version?: Version
  /** The versions that peers may claim; default: the network's rule. */
  readonly compatibility?: Compatibility
  /** ACPs to claim. */
  readonly supportedAcps?: readonly number[]
  readonly objectedAcps?: readonly number[]
  /** The ACPs that the overlap check considers; default: none. */
  readonly currentAcps?: Iterable<number>
  readonly bls?: BlsChecks
  /** Returns the registered BLS key (48 bytes) of a validator, null for others; used with `bls`. */
  readonly validatorKey?: (nodeId: Uint8Array) => Uint8Array | null
  /** At most 16 ids of 32 bytes; only gossip depends on them. */
  readonly trackedSubnets?: readonly Uint8Array[]
  /** Whether to ask for validators of every subnet. */
  readonly allSubnets?: boolean
  /** Whether to compress the messages that nodes compress. */
  readonly compress?: boolean
  readonly limits?: Partial<Limits>
  readonly timers?: Timers
  /** Returns that many random bytes. */
  readonly random?: (length: number) => Uint8Array
  /** Handles requests of peers; default: answers with the error -2, "unregistered handler". */
  readonly onAppRequest?: AppRequestHandler
  /** Receives each decoded message first. */
  readonly onMessage?: MessageHook
}
