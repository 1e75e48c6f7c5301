import * as Parameter from '../http/endpoint/Parameter.ts'

/** Currencies of prices, as the official client knows them. */
export const CURRENCIES = [
  ...(['usd', 'eur', 'aud', 'cad', 'chf', 'clp', 'cny'] as const),
  ...(['czk', 'dkk', 'gbp', 'hkd', 'huf', 'jpy', 'nzd'] as const),
] as const

/** ISO 4217 code of a currency, in lower case. */
export type Currency = (typeof CURRENCIES)[number]

/** Currency of prices in answers whose endpoint has no parameter `currency`. */
export const DEFAULT_CURRENCY: Currency = 'usd'

/** Parameter for the currency of prices. */
export const currency = Parameter.choice(CURRENCIES, DEFAULT_CURRENCY)
