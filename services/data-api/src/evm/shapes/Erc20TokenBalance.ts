import type { EvmChain } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { Currency } from '../../metadata/Currency.ts'
import { REPUTATIONS } from '../../metadata/MetadataSchema.ts'
import { Money, money, worth } from '../../metadata/Money.ts'
import type { KnownBalance } from './BalanceSource.ts'
import { BalanceSource, balanceSource } from './BalanceSource.ts'
import { chainIdText } from './ChainInfo.ts'
import { Erc20Token, erc20Token } from './Erc20Token.ts'
import type { Contracts } from './RichAddress.ts'
import { spamMember } from './spamMember.ts'
import type { SpamOf } from './spamReasons.ts'

/** Balance of an address in an ERC-20 token. */
export const Erc20TokenBalance = Schema.object(
  'Erc20TokenBalance',
  'Balance of an address in an ERC-20 token',
  {
    ...Erc20Token.properties,
    chainId: chainIdText,
    balance: Field.units('Balance'),
    balanceSource: Schema.as(BalanceSource, 'What the balance rests on'),
    balanceValue: Schema.optional(Schema.as(Money, 'What the balance is worth, if the price is known')),
    ...spamMember,
    tokenReputation: Schema.union(
      'TokenReputation',
      'Reputation of the token in the metadata of the operator; null if it is unknown',
      [Schema.choice(REPUTATIONS, 'Reputation', 'Benign'), Schema.nothing('Unknown reputation')],
    ),
  },
)

/** Returns an ERC-20 balance in the Data API's format. */
export function erc20TokenBalance(
  { chainId }: EvmChain,
  { contract, balance, source }: KnownBalance,
  contracts: Contracts,
  spamOf: SpamOf,
  currency: Currency,
): Body {
  const token = erc20Token(contract, contracts, currency)
  const value = worth(balance, token.decimals, contracts.price(contract, currency))
  return {
    ...token,
    chainId: String(chainId),
    balance: String(balance),
    balanceSource: balanceSource(source),
    balanceValue: money(currency, value),
    spamReasons: spamOf(contract),
    tokenReputation: contracts.about(contract)?.reputation ?? null,
  }
}
