import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { StakingCertificate } from '@firn/keys'
import * as certificates from './internal/certificate.ts'
import { P2pError } from './P2pError.ts'

/** The identity of this side: a staking certificate with its key, and a BLS key to sign addresses with. */
export interface Identity {
  /** DER, at most 2,048 bytes. */
  readonly certificate: Uint8Array
  /** PKCS#8 DER. */
  readonly privateKey: Uint8Array
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** Returns the 96-byte proof-of-possession signature of `message`. */
  readonly blsSign: (message: Uint8Array) => Uint8Array
  /** Signs SHA-256 of `message` with the certificate's key, as address claims require. */
  readonly tlsSign: (message: Uint8Array) => Uint8Array
}

/**
 * Options of {@link create}. Certificate and key must be given together; without them a new pair is
 * generated.
 */
export interface CreateOptions {
  /** DER. */
  readonly certificate?: Uint8Array
  /** PKCS#8 DER, of P-256 or RSA. */
  readonly privateKey?: Uint8Array
  /** Signs with the proof-of-possession ciphersuite: 96 bytes. */
  readonly blsSign: (message: Uint8Array) => Uint8Array
}

/**
 * Creates an identity.
 * @throws P2pError `P2P_CERTIFICATE` (violates the staking rules), `P2P_ARGUMENT` (only one of the pair, or a
 * key that does not match the certificate)
 */
export function create(options: CreateOptions): Identity {
  const { certificate, privateKey } = pair(options)
  const parsed = certificates.parse(certificate, 'P2P_CERTIFICATE')
  const key = readKey(privateKey)
  const tlsSign = (message: Uint8Array): Uint8Array => new Uint8Array(sign('sha256', message, key))
  const probe = Uint8Array.of(1)
  if (!certificates.verify(parsed, probe, tlsSign(probe))) {
    throw new P2pError('P2P_ARGUMENT', 'identity: the private key does not match the certificate')
  }
  return { certificate: parsed.der, privateKey, nodeId: parsed.nodeId, blsSign: options.blsSign, tlsSign }
}

function pair(options: CreateOptions): { certificate: Uint8Array; privateKey: Uint8Array } {
  const { certificate, privateKey } = options
  if (certificate !== undefined && privateKey !== undefined) return { certificate, privateKey }
  if (certificate !== undefined || privateKey !== undefined) {
    throw new P2pError(
      'P2P_ARGUMENT',
      'identity: expected certificate and privateKey together, got only one of them',
    )
  }
  const fresh = StakingCertificate.create()
  return { certificate: fresh.der, privateKey: fresh.privateKey }
}

function readKey(privateKey: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' })
  } catch (cause) {
    throw new P2pError('P2P_ARGUMENT', 'identity: expected a PKCS#8 DER private key', { cause })
  }
}
