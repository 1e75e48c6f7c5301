import { createPrivateKey } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { ProofOfPossession, SecretKey } from '@firn/bls'
import { StakingCertificate, StakingKey } from '@firn/keys'
import { NodeError, type PublicIdentity } from '@firn/node-api'
import { Identity } from '@firn/p2p'
import { createOnce } from '../internal/createOnce.ts'

/** The network identity of this process. */
export interface OwnIdentity extends PublicIdentity {
  /** The identity in the form that the peer-to-peer layer expects. */
  readonly peer: Identity.Identity
}

/**
 * The files of an identity, corresponding to the node's flags `staking-tls-key-file`, `staking-tls-cert-file`
 * and `staking-signer-key-file`.
 */
export interface Files {
  /** PEM, PKCS#8. */
  readonly key: string
  /** PEM. */
  readonly certificate: string
  /** 32 bytes. */
  readonly signer: string
}

/** Returns the paths of the identity files in a data folder. */
export function files(dataFolder: string): Files {
  const file = (name: string) => join(dataFolder, 'staking', name)
  return { key: file('staker.key'), certificate: file('staker.crt'), signer: file('signer.key') }
}

/**
 * Loads the identity from files. Missing files are created once: processes that start at the same time all
 * get the first one's identity, and a start that was killed halfway is completed by the next.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export async function load(at: Files): Promise<OwnIdentity> {
  return create({ ...(await stakingPair(at)), secretKey: await signer(at.signer) })
}

/** Secrets of an identity. */
export interface Secrets {
  /** DER. */
  readonly certificate: Uint8Array
  /** PKCS#8 DER. */
  readonly privateKey: Uint8Array
  readonly secretKey: SecretKey.SecretKey
}

/**
 * Creates an identity from secrets; by default from new ones that are not stored. Also proves possession of
 * the BLS key, which takes tens of milliseconds.
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

/** A certificate with its key; see {@link Secrets}. */
export type Pair = Omit<Secrets, 'secretKey'>

/**
 * Reads the certificate and the key from files, or creates them as {@link load} does: first the key, then a
 * certificate for the existing key, so that a crash between the two loses nothing.
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
      `staking-tls-key-file and staking-tls-cert-file: expected a staking certificate and its key, got ${key} and ${certificate} (${(cause as Error).message})`,
      { cause },
    )
  }
}

/**
 * Returns the pair if the key matches the certificate.
 * @throws P2pError `P2P_ARGUMENT`, `P2P_CERTIFICATE`
 */
export function assertPair(pair: Pair): Pair {
  Identity.create({ ...pair, blsSign: () => new Uint8Array(96) })
  return pair
}

/** Accepts every key type that nodes accept, including the RSA keys of old nodes. */
function readKey(pem: Buffer): Uint8Array {
  return new Uint8Array(createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }))
}

/**
 * Looks for the certificate first: if another process is creating both right now, its key exists before the
 * certificate.
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
 * Reads the BLS key from a file; creates it if it is missing.
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
      `staking-signer-key-file: expected a BLS key of 32 bytes, got ${path} (${(cause as Error).message})`,
      { cause },
    )
  }
}
