import type { Engine } from './Engine.ts'
import { HELD, isInfinity, keyPoint, signaturePoint } from './internal/Held.ts'
import { type RandomBytes, randomBytes } from './internal/Random.ts'
import { weightedSum } from './internal/WeightedSum.ts'
import type { PublicKey } from './PublicKey.ts'
import type { Signature } from './Signature.ts'

/** The public key of one signer and its signature of the batch's message. */
export interface Entry {
  readonly publicKey: PublicKey
  readonly signature: Signature
}

/**
 * How entries are summed before the single pairing check:
 *
 * - `random`: each entry is multiplied by a random 64-bit weight. A result of true means that every single
 * signature is valid. The error probability is 2^-63, even if signers conspire. This mode is required if
 * signatures are then stored individually.
 * - `none`: entries are summed without weights. A result of true means only that the aggregate is valid,
 * because the errors of two entries may cancel each other. Valid entries whose keys cancel each other give
 * false, because their aggregate never verifies.
 */
export type Weights = 'random' | 'none'

/**
 * Verifies the entries' signatures of `message` with one pairing check. {@link Weights} defines the meaning
 * of the result. Returns false for an empty batch, and if any key or signature is the point at infinity.
 * Entries may repeat.
 *
 * The owner of each key must have proven possession of the secret key. Otherwise a valid sum does not prove
 * who signed.
 *
 * @example
 * ```ts
 * import { Batch, SecretKey, Signature } from '@firn/bls'
 *
 * const message = new TextEncoder().encode('block 42')
 * const secretKey = SecretKey.random()
 * const entry = { publicKey: SecretKey.publicKey(secretKey), signature: Signature.sign(secretKey, message) }
 * Batch.verify(message, [entry]) // true
 * ```
 */
export function verify(
  message: Uint8Array,
  entries: readonly Entry[],
  weights: Weights = 'random',
  random: RandomBytes = randomBytes,
): boolean {
  const [first] = entries
  if (first === undefined || entries.some(isInfinite)) return false
  const { engine } = first.publicKey[HELD]
  const check = createCheck(engine, engine.hash(message, 'signature'), weights, random)
  return check(entries.map((entry, index) => toClaim(engine, entry, index)))
}

/**
 * Returns the indices of all entries whose signature of `message` is not valid, in ascending order. The point
 * at infinity is never valid. The entries are found by bisection. For 1,000 entries, this takes 2 pairing
 * checks if no entry is bad, about 15 for one bad entry and 55 for five. It never takes much more than two
 * checks per entry.
 *
 * Cheap plain sums find the errors that do not cancel each other. The remaining entries must then pass a
 * check with random weights.
 *
 * @example
 * ```ts
 * import { Batch, SecretKey, Signature } from '@firn/bls'
 *
 * const message = new TextEncoder().encode('block 42')
 * const secretKey = SecretKey.random()
 * const publicKey = SecretKey.publicKey(secretKey)
 * const good = { publicKey, signature: Signature.sign(secretKey, message) }
 * const bad = { publicKey, signature: Signature.sign(secretKey, new Uint8Array()) }
 * Batch.findInvalid(message, [good, bad, good]) // [1]
 * ```
 */
export function findInvalid(
  message: Uint8Array,
  entries: readonly Entry[],
  random: RandomBytes = randomBytes,
): number[] {
  const [first] = entries
  if (first === undefined) return []
  const { engine } = first.publicKey[HELD]
  const hash = engine.hash(message, 'signature')
  const plain = createCheck(engine, hash, 'none', random)
  const weighted = createCheck(engine, hash, 'random', random)
  const bad = new Set<number>()
  const claims: Claim[] = []
  for (const [index, entry] of entries.entries()) {
    if (isInfinite(entry)) bad.add(index)
    else claims.push(toClaim(engine, entry, index))
  }
  for (const suspect of bisect(plain, claims)) {
    // Keys that cancel each other make plain sums fail even if every signature is valid.
    if (!plain([suspect])) bad.add(suspect.index)
  }
  const rest = claims.filter((claim) => !bad.has(claim.index))
  for (const claim of bisect(weighted, rest)) bad.add(claim.index)
  return [...bad].sort((a, b) => a - b)
}

/** An entry in the internal form of its engine, with its index in the batch. */
interface Claim {
  readonly index: number
  readonly key: unknown
  readonly signature: unknown
}

type Check = (claims: readonly Claim[]) => boolean

function toClaim(engine: Engine, entry: Entry, index: number): Claim {
  return {
    index,
    key: keyPoint(engine, entry.publicKey),
    signature: signaturePoint(engine, entry.signature),
  }
}

function isInfinite(entry: Entry): boolean {
  return isInfinity(entry.publicKey.uncompressed) || isInfinity(entry.signature.compressed)
}

function createCheck(engine: Engine, hash: unknown, weights: Weights, random: RandomBytes): Check {
  return (claims) => {
    const keys = claims.map((claim) => claim.key)
    const signatures = claims.map((claim) => claim.signature)
    if (weights === 'none' || claims.length === 1) {
      return engine.verify(engine.sumPublicKeys(keys), hash, engine.sumSignatures(signatures))
    }
    const factors = drawWeights(claims.length, random)
    return engine.verify(
      weightedSum(engine.sumPublicKeys, keys, factors),
      hash,
      weightedSum(engine.sumSignatures, signatures, factors),
    )
  }
}

function drawWeights(count: number, random: RandomBytes): BigUint64Array {
  const weights = new BigUint64Array(new Uint8Array(random(8 * count)).buffer)
  // With a weight of zero, the entry would not be checked.
  return weights.map((weight) => (weight === 0n ? 1n : weight))
}

/**
 * Returns the claims that fail the check. Checks the claims in blocks, of which the first contains all claims. If a
 * block fails, finds its first bad claim by bisection and continues after that claim. The block size halves after
 * each failure and doubles after each success, so that many bad claims take little more than one check per claim.
 */
function bisect(check: Check, claims: readonly Claim[]): Claim[] {
  const bad: Claim[] = []
  let block = claims.length
  for (let start = 0; start < claims.length; ) {
    const end = Math.min(claims.length, start + block)
    if (check(claims.slice(start, end))) {
      start = end
      block *= 2
      continue
    }
    const first = findFirst(check, claims, start, end)
    bad.push(claims[first] as Claim)
    start = first + 1
    block = Math.max(1, block >> 1)
  }
  return bad
}

/**
 * Returns the position of the first bad claim at or after `start`. At least one claim from `start` to `end`
 * (exclusive) must be bad.
 */
function findFirst(check: Check, claims: readonly Claim[], start: number, end: number): number {
  let low = start
  let high = end
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (check(claims.slice(low, middle))) low = middle
    else high = middle
  }
  return low
}
