import type { Json } from './Json.ts'

/**
 * Returns whether a value is a JSON object, and not an array or null.
 * @example
 * ```ts
 * import { isJsonObject, Json } from '@firn/codec'
 *
 * isJsonObject(Json.parse('{"jsonrpc":"2.0"}')) // true
 * isJsonObject([]) // false
 * ```
 */
export function isJsonObject(value: Json | undefined): value is { readonly [member: string]: Json }
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
