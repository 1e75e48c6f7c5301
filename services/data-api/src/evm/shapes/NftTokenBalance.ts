import type { EvmChain, EvmTokens } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import type { KnownBalance } from '../settleBalances.ts'
import { BalanceSource, balanceSource, type KnownSource } from './BalanceSource.ts'
import { Erc721Token, Erc1155Token, erc721Token, erc1155Token } from './NftToken.ts'
import type { Contracts } from './RichAddress.ts'

/** An ERC-721 token that an address owns. */
export const Erc721TokenBalance = Type.Object({
  ...Erc721Token.properties,
  chainId: Type.String(),
  balanceSource: BalanceSource,
})

/** Balance of an address in an ERC-1155 token. */
export const Erc1155TokenBalance = Type.Object({
  ...Erc1155Token.properties,
  chainId: Type.String(),
  balance: Type.String(),
  balanceSource: BalanceSource,
})

/** Returns an ERC-721 token that an address owns, in the Data API's format. */
export function erc721TokenBalance(
  { chainId }: EvmChain,
  token: EvmTokens.Token,
  contracts: Contracts,
  source: KnownSource,
): Body {
  const owner = erc721Token(token, contracts)
  return { ...owner, chainId: String(chainId), balanceSource: balanceSource(source) }
}

/** Returns an ERC-1155 balance in the Data API's format. */
export function erc1155TokenBalance(
  { chainId }: EvmChain,
  token: EvmTokens.Token,
  { balance, source }: KnownBalance,
): Body {
  return {
    ...erc1155Token(token),
    chainId: String(chainId),
    balance: String(balance),
    balanceSource: balanceSource(source),
  }
}
