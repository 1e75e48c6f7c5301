import { hash } from 'node:crypto'
import { SignedIp, StakingCertificate } from '@firn/keys'
import * as Endpoint from './Endpoint.ts'
import type { Identity } from './Identity.ts'
import * as certificates from './internal/certificate.ts'
import { P2pError } from './P2pError.ts'

/** A node's signed statement of the address at which it listens. */
export interface ClaimedIpPort {
  /** The X.509 certificate in DER. */
  readonly x509Certificate: Uint8Array
  /** The IP address, 4 or 16 bytes. */
  readonly ipAddr: Uint8Array
  readonly ipPort: number
  /** Time in Unix seconds. */
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
/** The reference hashes a buffer that is 8 bytes too long: node id, timestamp, then zeros. */
const GOSSIP_KEY_LENGTH = 40

/** Returns a signed claim that `identity` listens at `endpoint`, as of `timestamp` (Unix seconds). */
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

/** Returns the 26 bytes that the TLS and the BLS signature of an address cover. */
export function signedBytes(claim: Pick<ClaimedIpPort, 'ipAddr' | 'ipPort' | 'timestamp'>): Uint8Array {
  return SignedIp.unsignedBytes({ address: claim.ipAddr, port: claim.ipPort, timestamp: claim.timestamp })
}

/** Returns the NodeID (20 bytes) of the node that made a claim. */
export function nodeId(claim: ClaimedIpPort): Uint8Array {
  return StakingCertificate.nodeId(claim.x509Certificate)
}

/** Returns the endpoint that a claim contains. */
export function endpoint(claim: ClaimedIpPort): Endpoint.Endpoint {
  return { host: Endpoint.formatAddress(claim.ipAddr), port: claim.ipPort }
}

/** Returns the 32-byte id of a claim for bloom filters. */
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
 * Like {@link verify}, with a certificate that is already parsed.
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
      `expected an address signed at or before ${maxTimestamp} (Unix seconds), got ${claim.timestamp}`,
    )
  }
  if (!certificates.verify(certificate, signedBytes(claim), signature)) {
    throw new P2pError(
      'P2P_IP_SIGNATURE',
      "invalid signature: the address is not signed by the key of the claim's certificate",
    )
  }
}
