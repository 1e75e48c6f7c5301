import type { EvmChain, EvmTokens } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { Erc721Token, Erc1155Token, erc721Token, erc1155Token } from './NftToken.ts'
import type { Contracts } from './RichAddress.ts'

/** An ERC-721 token that an address owns. */
export const Erc721TokenBalance = Type.Object({ ...Erc721Token.properties, chainId: Type.String() })

/** Balance of an address in an ERC-1155 token. */
export const Erc1155TokenBalance = Type.Object({
  ...Erc1155Token.properties,
  chainId: Type.String(),
  balance: Type.String(),
})

/** Returns an ERC-721 token that an address owns, in the Data API's format. */
export function erc721TokenBalance(
  { chainId }: EvmChain,
  token: EvmTokens.Token,
  contracts: Contracts,
): Body {
  return { ...erc721Token(token, contracts), chainId: String(chainId) }
}

/** Returns an ERC-1155 balance in the Data API's format. */
export function erc1155TokenBalance({ chainId }: EvmChain, token: EvmTokens.Token, balance: bigint): Body {
  return { ...erc1155Token(token), chainId: String(chainId), balance: String(balance) }
}
