import type { Identity } from './Identity.ts'
import type { BlsChecks, Limits } from './Limits.ts'
import type { AppRequestHandler, MessageHook } from './Peer.ts'
import type { Timers } from './Timers.ts'
import type { Compatibility, Version } from './Version.ts'

/** What both sides of the protocol take. */
export interface PeerOptions {
  /** 1 is Mainnet, 5 is Fuji. */
  readonly networkId: number
  readonly identity: Identity
  /** The version to claim; default `Version.CLAIMED`. */
  readonly version?: Version
  /** Which versions peers may claim; default: the network's rule. */
  readonly compatibility?: Compatibility
  /** ACPs to claim. */
  readonly supportedAcps?: readonly number[]
  readonly objectedAcps?: readonly number[]
  /** The ACPs that count in the check for overlap; default: none. */
  readonly currentAcps?: Iterable<number>
  readonly bls?: BlsChecks
  /** The registered BLS key (48 bytes) of a validator, null for others; used with `bls`. */
  readonly validatorKey?: (nodeId: Uint8Array) => Uint8Array | null
  /** At most 16 ids of 32 bytes; only gossip depends on them. */
  readonly trackedSubnets?: readonly Uint8Array[]
  /** Whether to ask for validators of every subnet. */
  readonly allSubnets?: boolean
  /** Whether to compress what nodes compress. */
  readonly compress?: boolean
  readonly limits?: Partial<Limits>
  readonly timers?: Timers
  /** That many random bytes. */
  readonly random?: (length: number) => Uint8Array
  /** Handles requests of peers; default: the error -2, "unregistered handler". */
  readonly onAppRequest?: AppRequestHandler
  /** Sees each decoded message first. */
  readonly onMessage?: MessageHook
}
