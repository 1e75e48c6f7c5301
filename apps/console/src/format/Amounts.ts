/** Decimals of AVAX on the Primary Network. */
export const AVAX_DECIMALS = 9

/** The two parts of an amount as text. */
export interface AmountText {
  /** Digits before the point, grouped by thousands, with a sign if negative. */
  readonly whole: string
  /** Point and digits after it without trailing zeros; empty for whole amounts. */
  readonly fraction: string
}

/** Converts an amount in the smallest unit to text without rounding. */
export function format(amount: bigint | string | number, decimals: number): AmountText {
  const value = toBigInt(amount)
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const fraction = digits.slice(cut).replace(/0+$/, '')
  const whole = digits.slice(0, cut).replace(/\B(?=(\d{3})+$)/g, ',')
  return { whole: `${value < 0n ? '−' : ''}${whole}`, fraction: fraction === '' ? '' : `.${fraction}` }
}

/** Returns the amount as plain decimal text without grouping, such as for CSV. */
export function plain(amount: bigint | string | number, decimals: number): string {
  const { whole, fraction } = format(amount, decimals)
  return whole.replaceAll(',', '').replace('−', '-') + fraction
}

/** Converts an amount of an API to a bigint; 0 if it is missing or not an integer. */
export function toBigInt(amount: bigint | string | number | undefined): bigint {
  try {
    return BigInt(amount ?? 0)
  } catch {
    return 0n
  }
}

/** Groups the digits of an integer by thousands. */
export function count(value: bigint | number | string): string {
  return format(value, 0).whole
}

/** Returns a number of things, such as `1 row` or `1,200 rows`. */
export function countOf(value: bigint | number | string, noun: string): string {
  const text = count(value)
  return `${text} ${noun}${text === '1' ? '' : 's'}`
}
