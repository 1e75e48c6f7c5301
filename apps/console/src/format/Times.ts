const two = (value: number) => String(value).padStart(2, '0')

/** Formats a time in Unix seconds as `2026-11-23 22:05:01`, in the time zone of the browser or in UTC. */
export function format(seconds: number, zone: 'local' | 'utc'): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return String(seconds)
  const parts =
    zone === 'utc'
      ? [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
      : [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  const clock =
    zone === 'utc'
      ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
      : [date.getHours(), date.getMinutes(), date.getSeconds()]
  return `${parts.map(two).join('-')} ${clock.map(two).join(':')}`
}

const UNITS = [
  ['year', 31_557_600],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Returns a duration in its largest unit, such as `3 days`. */
export function duration(seconds: number): string {
  const positive = Math.abs(seconds)
  const [name, size] = UNITS.find(([, one]) => positive >= one) ?? UNITS[4]
  const amount = Math.floor(positive / size)
  return `${amount} ${name}${amount === 1 ? '' : 's'}`
}

/** Returns the distance of a time from now, such as `3 days ago` or `in 2 hours`. */
export function relative(seconds: number, now = Date.now() / 1000): string {
  const distance = seconds - now
  if (Math.abs(distance) < 1) return 'now'
  return distance < 0 ? `${duration(distance)} ago` : `in ${duration(distance)}`
}
