import { Batch, type PublicKey, type Signature } from '@firn/bls'
import type * as Clock from './Clock.ts'

declare const proved: unique symbol

/** A signature that was checked by itself or with random weights, never merely as part of a sum. */
export interface Proved {
  readonly publicKey: PublicKey.PublicKey
  readonly signature: Signature.Signature
  readonly [proved]: true
}

/** A decoded signature that may be anything. */
export interface Candidate {
  readonly publicKey: PublicKey.PublicKey
  readonly signature: Signature.Signature
}

/** Which candidates are good, in the given order, and which are not, by their place in the input. */
export interface Checked {
  readonly proved: readonly Proved[]
  readonly invalid: readonly number[]
}

/** Entries that are bisected in one go; between two such groups other work gets its turn. */
const GROUP = 32

/**
 * Returns which of the candidates signed `message`. One product of pairings with random weights when all did;
 * otherwise groups of 32 are bisected one after another, yielding to the event loop in between, so that liars can't
 * hold it up for long.
 */
export async function check(
  message: Uint8Array,
  candidates: readonly Candidate[],
  clock: Clock.Clock,
): Promise<Checked> {
  if (candidates.length === 0) return { proved: [], invalid: [] }
  if (Batch.verify(message, candidates, 'random')) return { proved: candidates.map(prove), invalid: [] }
  const invalid = new Set<number>()
  for (let start = 0; start < candidates.length; start += GROUP) {
    if (start > 0) await clock.sleep(0)
    const group = candidates.slice(start, start + GROUP)
    for (const index of Batch.findInvalid(message, group)) invalid.add(start + index)
  }
  return {
    proved: candidates.filter((_, index) => !invalid.has(index)).map(prove),
    invalid: [...invalid].sort((a, b) => a - b),
  }
}

function prove({ publicKey, signature }: Candidate): Proved {
  // The brand exists in types only: it marks what went through here.
  return { publicKey, signature } as Proved
}
