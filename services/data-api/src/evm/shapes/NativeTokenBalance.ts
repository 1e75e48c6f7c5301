import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { Currency } from '../../metadata/Currency.ts'
import { Money, money, worth } from '../../metadata/Money.ts'
import type { EvmChainSource } from '../chain/EvmContext.ts'
import { chainIdText, LOGO, networkToken, networkTokenPrice } from './ChainInfo.ts'

/**
 * Balance of an address in the chain's native token. Lists of token balances leave it out while no node of the chain
 * responds.
 */
export const NativeTokenBalance = Schema.object(
  'NativeTokenBalance',
  'Balance of an address in the native token of a chain. Lists of token balances leave it out while no node of the chain responds.',
  {
    name: Schema.text('Name of the token', 'Avalanche'),
    symbol: Schema.text('Symbol of the token', 'AVAX'),
    decimals: Schema.integer('Number of decimals', 18),
    chainId: chainIdText,
    balance: Field.wei('Balance', '1000000000000000000'),
    logoUri: Schema.optional(Schema.text('URL of a logo', LOGO)),
    price: Schema.optional(Schema.as(Money, 'Price of one token')),
    balanceValue: Schema.optional(Schema.as(Money, 'What the balance is worth, if the price is known')),
  },
)

/** Returns a native balance in the Data API's format. */
export function nativeTokenBalance(source: EvmChainSource, balance: bigint, currency: Currency): Body {
  const { name, symbol, decimals, logoUri } = networkToken(source)
  const price = networkTokenPrice(source, currency)
  return {
    name,
    symbol,
    decimals,
    logoUri,
    chainId: String(source.chain.chainId),
    price: money(currency, price),
    balance: String(balance),
    balanceValue: money(currency, worth(balance, decimals, price)),
  }
}
