import { Batch, type PublicKey, type Signature } from '@firn/bls'
import type * as Clock from './Clock.ts'

declare const proved: unique symbol

/** A signature that was checked individually or with random weights, never merely as part of a sum. */
export interface Proved {
  readonly publicKey: PublicKey.PublicKey
  readonly signature: Signature.Signature
  readonly [proved]: true
}

/** A decoded but unchecked signature. */
export interface Candidate {
  readonly publicKey: PublicKey.PublicKey
  readonly signature: Signature.Signature
}

/** Entries that are bisected at a time; between two such groups other work gets a turn. */
const GROUP = 64

/**
 * Returns, for each candidate in order, the proved signature, or undefined when it is not the key's signature
 * of `message`. When all are valid this costs one product of pairings with random weights; otherwise groups
 * of 64 are bisected one after another, yielding to the event loop in between, so that wrong signatures
 * cannot block it for long.
 */
export async function check(
  message: Uint8Array,
  candidates: readonly Candidate[],
  clock: Clock.Clock,
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
  // The brand exists in types only: it marks values that passed this check.
  return { publicKey, signature } as Proved
}
