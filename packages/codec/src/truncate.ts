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
