import type { EvmChain, EvmTokens } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { KnownBalance } from './BalanceSource.ts'
import { BalanceSource, balanceSource, type KnownSource } from './BalanceSource.ts'
import { chainIdText } from './ChainInfo.ts'
import { Erc721Token, Erc1155Token, erc721Token, erc1155Token } from './NftToken.ts'
import type { Contracts } from './RichAddress.ts'
import { spamMember } from './spamMember.ts'
import type { SpamOf } from './spamReasons.ts'

/** An ERC-721 token that an address owns. */
export const Erc721TokenBalance = Schema.object(
  'Erc721TokenBalance',
  'An ERC-721 token that an address owns',
  {
    ...Erc721Token.properties,
    chainId: chainIdText,
    balanceSource: Schema.as(BalanceSource, 'What the ownership rests on'),
    ...spamMember,
  },
)

/** Balance of an address in an ERC-1155 token. */
export const Erc1155TokenBalance = Schema.object(
  'Erc1155TokenBalance',
  'Balance of an address in an ERC-1155 token',
  {
    ...Erc1155Token.properties,
    chainId: chainIdText,
    balance: Schema.text('Number of tokens, as decimal text', '5'),
    balanceSource: Schema.as(BalanceSource, 'What the balance rests on'),
    ...spamMember,
  },
)

/** Returns an ERC-721 token that an address owns, in the Data API's format. */
export function erc721TokenBalance(
  { chainId }: EvmChain,
  token: EvmTokens.Token,
  contracts: Contracts,
  spamOf: SpamOf,
  source: KnownSource,
): Body {
  const owner = erc721Token(token, contracts)
  return {
    ...owner,
    chainId: String(chainId),
    balanceSource: balanceSource(source),
    spamReasons: spamOf(token.contract),
  }
}

/** Returns an ERC-1155 balance in the Data API's format. */
export function erc1155TokenBalance(
  { chainId }: EvmChain,
  token: EvmTokens.Token,
  { balance, source }: KnownBalance,
  spamOf: SpamOf,
): Body {
  return {
    ...erc1155Token(token),
    chainId: String(chainId),
    balance: String(balance),
    balanceSource: balanceSource(source),
    spamReasons: spamOf(token.contract),
  }
}
