import { Bytes, CHAIN_ALIASES, type ChainAlias, Id } from '@firn/codec'
import type { Draft } from './Draft.ts'
import { refuse } from './refuse.ts'
import type { Rules } from './Tables.ts'

/** Returns true if the outputs that a chain exports are known, which they are if its blocks are applied. */
export function knowsExports(rules: Rules, chainId: Uint8Array): boolean {
  const { chainIds, followsCChain, followsXChain } = rules
  if (!followsCChain && Bytes.equals(chainId, chainIds.C)) return false
  return followsXChain || !Bytes.equals(chainId, chainIds.X)
}

/**
 * Returns the chain at the other end of an import or export. It must be another chain of the Primary Network.
 */
export function peer({ rules, chain }: Draft, chainId: Uint8Array): ChainAlias {
  const found = CHAIN_ALIASES.find((alias) => Bytes.equals(rules.chainIds[alias], chainId))
  if (found !== undefined && found !== chain) return found
  const text = Id.format(chainId)
  return refuse('LEDGER_CHAIN', `expected the id of another chain of the Primary Network, got ${text}`, {
    chainId: text,
  })
}
