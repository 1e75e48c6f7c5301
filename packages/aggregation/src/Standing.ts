import type { PublicKey } from '@firn/bls'
import type { Misconduct } from './Report.ts'

/**
 * Remembers, by key and chain, which validators were recently silent or sent wrong signatures. These validators are
 * queried last for a while, so that even if a third of the validators are silent, this costs one hedge in total, not
 * one hedge per message. A stored failure applies to all validator sets that contain the same decoded key object.
 * Created by {@link create}.
 */
export interface Standing {
  /** Stores a validator's failure to sign messages of a chain. It expires at `until`. */
  lower(publicKey: PublicKey.PublicKey, chain: string, misconduct: Misconduct, until: number): void
  /** Removes the stored failure of a validator that has signed. */
  restore(publicKey: PublicKey.PublicKey, chain: string): void
  /**
   * Returns the stored failure, which moves the validator to the end of the query order, or undefined if there is
   * none.
   */
  misconduct(publicKey: PublicKey.PublicKey, chain: string, now: number): Misconduct | undefined
  /** Returns the validator's latest stored failure on any chain, or undefined if there is none. */
  latest(publicKey: PublicKey.PublicKey, now: number): Misconduct | undefined
}

interface Lowered {
  readonly misconduct: Misconduct
  readonly until: number
}

/**
 * Maximum number of chains remembered per validator, so that messages from many chains cannot fill the
 * memory.
 */
const MAX_CHAINS = 16

/** Returns a `Standing` without failures. Failures are released when their key objects are garbage-collected. */
export function create(): Standing {
  const lowered = new WeakMap<PublicKey.PublicKey, Map<string, Lowered>>()
  return {
    lower(publicKey, chain, misconduct, until) {
      const chains = lowered.get(publicKey) ?? new Map<string, Lowered>()
      lowered.set(publicKey, chains)
      chains.delete(chain)
      chains.set(chain, { misconduct, until })
      for (const oldest of chains.keys()) {
        if (chains.size <= MAX_CHAINS) break
        chains.delete(oldest)
      }
    },
    restore(publicKey, chain) {
      lowered.get(publicKey)?.delete(chain)
    },
    misconduct(publicKey, chain, now) {
      const found = lowered.get(publicKey)?.get(chain)
      return found !== undefined && now < found.until ? found.misconduct : undefined
    },
    latest(publicKey, now) {
      const stored = [...(lowered.get(publicKey)?.values() ?? [])]
      return stored.findLast(({ until }) => now < until)?.misconduct
    },
  }
}
