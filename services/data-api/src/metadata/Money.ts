import type { Body } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { CURRENCIES, type Currency } from './Currency.ts'

/** An amount of money. */
export const Money = Schema.object('Money', 'An amount of money', {
  currencyCode: Schema.choice(CURRENCIES, 'Currency, as ISO 4217 code in lower case'),
  value: Schema.text('Amount, as decimal text; a number for official clients', '20.5'),
})

/** Returns an amount of money in the Data API's format; undefined if the amount is unknown. */
export function money(currencyCode: Currency, value: number | undefined): Body | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : { currencyCode, value: decimal(value) }
}

/** Returns the shortest decimal text of a number, without an exponent. */
function decimal(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e')
  if (exponent === undefined) return mantissa
  const digits = mantissa.replace('.', '')
  const places = Number(exponent) + 1
  return places > 0 ? digits.padEnd(places, '0') : `0.${'0'.repeat(-places)}${digits}`
}

/**
 * Returns what a balance is worth. `balance` is in the smallest unit of a token, and `price` is the price of one token. The
 * result is approximate.
 */
export function worth(balance: bigint, decimals: number, price: number | undefined): number | undefined {
  return price === undefined ? undefined : (Number(balance) / 10 ** decimals) * price
}
