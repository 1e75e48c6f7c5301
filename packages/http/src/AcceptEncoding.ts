/** Encodings in which answers are compressed, in order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Longest header that is read; browsers send about 30 characters. */
const MAX_LENGTH = 1_000
const ITEM = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/**
 * Returns the encoding that a client prefers (RFC 9110, section 12.5.3), or undefined for an answer that is not
 * compressed. Without a header, nothing is compressed.
 * @example
 * ```ts
 * import { AcceptEncoding } from '@firn/http'
 *
 * AcceptEncoding.choose('gzip, deflate, br') // 'br'
 * AcceptEncoding.choose('*;q=0.1, br;q=0') // 'gzip'
 * AcceptEncoding.choose(undefined) // undefined
 * ```
 */
export function choose(header: string | readonly string[] | undefined): Encoding | undefined {
  const qualities = parse([header ?? ''].flat().join(','))
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get('*') ?? 0
  // What is not compressed is acceptable unless a client excludes it, but only if nothing else is.
  const identity = qualities.get('identity') ?? 0
  let best: Encoding | undefined
  for (const encoding of ENCODINGS) {
    const quality = qualityOf(encoding)
    if (quality > (best === undefined ? 0 : qualityOf(best)) && quality >= identity) best = encoding
  }
  return best
}

/** Returns the quality of each named encoding. Malformed items are ignored. */
function parse(header: string): ReadonlyMap<string, number> {
  const found = header.length > MAX_LENGTH ? [] : header.split(',').map((item) => ITEM.exec(item))
  return new Map(
    found.flatMap((item) => (item === null ? [] : [[(item[1] ?? '').toLowerCase(), Number(item[2] ?? 1)]])),
  )
}
