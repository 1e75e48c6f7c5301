import type { Engine } from './Engine.ts'
import { HELD, isInfinity, keyPoint, signaturePoint } from './internal/Held.ts'
import { type RandomBytes, randomBytes } from './internal/Random.ts'
import { weightedSum } from './internal/WeightedSum.ts'
import type { PublicKey } from './PublicKey.ts'
import type { Signature } from './Signature.ts'

/** One signer's claim to have signed the batch's message. */
export interface Entry {
  readonly publicKey: PublicKey
  readonly signature: Signature
}

/**
 * How entries are summed before the one pairing check:
 *
 * - `random`: each by a random 64-bit weight. True means that every single signature is valid, but for one
 *   chance in 2^63, also when signers conspire. Needed before a signature is kept by itself.
 * - `none`: plain sums. True means that the aggregate is valid, and no more: the errors of two entries may
 *   cancel, and valid entries whose keys cancel give false, as their aggregate never verifies.
 */
export type Weights = 'random' | 'none'

/**
 * True when the entries' signatures of `message` are valid in the sense of `weights`, by one pairing check.
 * False for no entries, and when any key or signature is infinity. Entries may repeat.
 *
 * The keys' owners must have proven possession: without it, sums say nothing about who signed.
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
  const check = createCheck(engine, message, weights, random)
  return check(entries.map((entry, index) => toClaim(engine, entry, index)))
}

/**
 * The indices, ascending, of exactly the entries whose signature of `message` is not valid (infinity never
 * is). Bisects with random weights, so that errors which cancel are found too: one pairing check when none is
 * bad, about 2·b·log2(n/b) for b bad of n.
 */
export function findInvalid(
  message: Uint8Array,
  entries: readonly Entry[],
  random: RandomBytes = randomBytes,
): number[] {
  const [first] = entries
  if (first === undefined) return []
  const { engine } = first.publicKey[HELD]
  const bad: number[] = []
  const claims: Claim[] = []
  for (const [index, entry] of entries.entries()) {
    if (isInfinite(entry)) bad.push(index)
    else claims.push(toClaim(engine, entry, index))
  }
  if (claims.length > 0) {
    bad.push(...bisect(createCheck(engine, message, 'random', random), claims, false))
  }
  return bad.sort((a, b) => a - b)
}

/** An entry in its engine's form, with its index in the batch. */
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
  return isInfinity(entry.publicKey.compressed) || isInfinity(entry.signature.compressed)
}

function createCheck(engine: Engine, message: Uint8Array, weights: Weights, random: RandomBytes): Check {
  const hash = engine.hash(message, 'signature')
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
  const weights = new BigUint64Array(random(8 * count).slice().buffer)
  // A weight of zero would leave its entry unchecked.
  return weights.map((weight) => (weight === 0n ? 1n : weight))
}

/** `faulty` says that a check of these claims is known to fail, which spares it. */
function bisect(check: Check, claims: readonly Claim[], faulty: boolean): number[] {
  if (!faulty && check(claims)) return []
  if (claims.length === 1) return claims.map((claim) => claim.index)
  const middle = claims.length >> 1
  const left = bisect(check, claims.slice(0, middle), false)
  return left.concat(bisect(check, claims.slice(middle), left.length === 0))
}
