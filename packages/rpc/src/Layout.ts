import type { Json } from '@firn/codec'

/** The JSON of a value, as data from which schemas, the browser's client and documents are derived. */
export type Shape =
  | { readonly kind: Scalar }
  | { readonly kind: 'hex'; readonly length: number | undefined }
  | {
      readonly kind: 'oneOf'
      readonly words: readonly string[]
      /** The case into which arguments are converted; by default, the case must match. */
      readonly letterCase?: LetterCase | undefined
    }
  | { readonly kind: 'struct' | 'tuple'; readonly members: Readonly<Record<string, Shape>> }
  | { readonly kind: 'byMember'; readonly shapes: Readonly<Record<string, Shape>> }
  | { readonly kind: 'array' | 'nullable' | 'optional'; readonly item: Shape }
  | { readonly kind: 'map'; readonly key: Shape; readonly item: Shape }

/** The kinds of JSON that have no further parts. */
export type Scalar =
  | 'u64'
  | 'u32'
  | 'u16'
  | 'u8'
  | 'fixed4'
  | 'integer'
  | 'bigInteger'
  | 'string'
  | 'boolean'
  | 'json'
  | 'object'
  | 'time'
  | 'id'
  | 'nodeId'
  | 'checkedHex'
  | 'address'
  | 'height'

type LetterCase = 'lower' | 'upper'

/**
 * A shape with the TypeScript types of its value: `T` if ids, addresses and hex are bytes, and `Text` if they are
 * strings as in JSON.
 */
export type Layout<T, Text = T> = Shape & {
  /** Never set: it only holds the types. */
  readonly types?: { readonly value: T; readonly text: Text }
}

/** The layout of a member that may be missing. */
export type OptionalLayout<T, Text = T> = Layout<T | undefined, Text | undefined> & {
  readonly kind: 'optional'
}

/** A layout of any value. */
export type AnyLayout = Layout<unknown>

/** The layouts of a method's argument object and result. */
export interface MethodLayout {
  readonly params: AnyLayout
  readonly result: AnyLayout
  /** Whether a second call can fail because of the first one, so that clients must not repeat it; false by default. */
  readonly isOnce?: boolean
}

/** The layouts of methods, by full name such as `platform.getHeight`. */
export type MethodLayouts = Readonly<Record<string, MethodLayout>>

/** The two TypeScript types of a layout. */
export type TypesOf<L extends AnyLayout> = NonNullable<L['types']>

/** The TypeScript type of a layout's value, with ids as bytes. */
export type ValueOf<L extends AnyLayout> = TypesOf<L>['value']

/** The TypeScript type of a layout's value, with ids as text. */
export type TextOf<L extends AnyLayout> = TypesOf<L>['text']

type Fields = Readonly<Record<string, AnyLayout>>
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly kind: 'optional' } ? K : never
}[keyof F]

/** An object with one of the two types of each field. */
type StructOf<F extends Fields, How extends 'value' | 'text'> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: TypesOf<F[K]>[How]
} & { readonly [K in OptionalKeys<F>]?: TypesOf<F[K]>[How] } extends infer O
  ? { [K in keyof O]: O[K] }
  : never

type StructLayout<F extends Fields> = Layout<StructOf<F, 'value'>, StructOf<F, 'text'>>

/** u64 as a decimal string ↔ bigint. */
export const u64: Layout<bigint> = { kind: 'u64' }
/** u32 as a decimal string ↔ number. */
export const u32: Layout<number> = { kind: 'u32' }
/** u16 as a decimal string ↔ number. */
export const u16: Layout<number> = { kind: 'u16' }
/** u8 as a decimal string ↔ number. */
export const u8: Layout<number> = { kind: 'u8' }
/** A string that contains a number with exactly four decimals ↔ number. */
export const fixed4: Layout<number> = { kind: 'fixed4' }
/** A JSON integer up to 2^53 − 1. */
export const integer: Layout<number> = { kind: 'integer' }
/** An unquoted JSON integer of up to 64 bits ↔ bigint. */
export const bigInteger: Layout<bigint> = { kind: 'bigInteger' }
/** Any string. */
export const string: Layout<string> = { kind: 'string' }
/** A boolean. */
export const boolean: Layout<boolean> = { kind: 'boolean' }
/** Any JSON. Numbers beyond 2^53 are bigint. */
export const json: Layout<Json.Json> = { kind: 'json' }
/** A JSON object. The order of its members is kept; numbers beyond 2^53 are bigint. */
export const object: Layout<Json.Json> = { kind: 'object' }
/** An RFC 3339 time with up to nine decimals, as a string. */
export const time: Layout<string> = { kind: 'time' }
/** A cb58 id of 32 bytes. */
export const id: Layout<Uint8Array, string> = { kind: 'id' }
/** `NodeID-…` of 20 bytes. */
export const nodeId: Layout<Uint8Array, string> = { kind: 'nodeId' }

/** The parts of an address such as `P-avax1…`. */
export interface AddressParts {
  readonly chain: string
  readonly hrp: string
  /** The 20 bytes of the address. */
  readonly payload: Uint8Array
}

/** An address such as `P-avax1…`. */
export const address: Layout<AddressParts, string> = { kind: 'address' }

/** A P-chain height, or `proposed` for the height that block builders currently use. */
export type Height = bigint | 'proposed'

/** A P-chain height as a decimal string, or `"proposed"`. */
export const height: Layout<Height> = { kind: 'height' }

/** `0x` followed by hex without a checksum. `length` fixes the number of bytes. */
export const hex = (length?: number): Layout<Uint8Array, string> => ({ kind: 'hex', length })

/** One of the given words. */
export const oneOf = <const W extends string>(
  words: readonly [W, ...W[]],
  letterCase?: LetterCase,
): Layout<W> => ({ kind: 'oneOf', words, letterCase })

/**
 * Encoding of bytes and transactions in responses: hex (with checksum), hexc (same as hex), hexnc (without
 * checksum) or json.
 */
export type Encoding = 'hex' | 'hexc' | 'hexnc' | 'json'

/** The argument `encoding` in any case; defaults to hex. The response contains the encoding in lowercase. */
export const encoding: Layout<Encoding> = /* @__PURE__ */ oneOf(['hex', 'hexc', 'hexnc', 'json'], 'lower')

/** A member that may be missing. */
export const optional = <T, Text>(item: Layout<T, Text>): OptionalLayout<T, Text> => ({
  kind: 'optional',
  item,
})

/** A value that may be null. */
export const nullable = <T, Text>(item: Layout<T, Text>): Layout<T | null, Text | null> => ({
  kind: 'nullable',
  item,
})

/** A JSON object with the given members, in this order. */
export const struct = <const F extends Fields>(members: F): StructLayout<F> => ({ kind: 'struct', members })

/** A list with one element for each member, in this order. In TypeScript it is an object. */
export const tuple = <const F extends Fields>(members: F): StructLayout<F> => ({ kind: 'tuple', members })

/** A list. */
export const array = <T, Text>(item: Layout<T, Text>): Layout<readonly T[], readonly Text[]> => ({
  kind: 'array',
  item,
})

/** An object whose keys all have the same format. In TypeScript it is a Map with the keys as in JSON. */
export const map = <T, Text>(
  key: AnyLayout,
  item: Layout<T, Text>,
): Layout<ReadonlyMap<string, T>, ReadonlyMap<string, Text>> => ({ kind: 'map', key, item })

/** An object with one of several shapes, selected by its members: see `Schema.byMember`. */
export const byMember = <const S extends Readonly<Record<string, AnyLayout>>>(
  shapes: S,
): Layout<ValueOf<S[keyof S]>, TextOf<S[keyof S]>> => ({ kind: 'byMember', shapes })
