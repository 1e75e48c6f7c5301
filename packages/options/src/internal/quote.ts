import { truncate } from '@firn/codec'

const LONGEST = 80

/** Formats a value for an error message, truncated to a suitable length. */
export function quote(value: unknown): string {
  return truncate(JSON.stringify(value) ?? String(value), LONGEST)
}
