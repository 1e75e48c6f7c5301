const MILLISECOND = 1_000_000n
const SECOND = 1_000_000_000n

/**
 * Formats nanoseconds since 1970 as Go prints a time in JSON: RFC 3339 in the local time zone, without
 * trailing zeros in the fraction.
 */
export function format(nanoseconds: bigint): string {
  const date = new Date(Number(nanoseconds / MILLISECOND))
  const offset = -date.getTimezoneOffset()
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19)
  const decimals = (nanoseconds % SECOND).toString().padStart(9, '0').replace(/0+$/, '')
  return `${local}${decimals === '' ? '' : `.${decimals}`}${zone(offset)}`
}

function zone(minutes: number): string {
  if (minutes === 0) return 'Z'
  const part = (value: number) => Math.trunc(value).toString().padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${part(size / 60)}:${part(size % 60)}`
}
