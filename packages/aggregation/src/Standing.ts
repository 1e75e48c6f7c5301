import type { PublicKey } from '@firn/bls'
import type { Misconduct } from './Report.ts'

/**
 * Which validators were silent or wrong lately, by key and chain: they are asked last for a while, so that a silent
 * third costs one hedge and not one for each message. Works across validator sets that share decoded keys. Made by
 * {@link create}.
 */
export interface Standing {
  /** Remembers in what the validator was of no use for this chain, until a moment on the clock. */
  lower(publicKey: PublicKey.PublicKey, chain: string, misconduct: Misconduct, until: number): void
  /** Forgets it, as the validator signed. */
  restore(publicKey: PublicKey.PublicKey, chain: string): void
  /** Returns why the validator is to be asked last, while it is. */
  misconduct(publicKey: PublicKey.PublicKey, chain: string, now: number): Misconduct | undefined
}

interface Lowered {
  readonly misconduct: Misconduct
  readonly until: number
}

/** Chains remembered per validator; messages of ever new chains must not fill the memory. */
const MAX_CHAINS = 16

/** Returns an empty memory; what it holds goes with the keys. */
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
