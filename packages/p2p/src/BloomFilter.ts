import { hash as digestOf } from 'node:crypto'
import { P2pError } from './P2pError.ts'

/** A bloom filter of known elements, as peers exchange it. */
export interface BloomFilter {
  /** The seeds of the hash functions: two 32-bit halves each, high half first. */
  readonly seeds: Uint32Array
  /**
   * The filter's bits: bit `i` is bit `i % 8`, from the least significant, of byte `i / 8`. {@link add}
   * modifies it.
   */
  readonly entries: Uint8Array
}

/** Size of a bloom filter. */
export interface Size {
  /** Number of hash functions, from 1 to 16. */
  readonly numHashes: number
  /** Number of bytes that hold the filter's bits, at least 1. */
  readonly numEntries: number
}

const MIN_HASHES = 1
const MAX_HASHES = 16
const SEED_LENGTH = 8
const LN2 = Math.LN2

/** Longest salt that a peer accepts, in bytes. */
export const MAX_SALT_LENGTH = 32

/** The encoded filter that contains no element. */
export const EMPTY: Uint8Array = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0)

/**
 * The encoded filter that contains every element. A peer that receives it in a request has nothing to send.
 */
export const FULL: Uint8Array = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0xff)

/**
 * Returns the size of a filter for `count` elements with a false-positive rate of `probability`.
 *
 * @example
 * ```ts
 * import { BloomFilter } from '@firn/p2p'
 *
 * BloomFilter.optimalSize(1_000, 0.01) // { numEntries: 1199, numHashes: 7 }
 * ```
 */
export function optimalSize(count: number, probability: number): Size {
  const numEntries = Math.max(1, Math.floor((-count * Math.log(probability)) / (LN2 * LN2) / 8 + 7 / 8) || 0)
  const numHashes = count <= 0 ? MAX_HASHES : Math.ceil((numEntries * 8 * LN2) / count)
  return { numEntries, numHashes: Math.min(MAX_HASHES, Math.max(MIN_HASHES, numHashes)) }
}

/**
 * Returns how many elements a filter of this size can hold before its false-positive rate reaches
 * `probability`. Returns `Infinity` for a probability of 1 or more.
 *
 * @example
 * ```ts
 * import { BloomFilter } from '@firn/p2p'
 *
 * BloomFilter.estimateCount({ numHashes: 7, numEntries: 1_199 }, 0.01) // 1000
 * ```
 */
export function estimateCount(size: Size, probability: number): number {
  if (probability <= 0) return 0
  if (probability >= 1) return Number.POSITIVE_INFINITY
  const { numHashes, numEntries } = size
  return Math.ceil((-Math.log(1 - probability ** (1 / numHashes)) * numEntries * 8) / numHashes)
}

/**
 * Creates an empty filter. `random(length)` must return `length` random bytes, which become the seeds.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { BloomFilter } from '@firn/p2p'
 *
 * const filter = BloomFilter.create(BloomFilter.optimalSize(1_000, 0.01), randomBytes)
 * ```
 */
export function create(size: Size, random: (length: number) => Uint8Array): BloomFilter {
  const seeds = readSeeds(random(size.numHashes * SEED_LENGTH), 0, size.numHashes)
  return { seeds, entries: new Uint8Array(size.numEntries) }
}

/**
 * Encodes a filter as the number of hashes (u8), the seeds (u64 each), and the entries.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { BloomFilter } from '@firn/p2p'
 *
 * const filter = BloomFilter.create({ numHashes: 2, numEntries: 10 }, randomBytes)
 * BloomFilter.encode(filter).length // 27
 * ```
 */
export function encode(filter: BloomFilter): Uint8Array {
  const numHashes = filter.seeds.length / 2
  const bytes = new Uint8Array(1 + numHashes * SEED_LENGTH + filter.entries.length)
  const view = new DataView(bytes.buffer)
  bytes[0] = numHashes
  filter.seeds.forEach((half, i) => {
    view.setUint32(1 + 4 * i, half)
  })
  bytes.set(filter.entries, 1 + numHashes * SEED_LENGTH)
  return bytes
}

/**
 * Decodes a filter. Its entries are a view of `bytes`.
 * @throws P2pError `P2P_FILTER` if there are not 1 to 16 hashes, or no entries after the seeds
 * @example
 * ```ts
 * import { BloomFilter } from '@firn/p2p'
 *
 * const { seeds, entries } = BloomFilter.decode(BloomFilter.EMPTY)
 * ```
 */
export function decode(bytes: Uint8Array): BloomFilter {
  const numHashes = bytes[0] ?? 0
  if (numHashes < MIN_HASHES || numHashes > MAX_HASHES) {
    throw new P2pError(
      'P2P_FILTER',
      `bloom filter: expected ${MIN_HASHES} to ${MAX_HASHES} hashes, got ${numHashes}`,
    )
  }
  const start = 1 + numHashes * SEED_LENGTH
  if (bytes.length <= start) {
    throw new P2pError(
      'P2P_FILTER',
      `bloom filter: expected at least one byte of entries after the ${start} bytes of header and seeds, got ${bytes.length} bytes in total`,
    )
  }
  return { seeds: readSeeds(bytes, 1, numHashes), entries: bytes.subarray(start) }
}

function readSeeds(bytes: Uint8Array, offset: number, count: number): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, count * SEED_LENGTH)
  return Uint32Array.from({ length: 2 * count }, (_, i) => view.getUint32(4 * i))
}

/**
 * Returns the 64-bit hash of an element: the first 8 bytes of SHA-256 over key and salt.
 *
 * @example
 * ```ts
 * import { BloomFilter } from '@firn/p2p'
 *
 * const [key, salt] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
 * const hash = BloomFilter.hash(key, salt)
 * ```
 */
export function hash(key: Uint8Array, salt: Uint8Array): bigint {
  return digest(key, salt).readBigUInt64BE(0)
}

function digest(key: Uint8Array, salt: Uint8Array): Buffer {
  return digestOf('sha256', Buffer.concat([key, salt]), 'buffer')
}

/**
 * Adds an element. Returns false if the filter already contained the element, or if other elements had
 * already set all of its bits.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { BloomFilter } from '@firn/p2p'
 *
 * const filter = BloomFilter.create(BloomFilter.optimalSize(1_000, 0.01), randomBytes)
 * const [key, salt] = [randomBytes(32), randomBytes(32)]
 * BloomFilter.add(filter, key, salt) // true
 * BloomFilter.add(filter, key, salt) // false
 * ```
 */
export function add(filter: BloomFilter, key: Uint8Array, salt: Uint8Array): boolean {
  const { entries } = filter
  let isNew = false
  visit(filter, key, salt, (bit) => {
    const mask = 1 << (bit & 7)
    isNew ||= ((entries[bit >>> 3] as number) & mask) === 0
    entries[bit >>> 3] = (entries[bit >>> 3] as number) | mask
    return true
  })
  return isNew
}

/**
 * Returns whether the filter contains an element. The result is always true for an added element, and may be
 * true for an element that was never added.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { BloomFilter } from '@firn/p2p'
 *
 * const filter = BloomFilter.create(BloomFilter.optimalSize(1_000, 0.01), randomBytes)
 * const [key, salt] = [randomBytes(32), randomBytes(32)]
 * BloomFilter.add(filter, key, salt)
 * BloomFilter.contains(filter, key, salt) // true
 * ```
 */
export function contains(filter: BloomFilter, key: Uint8Array, salt: Uint8Array): boolean {
  return visit(filter, key, salt, (bit) => ((filter.entries[bit >>> 3] as number) & (1 << (bit & 7))) !== 0)
}

/**
 * Calls `step` with each of the element's bit positions until `step` returns false. The hash is chained from
 * seed to seed: rotated left by 17, then mixed with the seed. It is kept as two 32-bit halves, which is many
 * times faster than a bigint.
 */
function visit(
  filter: BloomFilter,
  key: Uint8Array,
  salt: Uint8Array,
  step: (bit: number) => boolean,
): boolean {
  const { seeds, entries } = filter
  const bits = entries.length * 8
  const carry = 2 ** 32 % bits
  const start = digest(key, salt)
  let high = start.readUInt32BE(0)
  let low = start.readUInt32BE(4)
  for (let i = 0; i < seeds.length; i += 2) {
    const rotated = ((high << 17) | (low >>> 15)) ^ (seeds[i] as number)
    low = (((low << 17) | (high >>> 15)) ^ (seeds[i + 1] as number)) >>> 0
    high = rotated >>> 0
    if (!step(((high % bits) * carry + low) % bits)) return false
  }
  return true
}
