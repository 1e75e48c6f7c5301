import type { PublicKey } from '@firn/bls'
import type { Misconduct } from './Report.ts'

/**
 * Which validators were recently silent or wrong, by key and chain. They are asked last for a while, so that
 * a silent third costs one hedge instead of one per message. Works across validator sets that share decoded
 * keys. Made by {@link create}.
 */
export interface Standing {
  /** Records what the validator did instead of signing for this chain, until a moment on the clock. */
  lower(publicKey: PublicKey.PublicKey, chain: string, misconduct: Misconduct, until: number): void
  /** Clears the record, because the validator signed. */
  restore(publicKey: PublicKey.PublicKey, chain: string): void
  /** Returns why the validator is asked last, as long as it is. */
  misconduct(publicKey: PublicKey.PublicKey, chain: string, now: number): Misconduct | undefined
}

interface Lowered {
  readonly misconduct: Misconduct
  readonly until: number
}

/** Chains remembered per validator; a bound, so that messages from ever new chains cannot fill the memory. */
const MAX_CHAINS = 16

/** Returns an empty record; entries are released with their keys. */
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
  }
}
