import * as ClaimedIpPort from './ClaimedIpPort.ts'
import type * as Endpoint from './Endpoint.ts'
import type { Identity } from './Identity.ts'
import type { BodyInit } from './Message.ts'
import type * as Version from './Version.ts'

/**
 * Maximum number of tracked subnets in one Handshake. The Primary Network is always tracked and not listed.
 */
export const MAX_TRACKED_SUBNETS = 16

/** An address signed with both keys of an identity. It is created once and sent to every peer. */
export interface SignedAddress {
  readonly claim: ClaimedIpPort.ClaimedIpPort
  /** BLS signature, 96 bytes. */
  readonly blsSignature: Uint8Array
}

/**
 * Signs an address with the TLS and the BLS key. The BLS signature may take milliseconds, so call this before
 * connecting.
 *
 * @throws P2pError `P2P_IP` if the host is not an IP address
 * @throws KeysError `KEYS_IP` if the port or the timestamp is out of range
 * @throws errors of `identity.blsSign`
 * @example
 * ```ts
 * import { Handshake, type Identity } from '@firn/p2p'
 *
 * declare const identity: Identity.Identity
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * const address = Handshake.signAddress(identity, { host: '203.0.113.7', port: 9651 }, now)
 * ```
 */
export function signAddress(
  identity: Identity,
  endpoint: Endpoint.Endpoint,
  timestamp: bigint,
): SignedAddress {
  const claim = ClaimedIpPort.create(identity, endpoint, timestamp)
  return { claim, blsSignature: identity.blsSign(ClaimedIpPort.signedBytes(claim)) }
}

/** The fields that this side sends in its Handshake. */
export interface Own {
  readonly networkId: number
  readonly version: Version.Version
  readonly compatibility: Version.Compatibility
  readonly trackedSubnets: readonly Uint8Array[]
  readonly allSubnets: boolean
  readonly supportedAcps: readonly number[]
  readonly objectedAcps: readonly number[]
}

/**
 * Returns the Handshake message at `now` (Unix seconds).
 *
 * @example
 * ```ts
 * import { Handshake, Message } from '@firn/p2p'
 *
 * declare const own: Handshake.Own
 * declare const address: Handshake.SignedAddress
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * const body = Message.encode(Handshake.build(own, address, undefined, now))
 * ```
 */
export function build(
  own: Own,
  address: SignedAddress,
  known: { readonly filter: Uint8Array; readonly salt: Uint8Array } | undefined,
  now: bigint,
): BodyInit {
  return {
    case: 'handshake',
    value: {
      networkId: own.networkId,
      myTime: now,
      ipAddr: address.claim.ipAddr,
      ipPort: address.claim.ipPort,
      upgradeTime: own.compatibility.upgradeTime,
      ipSigningTime: address.claim.timestamp,
      ipNodeIdSig: address.claim.signature,
      trackedSubnets: [...own.trackedSubnets],
      client: own.version,
      supportedAcps: [...own.supportedAcps],
      objectedAcps: [...own.objectedAcps],
      ipBlsSig: address.blsSignature,
      allSubnets: own.allSubnets,
      ...(known === undefined ? {} : { knownPeers: known }),
    },
  }
}

/** The checked content of a peer's Handshake. */
export interface PeerInfo {
  readonly networkId: number
  readonly version: Version.Version
  /** The listening address that the peer announces. A client created with `createNetwork` announces 0.0.0.0:1. */
  readonly endpoint: Endpoint.Endpoint
  /** Time of the peer's newest scheduled upgrade in Unix seconds. */
  readonly upgradeTime: bigint
  readonly trackedSubnets: readonly Uint8Array[]
  readonly allSubnets: boolean
  readonly supportedAcps: readonly number[]
  readonly objectedAcps: readonly number[]
  /** The peer's signed address, ready to be sent to other peers. */
  readonly claim: ClaimedIpPort.ClaimedIpPort
  /** BLS signature (96 bytes) of the claim's signed bytes. */
  readonly blsSignature: Uint8Array
}
