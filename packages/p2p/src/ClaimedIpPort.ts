import { hash } from 'node:crypto'
import { SignedIp, StakingCertificate } from '@firn/keys'
import * as Endpoint from './Endpoint.ts'
import type { Identity } from './Identity.ts'
import * as certificates from './internal/certificate.ts'
import { P2pError } from './P2pError.ts'

/** A node's signed statement of its address. */
export interface ClaimedIpPort {
  /** DER. */
  readonly x509Certificate: Uint8Array
  /** 4 or 16 bytes. */
  readonly ipAddr: Uint8Array
  readonly ipPort: number
  /** Unix seconds. */
  readonly timestamp: bigint
  /** Made with the certificate's key. */
  readonly signature: Uint8Array
  /** Unused: 32 zero bytes. */
  readonly txId: Uint8Array
}

/** How far in the future a claim's timestamp may be, in seconds. */
export const MAX_FUTURE_SECONDS = 60n

const NO_TX_ID = new Uint8Array(32)
const NODE_ID_LENGTH = 20
/** The reference hashes a buffer sized for a 32-byte id: node id, timestamp, then zeros. */
const GOSSIP_KEY_LENGTH = 40

/** Signs the claim that `identity` listens at `endpoint`, at `timestamp` (Unix seconds). */
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

/** Returns the 26 bytes that both signatures of an address cover. */
export function signedBytes(claim: Pick<ClaimedIpPort, 'ipAddr' | 'ipPort' | 'timestamp'>): Uint8Array {
  return SignedIp.unsignedBytes({ address: claim.ipAddr, port: claim.ipPort, timestamp: claim.timestamp })
}

/** Returns the NodeID (20 bytes) that a claim is about. */
export function nodeId(claim: ClaimedIpPort): Uint8Array {
  return StakingCertificate.nodeId(claim.x509Certificate)
}

/** Returns the endpoint that a claim states. */
export function endpoint(claim: ClaimedIpPort): Endpoint.Endpoint {
  return { host: Endpoint.formatAddress(claim.ipAddr), port: claim.ipPort }
}

/** Returns the 32 bytes that identify a claim in bloom filters. */
export function gossipId(nodeId: Uint8Array, timestamp: bigint): Uint8Array {
  const key = Buffer.alloc(GOSSIP_KEY_LENGTH)
  key.set(nodeId)
  key.writeBigUInt64BE(timestamp, NODE_ID_LENGTH)
  return new Uint8Array(hash('sha256', key, 'buffer'))
}

/**
 * Checks a claim's time and its signature by a certificate.
 * @throws P2pError `P2P_IP_TIMESTAMP` above `maxTimestamp` (Unix seconds), `P2P_IP_SIGNATURE`, `P2P_CLAIM_CERTIFICATE`
 */
export function verify(claim: ClaimedIpPort, maxTimestamp: bigint): void {
  verifyBy(
    certificates.parse(claim.x509Certificate, 'P2P_CLAIM_CERTIFICATE'),
    claim,
    claim.signature,
    maxTimestamp,
  )
}

/**
 * Like {@link verify}, with a certificate that was parsed before.
 * @internal
 */
export function verifyBy(
  certificate: certificates.PeerCertificate,
  claim: Pick<ClaimedIpPort, 'ipAddr' | 'ipPort' | 'timestamp'>,
  signature: Uint8Array,
  maxTimestamp: bigint,
): void {
  if (claim.timestamp > maxTimestamp) {
    throw new P2pError(
      'P2P_IP_TIMESTAMP',
      `expected an address signed no later than ${maxTimestamp}, got ${claim.timestamp}`,
    )
  }
  if (!certificates.verify(certificate, signedBytes(claim), signature)) {
    throw new P2pError('P2P_IP_SIGNATURE', 'the address is not signed by the key of its certificate')
  }
}
