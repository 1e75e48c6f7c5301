import { Batch, type PublicKey, Signature } from '@firn/bls'
import type { Clock } from '@firn/runtime'

declare const proved: unique symbol

/**
 * A signature that was verified individually or in a batch with random weights. Verification of an aggregate that
 * contains it is not enough.
 */
export interface Proved {
  readonly publicKey: PublicKey.PublicKey
  readonly signature: Signature.Signature
  readonly [proved]: true
}

/**
 * Marks a signature as verified. Only a {@link check} in this thread or in another one may decide that.
 *
 * @example
 * ```ts
 * import { BatchCheck } from '@firn/aggregation'
 * import { type PublicKey, Signature } from '@firn/bls'
 *
 * declare const publicKey: PublicKey.PublicKey
 * declare const uncompressed: Uint8Array // a signature that another thread has checked
 * const proved = BatchCheck.toProved(publicKey, Signature.restore(uncompressed))
 * ```
 */
export function toProved(publicKey: PublicKey.PublicKey, signature: Signature.Signature): Proved {
  // The brand exists in types only.
  return { publicKey, signature } as Proved
}

/** A signature that is decoded but not yet verified. */
export interface Candidate {
  readonly publicKey: PublicKey.PublicKey
  readonly signature: Signature.Signature
}

/** Number of signatures in one bisection. The event loop can run other work between two bisections. */
const GROUP = 64

/**
 * Returns, for each candidate in order, the verified signature, or undefined when it is not the key's
 * signature of `message`. When all are valid, this costs one product of pairings with random weights.
 * Otherwise, groups of 64 are bisected one after another, yielding to the event loop in between, so that
 * wrong signatures cannot block it for long.
 *
 * @example
 * ```ts
 * import { BatchCheck } from '@firn/aggregation'
 * import { SecretKey, Signature } from '@firn/bls'
 * import { systemClock } from '@firn/runtime'
 *
 * const message = new TextEncoder().encode('unsigned message')
 * const secretKey = SecretKey.random()
 * const candidate = {
 *   publicKey: SecretKey.publicKey(secretKey),
 *   signature: Signature.sign(secretKey, message),
 * }
 * const [proved] = await BatchCheck.check(message, [candidate], systemClock)
 * ```
 */
export async function check(
  message: Uint8Array,
  candidates: readonly Candidate[],
  clock: Clock,
): Promise<(Proved | undefined)[]> {
  if (candidates.length === 0) return []
  if (Batch.verify(message, candidates, 'random')) return candidates.map(prove)
  const results: (Proved | undefined)[] = candidates.map(prove)
  for (let start = 0; start < candidates.length; start += GROUP) {
    if (start > 0) await clock.sleep(0)
    const group = candidates.slice(start, start + GROUP)
    for (const place of Batch.findInvalid(message, group)) results[start + place] = undefined
  }
  return results
}

function prove({ publicKey, signature }: Candidate): Proved {
  // A restored signature needs much less memory than a decoded one, and most of these are kept in a cache.
  return toProved(publicKey, Signature.restore(Signature.uncompress(signature)))
}
