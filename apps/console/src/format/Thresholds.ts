/**
 * Converts a decimal amount such as `1.5` to the smallest unit without rounding.
 * @returns undefined if it is not an amount, or has more digits after the point than the token
 */
export function parse(text: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,60})(?:\.(\d*))?$/.exec(text.trim().replaceAll(',', '')) ?? []
  if (whole === '' || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
