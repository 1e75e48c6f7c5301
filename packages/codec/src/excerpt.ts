import { quoted } from './internal/quoted.ts'
import { truncate } from './truncate.ts'

/**
 * Formats a received value for an error message, cut at about `length` characters. Texts are quoted, everything else
 * looks like JSON, and `undefined` is `nothing`. The work is limited too: only the printed part of a value is read.
 *
 * @example
 * ```ts
 * import { excerpt } from '@firn/codec'
 *
 * excerpt('avalanche', 4) // '"aval…"'
 * excerpt({ a: [1, 2n, 'b'] }) // '{"a":[1,2,"b"]}'
 * excerpt([1, 2, 3], 4) // '[1,2…'
 * ```
 */
export function excerpt(value: unknown, length = 64): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return quoted(value, length)
  return typeof value === 'bigint' ? integer(value, length) : truncate(print(value, length), length)
}

/** Printing a large integer takes time that is quadratic in its length. */
function integer(value: bigint, length: number): string {
  const bound = 10n ** BigInt(length)
  return value < bound && value > -bound ? String(value) : `an integer of more than ${length} digits`
}

/** Returns the text of a value, or a longer part of it than `length`. */
function print(value: unknown, length: number): string {
  if (length < 0) return ''
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length + 1))
  if (typeof value === 'bigint') return integer(value, length)
  if (value === undefined) return 'null'
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  return Array.isArray(value) ? printList(value, length) : printObject(value, length)
}

function printList(items: readonly unknown[], length: number): string {
  let text = '['
  for (const item of items) {
    text += (text === '[' ? '' : ',') + print(item, length - text.length)
    if (text.length > length) return text
  }
  return `${text}]`
}

function printObject(members: object, length: number): string {
  let text = '{'
  for (const name in members) {
    if (!Object.hasOwn(members, name)) continue
    text += `${text === '{' ? '' : ','}${print(name, length - text.length)}:`
    if (text.length > length) return text
    text += print((members as Record<string, unknown>)[name], length - text.length)
    if (text.length > length) return text
  }
  return `${text}}`
}
