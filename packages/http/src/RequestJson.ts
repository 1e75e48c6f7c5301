import { Json } from '@firn/codec'

/**
 * Bounds of a JSON text that somebody sends to a server, stricter than `Json.LIMITS`: parsing a text within them
 * takes a few milliseconds. A long string costs nothing but its bytes, which the server limits.
 */
export const LIMITS = { depth: 64, values: 100_000, keys: 20_000, digits: 100 } as const

/**
 * Parses the JSON body of a request. Integers beyond 2^53 become `bigint`.
 * @param limits bounds that replace the defaults, {@link LIMITS}
 * @throws CodecError `CODEC_JSON` if the text is not JSON, or exceeds a bound
 * @example
 * ```ts
 * import { RequestJson } from '@firn/http'
 *
 * RequestJson.parse('{"size":1}') // { size: 1 }
 * RequestJson.parse('['.repeat(1_000_000)) // throws: expected JSON of at most 64 nesting levels, …
 * ```
 */
export function parse(text: string, limits: Partial<Json.JsonLimits> = {}): Json.Json {
  return Json.parse(text, { ...LIMITS, ...limits })
}

/**
 * Checks the bounds of the JSON body of a request, for a parser that has none.
 * @param limits bounds that replace the defaults, {@link LIMITS}
 * @throws CodecError `CODEC_JSON` if the text exceeds a bound
 * @example
 * ```ts
 * import { RequestJson } from '@firn/http'
 *
 * const text = '{"size":1}'
 * RequestJson.assertBounds(text)
 * const body: unknown = JSON.parse(text)
 * ```
 */
export function assertBounds(text: string, limits: Partial<Json.JsonLimits> = {}): void {
  Json.assertBounds(text, { ...LIMITS, ...limits })
}
