import { truncate } from '../truncate.ts'

/** Quotes a text for an error message, cut at `length` characters. Smaller in bundles than `excerpt`. */
export function quoted(text: string, length = 64): string {
  return JSON.stringify(truncate(text, length))
}
