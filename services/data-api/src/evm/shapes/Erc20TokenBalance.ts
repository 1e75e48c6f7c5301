import type { EvmChain } from '@firn/store/evm'
import type { Body } from '../../front/Endpoint.ts'
import * as Field from '../../front/Field.ts'
import * as Schema from '../../front/Schema.ts'
import type { KnownBalance } from '../settleBalances.ts'
import { BalanceSource, balanceSource } from './BalanceSource.ts'
import { chainIdText } from './ChainInfo.ts'
import { Erc20Token, erc20Token } from './Erc20Token.ts'
import type { Contracts } from './RichAddress.ts'

/** Balance of an address in an ERC-20 token. */
export const Erc20TokenBalance = Schema.object(
  'Erc20TokenBalance',
  'Balance of an address in an ERC-20 token',
  {
    ...Erc20Token.properties,
    chainId: chainIdText,
    balance: Field.units('Balance'),
    balanceSource: Schema.as(BalanceSource, 'What the balance rests on'),
    tokenReputation: Schema.nothing('Always null, because token reputation is not available'),
  },
)

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
