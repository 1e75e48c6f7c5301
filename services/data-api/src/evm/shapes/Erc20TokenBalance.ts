import type { EvmChain } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import type { KnownBalance } from '../settleBalances.ts'
import { BalanceSource, balanceSource } from './BalanceSource.ts'
import { Erc20Token, erc20Token } from './Erc20Token.ts'
import type { Contracts } from './RichAddress.ts'

/** Balance of an address in an ERC-20 token. */
export const Erc20TokenBalance = Type.Object({
  ...Erc20Token.properties,
  chainId: Type.String(),
  balance: Type.String(),
  balanceSource: BalanceSource,
  tokenReputation: Type.Null({ description: 'always null, because token reputation is not available' }),
})

/** Returns an ERC-20 balance in the Data API's format. */
export function erc20TokenBalance(
  { chainId }: EvmChain,
  { contract, balance, source }: KnownBalance,
  contracts: Contracts,
): Body {
  return {
    ...erc20Token(contract, contracts),
    chainId: String(chainId),
    balance: String(balance),
    balanceSource: balanceSource(source),
    tokenReputation: null,
  }
}
