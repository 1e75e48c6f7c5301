import * as BloomFilter from '../BloomFilter.ts'
import type { KnownPeers } from '../ClaimBook.ts'
import * as ClaimedIpPort from '../ClaimedIpPort.ts'
import * as Endpoint from '../Endpoint.ts'
import type { Client, Handshake as Wire } from '../gen/p2p_pb.ts'
import { MAX_TRACKED_SUBNETS, type Own, type PeerInfo } from '../Handshake.ts'
import type { BlsChecks } from '../Limits.ts'
import { P2pError } from '../P2pError.ts'
import * as Version from '../Version.ts'
import type { PeerCertificate } from './certificate.ts'
import { verifyClaim } from './verifyClaim.ts'

const SUBNET_ID_LENGTH = 32
const BLS_SIGNATURE_LENGTH = 96

/** Rules that {@link check} applies. */
export interface Rules {
  readonly own: Own
  /** The current ACPs: none of them may be listed both as supported and as objected. */
  readonly currentAcps: ReadonlySet<number>
  readonly clockSkewSeconds: number
  readonly bls: BlsChecks | undefined
  /** Returns the registered BLS key (48 bytes) of a validator, or null for any other node. */
  readonly validatorKey: (nodeId: Uint8Array) => Uint8Array | null
}

/**
 * Checks a Handshake's fields in the same order as nodes do.
 * @throws P2pError `P2P_NETWORK_ID`, `P2P_CLOCK`, `P2P_SUBNET_COUNT`, `P2P_SUBNET_ID`, `P2P_ACP_OVERLAP`,
 * `P2P_FILTER`, `P2P_SALT`, `P2P_IP`, `P2P_PORT`, `P2P_IP_TIMESTAMP`, `P2P_IP_SIGNATURE`,
 * `P2P_BLS_SIGNATURE`, `P2P_VERSION`
 */
export function check(
  handshake: Wire,
  certificate: PeerCertificate,
  rules: Rules,
  now: bigint,
): { readonly info: PeerInfo; readonly known: KnownPeers | undefined } {
  const { own } = rules
  if (handshake.networkId !== own.networkId) {
    throw new P2pError(
      'P2P_NETWORK_ID',
      `handshake: expected network ${own.networkId}, got ${handshake.networkId}`,
    )
  }
  checkClock(handshake.myTime, now, BigInt(rules.clockSkewSeconds))
  checkSubnets(handshake.trackedSubnets)
  checkAcps(handshake, rules.currentAcps)
  const known = handshake.knownPeers === undefined ? undefined : readKnownPeers(handshake.knownPeers)
  const claim = readClaim(handshake, certificate)
  verifyClaim(certificate, claim, claim.signature, now + BigInt(rules.clockSkewSeconds))
  checkBlsForm(handshake.ipBlsSig, rules.bls)
  const info = readInfo(handshake, claim)
  checkVersion(info.version, own, now)
  checkBlsSignature(info, certificate.nodeId, rules)
  return { info, known }
}

function checkClock(theirs: bigint, now: bigint, skew: bigint): void {
  const difference = theirs > now ? theirs - now : now - theirs
  if (difference <= skew) return
  throw new P2pError(
    'P2P_CLOCK',
    `handshake: expected clocks at most ${skew} s apart, got a difference of ${difference} s; check the system time`,
    {
      details: { theirs, now },
    },
  )
}

function checkSubnets(subnets: readonly Uint8Array[]): void {
  if (subnets.length > MAX_TRACKED_SUBNETS) {
    throw new P2pError(
      'P2P_SUBNET_COUNT',
      `handshake: expected at most ${MAX_TRACKED_SUBNETS} tracked subnets, got ${subnets.length}`,
    )
  }
  const odd = subnets.find((subnet) => subnet.length !== SUBNET_ID_LENGTH)
  if (odd === undefined) return
  throw new P2pError(
    'P2P_SUBNET_ID',
    `handshake: expected subnet ids of ${SUBNET_ID_LENGTH} bytes, got ${odd.length}`,
  )
}

function checkAcps(handshake: Wire, current: ReadonlySet<number>): void {
  const objected = new Set(handshake.objectedAcps)
  const both = handshake.supportedAcps.find((acp) => current.has(acp) && objected.has(acp))
  if (both === undefined) return
  throw new P2pError('P2P_ACP_OVERLAP', `handshake: ACP ${both} is listed both as supported and as objected`)
}

/**
 * Decodes the filter of a Handshake or GetPeerList.
 * @throws P2pError `P2P_FILTER`, `P2P_SALT`
 */
export function readKnownPeers(known: {
  readonly filter: Uint8Array
  readonly salt: Uint8Array
}): KnownPeers {
  const filter = BloomFilter.decode(known.filter)
  if (known.salt.length <= BloomFilter.MAX_SALT_LENGTH) return { filter, salt: known.salt }
  throw new P2pError(
    'P2P_SALT',
    `expected a salt of at most ${BloomFilter.MAX_SALT_LENGTH} bytes, got ${known.salt.length}`,
  )
}

function readClaim(handshake: Wire, certificate: PeerCertificate): ClaimedIpPort.ClaimedIpPort {
  const ipAddr = Endpoint.normalize(handshake.ipAddr).slice()
  // avalanchego takes the low 16 bits, so 65536 is treated as port 0.
  const ipPort = handshake.ipPort & 0xffff
  if (ipPort === 0)
    throw new P2pError('P2P_PORT', `handshake: expected a port from 1 to 65535, got ${handshake.ipPort}`)
  return {
    x509Certificate: certificate.der,
    ipAddr,
    ipPort,
    timestamp: handshake.ipSigningTime,
    signature: handshake.ipNodeIdSig.slice(),
    txId: new Uint8Array(32),
  }
}

function checkBlsForm(signature: Uint8Array, bls: BlsChecks | undefined): void {
  // Without a BLS engine, only the format is checked: 96 bytes with the flag of a compressed point.
  const isFormed = signature.length === BLS_SIGNATURE_LENGTH && (signature[0] as number) >= 0x80
  if (isFormed && (bls === undefined || bls.isSignature(signature))) return
  throw new P2pError(
    'P2P_BLS_SIGNATURE',
    `handshake: expected a BLS signature of ${BLS_SIGNATURE_LENGTH} bytes, got ${signature.length}`,
  )
}

function readInfo(handshake: Wire, claim: ClaimedIpPort.ClaimedIpPort): PeerInfo {
  return {
    networkId: handshake.networkId,
    version: readVersion(handshake.client),
    endpoint: ClaimedIpPort.endpoint(claim),
    upgradeTime: handshake.upgradeTime,
    trackedSubnets: handshake.trackedSubnets.map((subnet) => subnet.slice()),
    allSubnets: handshake.allSubnets,
    supportedAcps: handshake.supportedAcps,
    objectedAcps: handshake.objectedAcps,
    claim,
    blsSignature: handshake.ipBlsSig.slice(),
  }
}

function readVersion(client: Client | undefined): Version.Version {
  return {
    name: client?.name ?? '',
    major: client?.major ?? 0,
    minor: client?.minor ?? 0,
    patch: client?.patch ?? 0,
  }
}

/**
 * Checks the version that a peer claims. It runs at the Handshake and again at each Ping, because an upgrade
 * may happen in between.
 * @throws P2pError `P2P_VERSION`
 */
export function checkVersion(version: Version.Version, own: Own, now: bigint): void {
  if (Version.isCompatible(version, own.version, own.compatibility, now)) return
  const minimum = now >= own.compatibility.upgradeTime ? own.compatibility.after : own.compatibility.before
  throw new P2pError(
    'P2P_VERSION',
    `expected version ${Version.format(minimum)} or later with a major version of at most ${own.version.major}, got ${Version.format(version)}`,
  )
}

/**
 * Checks that a validator's address is signed by its registered BLS key. Peers that are not validators may sign with
 * any key. Without `rules.bls`, nothing is checked.
 * @throws P2pError `P2P_BLS_SIGNATURE`
 */
export function checkBlsSignature(info: PeerInfo, nodeId: Uint8Array, rules: Rules): void {
  const key = rules.bls === undefined ? null : rules.validatorKey(nodeId)
  if (
    key === null ||
    rules.bls?.verify(key, ClaimedIpPort.signedBytes(info.claim), info.blsSignature) === true
  )
    return
  throw new P2pError(
    'P2P_BLS_SIGNATURE',
    "handshake: the address is not signed by the validator's registered BLS key",
  )
}
