import { hash } from 'node:crypto'
import { SignedIp, StakingCertificate } from '@firn/keys'
import * as Endpoint from './Endpoint.ts'
import type { Identity } from './Identity.ts'
import * as certificates from './internal/certificate.ts'
import { verifyClaim } from './internal/verifyClaim.ts'

/** A node's signed statement of the address at which it listens. */
export interface ClaimedIpPort {
  /** The X.509 certificate in DER. */
  readonly x509Certificate: Uint8Array
  /** The IP address, 4 or 16 bytes. */
  readonly ipAddr: Uint8Array
  readonly ipPort: number
  /** Time of the signature in Unix seconds. */
  readonly timestamp: bigint
  /** Signature by the private key of the certificate. */
  readonly signature: Uint8Array
  /** Unused; 32 zero bytes. */
  readonly txId: Uint8Array
}

/** Maximum number of seconds that a claim's timestamp may be in the future. */
export const MAX_FUTURE_SECONDS = 60n

const NO_TX_ID = new Uint8Array(32)
const NODE_ID_LENGTH = 20
/** avalanchego hashes a buffer that is 12 bytes too long: node id (20 bytes), timestamp (8 bytes), then zeros. */
const GOSSIP_KEY_LENGTH = 40

/**
 * Returns a signed claim that `identity` listens at `endpoint`, as of `timestamp` (Unix seconds).
 *
 * @throws P2pError `P2P_IP` if the host is not an IP address
 * @throws KeysError `KEYS_IP` if the port or the timestamp is out of range
 * @example
 * ```ts
 * import { ClaimedIpPort, type Identity } from '@firn/p2p'
 *
 * declare const identity: Identity.Identity
 * const claim = ClaimedIpPort.create(identity, { host: '203.0.113.7', port: 9651 }, 1_767_225_600n)
 * ```
 */
export function create(identity: Identity, endpoint: Endpoint.Endpoint, timestamp: bigint): ClaimedIpPort {
  const ipAddr = Endpoint.addressBytes(endpoint.host)
  const message = SignedIp.unsignedBytes({ address: ipAddr, port: endpoint.port, timestamp })
  return {
    x509Certificate: identity.certificate,
    ipAddr,
    ipPort: endpoint.port,
    timestamp,
    signature: identity.tlsSign(message),
    txId: NO_TX_ID,
  }
}

/**
 * Returns the 26 bytes that the TLS and the BLS signature of an address cover.
 *
 * @throws KeysError `KEYS_IP` if the address does not have 4 or 16 bytes, or another field is out of range
 * @example
 * ```ts
 * import { ClaimedIpPort } from '@firn/p2p'
 *
 * const ipAddr = Uint8Array.of(203, 0, 113, 7)
 * ClaimedIpPort.signedBytes({ ipAddr, ipPort: 9651, timestamp: 1_767_225_600n }).length // 26
 * ```
 */
export function signedBytes(claim: Pick<ClaimedIpPort, 'ipAddr' | 'ipPort' | 'timestamp'>): Uint8Array {
  return SignedIp.unsignedBytes({ address: claim.ipAddr, port: claim.ipPort, timestamp: claim.timestamp })
}

/**
 * Returns the NodeID (20 bytes) of the node that made a claim.
 *
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { ClaimedIpPort } from '@firn/p2p'
 *
 * declare const claim: ClaimedIpPort.ClaimedIpPort
 * const text = NodeId.format(ClaimedIpPort.nodeId(claim))
 * ```
 */
export function nodeId(claim: ClaimedIpPort): Uint8Array {
  return StakingCertificate.nodeId(claim.x509Certificate)
}

/**
 * Returns the endpoint that a claim contains.
 *
 * @throws P2pError `P2P_IP` if the address does not have 4 or 16 bytes
 * @example
 * ```ts
 * import { ClaimedIpPort, Endpoint } from '@firn/p2p'
 *
 * declare const claim: ClaimedIpPort.ClaimedIpPort
 * const text = Endpoint.format(ClaimedIpPort.endpoint(claim))
 * ```
 */
export function endpoint(claim: ClaimedIpPort): Endpoint.Endpoint {
  return { host: Endpoint.formatAddress(claim.ipAddr), port: claim.ipPort }
}

/**
 * Returns the 32-byte id of a claim for bloom filters.
 *
 * @example
 * ```ts
 * import { ClaimedIpPort } from '@firn/p2p'
 *
 * declare const claim: ClaimedIpPort.ClaimedIpPort
 * const id = ClaimedIpPort.gossipId(ClaimedIpPort.nodeId(claim), claim.timestamp)
 * ```
 */
export function gossipId(nodeId: Uint8Array, timestamp: bigint): Uint8Array {
  const key = Buffer.alloc(GOSSIP_KEY_LENGTH)
  key.set(nodeId)
  key.writeBigUInt64BE(timestamp, NODE_ID_LENGTH)
  return new Uint8Array(hash('sha256', key, 'buffer'))
}

/**
 * Checks a claim's timestamp, and its signature with the key of its certificate.
 * @throws P2pError `P2P_IP_TIMESTAMP` if the timestamp is above `maxTimestamp` (Unix seconds),
 * `P2P_IP_SIGNATURE`, `P2P_CLAIM_CERTIFICATE`
 * @example
 * ```ts
 * import { ClaimedIpPort } from '@firn/p2p'
 *
 * declare const claim: ClaimedIpPort.ClaimedIpPort
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * ClaimedIpPort.verify(claim, now + ClaimedIpPort.MAX_FUTURE_SECONDS)
 * ```
 */
export function verify(claim: ClaimedIpPort, maxTimestamp: bigint): void {
  verifyClaim(
    certificates.parse(claim.x509Certificate, 'P2P_CLAIM_CERTIFICATE'),
    claim,
    claim.signature,
    maxTimestamp,
  )
}
