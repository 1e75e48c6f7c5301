/**
 * Cuts a text at `length` characters and marks the cut with an ellipsis.
 *
 * @example
 * ```ts
 * import { truncate } from '@firn/codec'
 *
 * truncate('avalanche', 4) // 'aval…'
 * ```
 */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/**
 * Quotes a text for an error message and cuts it at `length` characters.
 *
 * @example
 * ```ts
 * import { excerpt } from '@firn/codec'
 *
 * excerpt('avalanche', 4) // '"aval…"'
 * ```
 */
export function excerpt(text: string, length = 64): string {
  return JSON.stringify(truncate(text, length))
}
