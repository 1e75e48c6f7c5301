import { excerpt } from '@firn/codec'

const LONGEST = 80

/** Formats a value for an error message, truncated if it is long. */
export function quote(value: unknown): string {
  return excerpt(value, LONGEST)
}
