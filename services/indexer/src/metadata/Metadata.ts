import type { Metadata } from '@firn/evm-store'
import { ContentType } from '@firn/outbound'
import * as StorableText from '../evm/contracts/StorableText.ts'
import type { Failure } from './Failure.ts'

const MOST_DEPTH = 64

/**
 * Rule for a metadata field. The first of its names with a value counts. The limit is the maximum length in
 * UTF-16 code units.
 */
type Rule = { readonly names: readonly string[]; readonly limit: number }

/** Text fields. Longer texts are shortened to the limit. */
const TEXTS = {
  name: { names: ['name'], limit: 1_024 },
  symbol: { names: ['symbol'], limit: 256 },
  description: { names: ['description'], limit: 16_384 },
  background: { names: ['background_color', 'background'], limit: 256 },
} as const satisfies Readonly<Record<string, Rule>>

/**
 * Fields with URIs, including embedded images. A URI above the limit is omitted, because a part of it is
 * useless.
 */
const URIS = {
  imageUri: { names: ['image', 'image_url', 'imageUrl', 'image_data'], limit: 262_144 },
  animationUri: { names: ['animation_url', 'animationUrl', 'animation'], limit: 262_144 },
  externalUrl: { names: ['external_url', 'externalUrl', 'external_link'], limit: 8_192 },
} as const satisfies Readonly<Record<string, Rule>>

/** Fields with JSON in its original form. A value above the limit is omitted. */
const VALUES = {
  attributes: { names: ['attributes', 'traits'], limit: 262_144 },
  properties: { names: ['properties'], limit: 262_144 },
} as const satisfies Readonly<Record<string, Rule>>

const ASKED_FOR: ReadonlySet<string> = new Set([
  ...[TEXTS, URIS, VALUES].flatMap((rules) => Object.values<Rule>(rules).flatMap(({ names }) => names)),
  'decimals',
])

/**
 * Parses the metadata in a document. Bytes that are invalid in the charset become U+FFFD, which makes JSON
 * invalid outside of strings. The last of duplicate fields counts. Numbers and booleans are accepted as text
 * in their original form; values of other types are omitted. `ofUri` is applied to every URI, for example to
 * insert the token's id (ERC-1155).
 */
export function parse(
  bytes: Uint8Array,
  contentType: string | undefined,
  ofUri: (uri: string) => string = (uri) => uri,
): { readonly metadata: Metadata } | { readonly failure: Failure } {
  if (!ContentType.isReadable(contentType)) return { failure: 'content-type' }
  const json = ContentType.decode(bytes, contentType)
  if (!isJson(json)) return { failure: 'not-json' }
  if (!json.trimStart().startsWith('{')) return { failure: 'not-object' }
  const members = membersOf(json)
  if (members === undefined) return { failure: 'too-deep' }
  const pick = (
    rules: Readonly<Record<string, Rule>>,
    read: (json: string, limit: number) => string | undefined,
  ): readonly (readonly [string, string])[] =>
    Object.entries(rules).flatMap(([member, { names, limit }]) => {
      const found = names
        .map((name) => read(members.get(name) ?? 'null', limit))
        .find((value) => value !== undefined)
      return found === undefined ? [] : [[member, found] as const]
    })
  const decimals = decimalsOf(members.get('decimals') ?? 'null')
  const metadata: Metadata = Object.fromEntries([
    ...pick(TEXTS, textOf),
    ...pick(URIS, (value, limit) => {
      const uri = textOf(value, Number.MAX_SAFE_INTEGER)
      const full = uri === undefined ? undefined : ofUri(uri)
      return full !== undefined && full.length <= limit ? full : undefined
    }),
    ...pick(VALUES, (value, limit) => (value === 'null' || value.length > limit ? undefined : value)),
    ...(decimals === undefined ? [] : [['decimals', decimals] as const]),
  ])
  return Object.keys(metadata).length === 0 ? { failure: 'no-members' } : { metadata }
}

/** Returns a JSON value as text; undefined if it is empty, absent, an object or a list. */
function textOf(json: string, limit: number): string | undefined {
  if (/^[{[n]/.test(json)) return undefined
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json
  return text === '' ? undefined : StorableText.from(text, limit)
}

function decimalsOf(json: string): number | undefined {
  const digits = /^"?(\d{1,3})"?$/.exec(json)?.[1]
  return digits === undefined || Number(digits) > 255 ? undefined : Number(digits)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the known fields of a JSON object in their original form, in which numbers keep all digits. Returns
 * undefined if the JSON is nested too deeply.
 */
function membersOf(json: string): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>()
  let depth = 0
  let name: string | undefined
  let begin = 0
  const structure = /["{}[\],:]/g
  for (let found = structure.exec(json); found !== null; found = structure.exec(json)) {
    const { 0: char, index } = found
    if (char === '"') {
      structure.lastIndex = endOfString(json, index)
      if (depth === 1) name ??= nameOf(json.slice(index, structure.lastIndex))
      continue
    }
    if (depth === 1 && char === ':') begin = index + 1
    if (depth === 1 && (char === ',' || char === '}')) {
      if (name !== undefined && ASKED_FOR.has(name)) members.set(name, json.slice(begin, index).trim())
      name = undefined
    }
    if ('{['.includes(char)) depth++
    else if ('}]'.includes(char)) depth--
    if (depth > MOST_DEPTH) return undefined
  }
  return members
}

/**
 * Decodes a JSON string that contains a name. JSON.parse is used only where necessary, because it would
 * dominate the run time for a hundred thousand names.
 */
const nameOf = (json: string): string =>
  json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)

/** Returns the position after the closing quote of the string that starts at `quote`. */
function endOfString(json: string, quote: number): number {
  let i = quote + 1
  while (json[i] !== '"') i += json[i] === '\\' ? 2 : 1
  return i + 1
}
