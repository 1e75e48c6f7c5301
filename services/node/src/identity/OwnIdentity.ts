import { createPrivateKey } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { ProofOfPossession, SecretKey } from '@firn/bls'
import { StakingCertificate, StakingKey } from '@firn/keys'
import { NodeError, type PublicIdentity } from '@firn/node-api'
import { Identity } from '@firn/p2p'
import { createOnce } from '../internal/createOnce.ts'

/** Network identity of this process. */
export interface OwnIdentity extends PublicIdentity {
  /** The identity in the format of the peer-to-peer layer. */
  readonly peer: Identity.Identity
}

/**
 * Paths of the identity files. They correspond to the node's flags `staking-tls-key-file`,
 * `staking-tls-cert-file` and `staking-signer-key-file`.
 */
export interface Files {
  /** Path of the PEM file with the TLS key (PKCS#8). */
  readonly key: string
  /** Path of the PEM file with the TLS certificate. */
  readonly certificate: string
  /** Path of the file with the BLS key (32 bytes). */
  readonly signer: string
}

/** Returns the paths of the identity files in a data folder. */
export function files(dataFolder: string): Files {
  const file = (name: string) => join(dataFolder, 'staking', name)
  return { key: file('staker.key'), certificate: file('staker.crt'), signer: file('signer.key') }
}

/**
 * Loads the identity from files. Missing files are created only once: if several processes start at the same
 * time, all of them use the files of the first process. If a creation was interrupted, the next start
 * completes it.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export async function load(at: Files): Promise<OwnIdentity> {
  return create({ ...(await stakingPair(at)), secretKey: await signer(at.signer) })
}

/** Certificate and keys of an identity. */
export interface Secrets {
  /** Certificate in DER form. */
  readonly certificate: Uint8Array
  /** Private key in PKCS#8 DER form. */
  readonly privateKey: Uint8Array
  readonly secretKey: SecretKey.SecretKey
}

/**
 * Creates an identity from secrets; by default from new secrets that are not stored. Also creates the proof
 * of possession of the BLS key, which takes tens of milliseconds.
 */
export function create(secrets: Secrets = fresh()): OwnIdentity {
  const { certificate, privateKey, secretKey } = secrets
  const blsSign = (message: Uint8Array) => ProofOfPossession.sign(secretKey, message).compressed
  const peer = Identity.create({ certificate, privateKey, blsSign })
  return {
    nodeId: peer.nodeId,
    publicKey: SecretKey.publicKey(secretKey).compressed,
    proofOfPossession: ProofOfPossession.sign(secretKey).compressed,
    peer,
  }
}

function fresh(): Secrets {
  const { der, privateKey } = StakingCertificate.create()
  return { certificate: der, privateKey, secretKey: SecretKey.random() }
}

/** A certificate and its private key, in the form of {@link Secrets}. */
export type Pair = Omit<Secrets, 'secretKey'>

/**
 * Reads the certificate and the key from files, or creates missing files as {@link load} does. The key is
 * created before its certificate, so a crash between the two steps loses nothing.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export async function stakingPair({ key, certificate }: Pick<Files, 'key' | 'certificate'>): Promise<Pair> {
  try {
    const keyPem = await createOnce(key, {
      create: () => StakingKey.formatPem(StakingKey.create()),
      refuse: () => orphaned(certificate, key),
    })
    const privateKey = readKey(keyPem)
    const certificatePem = await createOnce(certificate, {
      create: () => StakingCertificate.formatPem(StakingCertificate.create({ privateKey }).der),
    })
    const { der } = StakingCertificate.parsePem(certificatePem.toString('utf8'))
    return assertPair({ certificate: der, privateKey })
  } catch (cause) {
    throw new NodeError(
      'NODE_CONFIGURATION',
      `staking-tls-key-file and staking-tls-cert-file: expected a staking key and its certificate in ${key} and ${certificate} (${(cause as Error).message})`,
      { cause },
    )
  }
}

/**
 * Returns the given pair. Throws if the key does not match the certificate.
 * @throws P2pError `P2P_ARGUMENT`, `P2P_CERTIFICATE`
 */
export function assertPair(pair: Pair): Pair {
  Identity.create({ ...pair, blsSign: () => new Uint8Array(96) })
  return pair
}

/** Reads a private key of any type that nodes accept, including the RSA keys of old nodes. */
function readKey(pem: Buffer): Uint8Array {
  return new Uint8Array(createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }))
}

/**
 * Returns an error message if the certificate exists without its key. Checks for the certificate first: if
 * another process is creating both files, the key exists before the certificate.
 */
async function orphaned(certificate: string, key: string): Promise<string | undefined> {
  if (!(await isThere(certificate)) || (await isThere(key))) return undefined
  return 'the certificate exists, but its key is missing'
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * Reads the BLS key from a file. Creates the file if it is missing.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export async function signer(path: string): Promise<SecretKey.SecretKey> {
  try {
    return SecretKey.decode(
      new Uint8Array(await createOnce(path, { create: () => SecretKey.random().bytes })),
    )
  } catch (cause) {
    throw new NodeError(
      'NODE_CONFIGURATION',
      `staking-signer-key-file: expected a BLS key of 32 bytes in ${path} (${(cause as Error).message})`,
      { cause },
    )
  }
}
