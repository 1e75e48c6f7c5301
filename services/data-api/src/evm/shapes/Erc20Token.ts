import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { DEFAULT_CURRENCY } from '../../metadata/Currency.ts'
import { Money, money } from '../../metadata/Money.ts'
import { addressText } from '../chain/addressText.ts'
import { textOf } from '../chain/Text.ts'
import { LOGO } from './ChainInfo.ts'
import type { Contracts } from './RichAddress.ts'

/** An ERC-20 token. The name is empty if the contract has no name. */
export const Erc20Token = Schema.object('Erc20Token', 'An ERC-20 token', {
  address: Field.evmAddress('Address of the contract'),
  name: Schema.text('Name of the token; empty if the contract has no name', 'USD Coin'),
  symbol: Schema.text('Symbol of the token; empty if the contract has no symbol', 'USDC'),
  decimals: Schema.integer('Number of decimals in which amounts are shown', 6),
  ercType: Schema.constant('ERC-20', 'Token standard'),
  logoUri: Schema.optional(Schema.text('URL of a logo', LOGO)),
  price: Schema.optional(
    Schema.as(Money, 'Price of one token, in US dollars if the endpoint has no `currency`'),
  ),
})

/** Returns an ERC-20 token in the Data API's format. */
export function erc20Token(address: Uint8Array, contracts: Contracts, currency = DEFAULT_CURRENCY) {
  const contract = contracts.get(address)
  const about = contracts.about(address)
  return {
    address: addressText(address),
    name: about?.name ?? textOf(contract?.name) ?? '',
    symbol: about?.symbol ?? textOf(contract?.symbol) ?? '',
    decimals: contract?.decimals ?? 0,
    ercType: 'ERC-20',
    logoUri: about?.logoUri,
    price: money(currency, contracts.price(address, currency)),
  } satisfies Body
}
