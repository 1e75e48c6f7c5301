import type { EvmChain } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/**
 * Balance of an address in the chain's native token. Lists of token balances leave it out while no node of the chain
 * responds.
 */
export const NativeTokenBalance = Type.Object({
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Number(),
  chainId: Type.String(),
  balance: Type.String(),
})

/** Returns a native balance in the Data API's format. */
export function nativeTokenBalance({ chainId, token }: EvmChain, balance: bigint): Body {
  const { name, symbol, decimals } = token
  return { name, symbol, decimals, chainId: String(chainId), balance: String(balance) }
}
