import { SignedIp } from '@firn/keys'
import { P2pError } from '../P2pError.ts'
import * as certificates from './certificate.ts'

/** The signed part of a claim. */
interface SignedPart {
  readonly ipAddr: Uint8Array
  readonly ipPort: number
  readonly timestamp: bigint
}

/**
 * Checks a claim's timestamp, and its signature with the key of a parsed certificate.
 * @throws P2pError `P2P_IP_TIMESTAMP` if the timestamp is above `maxTimestamp` (Unix seconds),
 * `P2P_IP_SIGNATURE`
 * @throws KeysError `KEYS_IP` if the address does not have 4 or 16 bytes, or the port is out of range
 */
export function verifyClaim(
  certificate: certificates.PeerCertificate,
  { ipAddr, ipPort, timestamp }: SignedPart,
  signature: Uint8Array,
  maxTimestamp: bigint,
): void {
  if (timestamp > maxTimestamp) {
    throw new P2pError(
      'P2P_IP_TIMESTAMP',
      `expected an address signed at or before ${maxTimestamp} (Unix seconds), got ${timestamp}`,
    )
  }
  const message = SignedIp.unsignedBytes({ address: ipAddr, port: ipPort, timestamp })
  if (!certificates.verify(certificate, message, signature)) {
    throw new P2pError(
      'P2P_IP_SIGNATURE',
      "invalid signature: the address is not signed by the key of the claim's certificate",
    )
  }
}
