import type { ChainInfo } from '@firn/client'
import { useData } from './Session.ts'
import { type Loaded, useLoaded } from './useLoaded.ts'

/** Requests an EVM chain by its chain id or blockchain id. */
export function useChain(chainId: string): Loaded<ChainInfo> {
  const { evm } = useData()
  return useLoaded((signal) => evm.getChainInfo({ chainId }, { signal }), [chainId])
}
