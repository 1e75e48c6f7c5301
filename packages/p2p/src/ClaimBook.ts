import { Bytes } from '@firn/codec'
import * as BloomFilter from './BloomFilter.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import * as Endpoint from './Endpoint.ts'
import * as certificates from './internal/certificate.ts'
import { keyOf } from './internal/keyOf.ts'
import { verifyClaim } from './internal/verifyClaim.ts'
import { P2pError } from './P2pError.ts'

/** A peer's request for node addresses, from its Handshake or GetPeerList. */
export interface PeersQuery {
  /** The claims that the requesting peer already has; undefined if it sent no filter. */
  readonly known: KnownPeers | undefined
  readonly allSubnets: boolean
}

/** A bloom filter of claims, with its salt. */
export interface KnownPeers {
  readonly filter: BloomFilter.BloomFilter
  readonly salt: Uint8Array
}

/** Maximum number of claims in one PeerList. */
export const MAX_PER_LIST = 15

/** Options of {@link createClaimBook}. */
export interface ClaimBookOptions {
  /**
   * Returns whether a NodeID is tracked, that is, whether the client should connect to the node. Only claims of
   * tracked NodeIDs are verified and kept.
   */
  readonly isTracked: (nodeId: Uint8Array) => boolean
  /** Returns the time in Unix seconds. */
  readonly now: () => bigint
  /** Returns `length` random bytes. */
  readonly random: (length: number) => Uint8Array
  /** Called with each verified claim of a tracked NodeID that is newer than the stored claim. */
  readonly onClaim?: (nodeId: Uint8Array, claim: ClaimedIpPort.ClaimedIpPort) => void
}

/**
 * Stores the newest claim of each tracked NodeID, and a filter of all claims seen, so that peers do not send these
 * again.
 */
export interface ClaimBook {
  /**
   * Processes a PeerList in the same way as nodes do.
   * @returns the number of new claims
   * @throws P2pError `P2P_CLAIM_CERTIFICATE`, `P2P_IP` or `P2P_PORT` for any invalid entry;
   * `P2P_IP_TIMESTAMP` or `P2P_IP_SIGNATURE` for an entry of a tracked NodeID that is newer than the stored
   * one. The caller must disconnect the peer that sent the list.
   */
  consider(claims: readonly ClaimedIpPort.ClaimedIpPort[]): number
  /** Adds a claim without verifying it; the caller must know that it is valid. */
  add(claim: ClaimedIpPort.ClaimedIpPort): void
  /**
   * Returns the stored claim of a NodeID. Call this when a NodeID becomes tracked: if its claim was discarded while
   * it was untracked, the claim is removed from the filter, so that peers send it again.
   */
  recall(nodeId: Uint8Array): ClaimedIpPort.ClaimedIpPort | undefined
  /**
   * Returns up to 15 random claims that the requesting peer does not know. The peer's own claim is never
   * included.
   */
  select(query: PeersQuery, asking: Uint8Array): readonly ClaimedIpPort.ClaimedIpPort[]
  /**
   * Returns the encoded filter of all claims seen, for a Handshake or a GetPeerList. If `afresh` is true, the filter
   * gets new seeds and a new salt. Otherwise, peers would never send a claim for which the filter gives a false
   * positive.
   */
  known(afresh?: boolean): { readonly filter: Uint8Array; readonly salt: Uint8Array }
}

interface Entry {
  readonly nodeId: Uint8Array
  readonly claim: ClaimedIpPort.ClaimedIpPort
}

const CODE = 'P2P_CLAIM_CERTIFICATE'
const MIN_COUNT = 128
const TARGET_RATE = 0.001
const MAX_RATE = 0.01
/**
 * Maximum number of claims of untracked NodeIDs that are kept in the filter, so that peers do not send these again.
 */
const MAX_STRANGERS = 8_192

/**
 * Creates an empty book.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { ClaimBook } from '@firn/p2p'
 *
 * const now = () => BigInt(Math.floor(Date.now() / 1000))
 * const book = ClaimBook.createClaimBook({ isTracked: () => true, now, random: randomBytes })
 * ```
 */
export function createClaimBook(options: ClaimBookOptions): ClaimBook {
  const { isTracked, now, random, onClaim } = options
  const entries = new Map<string, Entry>()
  const strangers = new Map<string, Uint8Array>()
  const filter = createGrowingFilter(random, function* () {
    for (const { nodeId, claim } of entries.values()) yield ClaimedIpPort.gossipId(nodeId, claim.timestamp)
    yield* strangers.values()
  })

  const noteStranger = (key: string, nodeId: Uint8Array, timestamp: bigint): void => {
    if (strangers.size >= MAX_STRANGERS) forgetStrangers()
    const id = ClaimedIpPort.gossipId(nodeId, timestamp)
    strangers.set(key, id)
    filter.add(id)
  }
  const forgetStrangers = (): void => {
    strangers.clear()
    filter.rebuild()
  }
  const keep = (key: string, nodeId: Uint8Array, claim: ClaimedIpPort.ClaimedIpPort): void => {
    entries.set(key, { nodeId, claim })
    strangers.delete(key)
    filter.add(ClaimedIpPort.gossipId(nodeId, claim.timestamp))
  }
  const considerOne = (claim: ClaimedIpPort.ClaimedIpPort): boolean => {
    const nodeId = ClaimedIpPort.nodeId(claim)
    const key = keyOf(nodeId)
    const held = entries.get(key)?.claim
    // The NodeID is a hash of the certificate, so the certificate of a stored claim has already been checked.
    if (held === undefined) certificates.assertReadable(claim.x509Certificate, CODE)
    const { ipAddr, ipPort } = addressOf(claim)
    if (held !== undefined && held.timestamp >= claim.timestamp) return false
    if (!isTracked(nodeId)) {
      noteStranger(key, nodeId, claim.timestamp)
      return false
    }
    const copy = copyOf({ ...claim, ipAddr, ipPort })
    const reader = certificates.parse(copy.x509Certificate, CODE)
    verifyClaim(reader, copy, copy.signature, now() + ClaimedIpPort.MAX_FUTURE_SECONDS)
    keep(key, nodeId, copy)
    onClaim?.(nodeId, copy)
    return true
  }
  return {
    consider: (claims) => claims.reduce((news, claim) => news + (considerOne(claim) ? 1 : 0), 0),
    add: (claim) => {
      const nodeId = ClaimedIpPort.nodeId(claim)
      keep(keyOf(nodeId), nodeId, claim)
    },
    recall: (nodeId) => {
      const key = keyOf(nodeId)
      if (strangers.delete(key)) filter.invalidate()
      return entries.get(key)?.claim
    },
    select: (query, asking) => select([...entries.values()], query, asking, random),
    known: (afresh = false) => {
      if (afresh) filter.invalidate()
      return filter.encode()
    },
  }
}

/**
 * Checks the rules that apply to every claim in a PeerList, whether its NodeID is tracked or not.
 * @throws P2pError `P2P_CLAIM_CERTIFICATE`, `P2P_IP`, `P2P_PORT`
 * @example
 * ```ts
 * import { ClaimBook, type ClaimedIpPort } from '@firn/p2p'
 *
 * declare const claim: ClaimedIpPort.ClaimedIpPort
 * ClaimBook.assertWellFormed(claim)
 * ```
 */
export function assertWellFormed(claim: ClaimedIpPort.ClaimedIpPort): void {
  certificates.assertReadable(claim.x509Certificate, CODE)
  addressOf(claim)
}

function addressOf(
  claim: ClaimedIpPort.ClaimedIpPort,
): Pick<ClaimedIpPort.ClaimedIpPort, 'ipAddr' | 'ipPort'> {
  const ipAddr = Endpoint.normalize(claim.ipAddr)
  // avalanchego takes the low 16 bits, so 65536 is treated as port 0.
  const ipPort = claim.ipPort & 0xffff
  if (ipPort !== 0) return { ipAddr, ipPort }
  throw new P2pError('P2P_PORT', `claim: expected a port from 1 to 65535, got ${claim.ipPort}`)
}

/**
 * Returns a copy of a claim, because a decoded claim is a view that keeps a whole chunk of the stream in
 * memory.
 */
function copyOf(claim: ClaimedIpPort.ClaimedIpPort): ClaimedIpPort.ClaimedIpPort {
  return {
    x509Certificate: claim.x509Certificate.slice(),
    ipAddr: claim.ipAddr.slice(),
    ipPort: claim.ipPort,
    timestamp: claim.timestamp,
    signature: claim.signature.slice(),
    txId: claim.txId.slice(),
  }
}

function select(
  entries: Entry[],
  query: PeersQuery,
  asking: Uint8Array,
  random: (length: number) => Uint8Array,
): readonly ClaimedIpPort.ClaimedIpPort[] {
  const chosen: ClaimedIpPort.ClaimedIpPort[] = []
  const draws = new Uint32Array(Uint8Array.from(random(4 * entries.length)).buffer)
  for (let left = entries.length; left > 0 && chosen.length < MAX_PER_LIST; left--) {
    const at = (draws[left - 1] as number) % left
    const { nodeId, claim } = entries[at] as Entry
    entries[at] = entries[left - 1] as Entry
    if (Bytes.equals(nodeId, asking) || isKnown(query.known, nodeId, claim.timestamp)) continue
    chosen.push(claim)
  }
  return chosen
}

function isKnown(known: KnownPeers | undefined, nodeId: Uint8Array, timestamp: bigint): boolean {
  return (
    known !== undefined &&
    BloomFilter.contains(known.filter, ClaimedIpPort.gossipId(nodeId, timestamp), known.salt)
  )
}

interface GrowingFilter {
  add(gossipId: Uint8Array): void
  /** Rebuilds the filter from all claims. */
  rebuild(): void
  /** Marks the filter to be rebuilt before it is encoded again. */
  invalidate(): void
  encode(): { readonly filter: Uint8Array; readonly salt: Uint8Array }
}

/**
 * Creates a filter that is rebuilt from the ids in `all` when it fills up, with new seeds, a new salt and enough
 * room.
 */
function createGrowingFilter(
  random: (length: number) => Uint8Array,
  all: () => Iterable<Uint8Array>,
): GrowingFilter {
  let salt = random(BloomFilter.MAX_SALT_LENGTH)
  let filter = BloomFilter.create(BloomFilter.optimalSize(MIN_COUNT, TARGET_RATE), random)
  let capacity = capacityOf(MIN_COUNT)
  let count = 0
  let isValid = true
  const rebuild = (): void => {
    const ids = [...all()]
    const room = Math.max(MIN_COUNT, 2 * ids.length)
    salt = random(BloomFilter.MAX_SALT_LENGTH)
    filter = BloomFilter.create(BloomFilter.optimalSize(room, TARGET_RATE), random)
    capacity = capacityOf(room)
    for (const id of ids) BloomFilter.add(filter, id, salt)
    count = ids.length
    isValid = true
  }
  return {
    add: (gossipId) => {
      if (!BloomFilter.add(filter, gossipId, salt)) return
      if (++count >= capacity) rebuild()
    },
    rebuild,
    invalidate: () => {
      isValid = false
    },
    encode: () => {
      if (!isValid) rebuild()
      return { filter: BloomFilter.encode(filter), salt }
    },
  }
}

function capacityOf(count: number): number {
  return BloomFilter.estimateCount(BloomFilter.optimalSize(count, TARGET_RATE), MAX_RATE)
}
