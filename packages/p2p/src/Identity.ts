import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { StakingCertificate } from '@firn/keys'
import * as certificates from './internal/certificate.ts'
import { P2pError } from './P2pError.ts'

/**
 * The identity of this side: a staking certificate with its private key, and a BLS key that signs addresses.
 */
export interface Identity {
  /** The staking certificate in DER, at most 2,048 bytes. */
  readonly certificate: Uint8Array
  /** The private key of the certificate, in PKCS#8 DER. */
  readonly privateKey: Uint8Array
  /** The node's id, 20 bytes. */
  readonly nodeId: Uint8Array
  /** Returns the 96-byte proof-of-possession signature of `message`. */
  readonly blsSign: (message: Uint8Array) => Uint8Array
  /** Signs the SHA-256 hash of `message` with the certificate's key, as address claims require. */
  readonly tlsSign: (message: Uint8Array) => Uint8Array
}

/** Options of {@link create}. Give certificate and key together, or neither to generate a new pair. */
export interface CreateOptions {
  /** The X.509 certificate in DER. */
  readonly certificate?: Uint8Array
  /** The private key (P-256 or RSA) of the certificate, in PKCS#8 DER. */
  readonly privateKey?: Uint8Array
  /** Signs with the proof-of-possession ciphersuite and returns 96 bytes. */
  readonly blsSign: (message: Uint8Array) => Uint8Array
}

/**
 * Creates an identity.
 * @throws P2pError `P2P_CERTIFICATE` if the certificate violates the staking rules, `P2P_ARGUMENT` if only
 * one of certificate and key is given, or the key does not match the certificate
 * @example
 * ```ts
 * import { ProofOfPossession, SecretKey } from '@firn/bls'
 * import { Identity } from '@firn/p2p'
 *
 * const secretKey = SecretKey.random()
 * const identity = Identity.create({
 *   blsSign: (message) => ProofOfPossession.sign(secretKey, message).compressed,
 * })
 * ```
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
      'identity: expected both certificate and privateKey, or neither, got only one of them',
    )
  }
  const fresh = StakingCertificate.create()
  return { certificate: fresh.der, privateKey: fresh.privateKey }
}

function readKey(privateKey: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' })
  } catch (cause) {
    throw new P2pError('P2P_ARGUMENT', 'identity: privateKey is not a private key in PKCS#8 DER', { cause })
  }
}
