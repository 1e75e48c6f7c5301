import { foldName, isJsonObject, type Json } from '@firn/codec'
import type { Shape } from '../Layout.ts'
import {
  type AnySchema,
  define,
  type Infer,
  mismatch,
  NumberToken,
  type OptionalSchema,
  type Schema,
} from './schema.ts'

type Fields = { readonly [name: string]: AnySchema }
type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends { optional: true } ? K : never }[keyof F]

/** The TypeScript type of a value of {@link struct}. */
export type StructOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]>
} & { readonly [K in OptionalKeys<F>]?: Infer<F[K]> } extends infer O
  ? { [K in keyof O]: O[K] }
  : never

/**
 * Returns whether a parsed JSON value is an object. Arrays and number tokens are not objects.
 * @example
 * ```ts
 * import { isObject } from '@firn/rpc'
 *
 * isObject({ height: '85' }) // true
 * isObject([]) // false
 * ```
 */
export function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return isJsonObject(json) && !(json instanceof NumberToken)
}

/** A JSON object. The order of its members is kept; numbers beyond 2^53 are bigint. */
export const object: Schema<Json.Json> = /* @__PURE__ */ define<Json.Json>({
  shape: { kind: 'object' },
  parse: (json, path) => {
    if (!isObject(json)) throw mismatch('an object', json, path)
    return json as Json.Json
  },
  format: (value) => value,
  zero: () => ({}),
})

/**
 * Returns the argument object in `params`: `params` itself, or the first element if it is a list. Returns an
 * empty object if the argument is absent, and undefined if it is not an object.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * Schema.argumentOf([{ height: '85' }]) // { height: '85' }
 * Schema.argumentOf('85') // undefined
 * ```
 */
export function argumentOf(params: unknown): unknown {
  if (params === undefined || params === null) return {}
  const argument = Array.isArray(params) ? (params[0] ?? {}) : params
  return isObject(argument) ? argument : undefined
}

/**
 * Returns the schema of a member that may be missing. As an argument, the member may also be null.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * const page = Schema.struct({ limit: Schema.optional(Schema.u32) })
 * page.parse({}) // {}
 * ```
 */
export function optional<T>(schema: Schema<T>): OptionalSchema<T> {
  return {
    optional: true,
    shape: { kind: 'optional', item: schema.shape },
    parse: (json, path) => (json === undefined ? undefined : schema.parse(json, path)),
    accept: (json, path) => (json === undefined || json === null ? undefined : schema.accept(json, path)),
    format: (value, path) =>
      value === undefined ? (undefined as unknown as Json.Json) : schema.format(value, path),
  }
}

/**
 * Returns the schema of a value that may be null.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * Schema.nullable(Schema.u64).parse(null) // null
 * ```
 */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return define<T | null>({
    shape: { kind: 'nullable', item: schema.shape },
    parse: (json, path) => (json === null ? null : schema.parse(json, path)),
    accept: schema.accept,
    format: (value, path) => (value === null ? null : schema.format(value, path)),
    zero: () => null,
  })
}

/**
 * Returns the schema of a JSON object with the given members, which are written in this order. Unknown
 * members are ignored, because newer nodes add members.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * const schema = Schema.struct({ height: Schema.u64 })
 * schema.parse({ height: '85' }) // { height: 85n }
 * ```
 */
export function struct<const F extends Fields>(fields: F): Schema<StructOf<F>> {
  const entries = Object.entries(fields)
  const read = (json: unknown, path: string, how: 'parse' | 'accept'): StructOf<F> => {
    if (!isObject(json)) throw mismatch('an object', json, path)
    const value: Record<string, unknown> = {}
    for (const [name, schema] of entries) {
      const member = schema[how](how === 'parse' ? own(json, name) : anyCase(json, name), `${path}.${name}`)
      if (member !== undefined) value[name] = member
    }
    return value as StructOf<F>
  }
  return define<StructOf<F>>({
    shape: { kind: 'struct', members: shapesOf(fields) },
    parse: (json, path) => read(json, path, 'parse'),
    accept: (json, path) => read(json, path, 'accept'),
    format: (value, path) => {
      const json: Record<string, Json.Json> = {}
      for (const [name, schema] of entries) {
        const member = schema.format((value as Record<string, never>)[name] as never, `${path}.${name}`)
        if (member !== undefined) json[name] = member
      }
      return json
    },
    zero: () => read({}, '$', 'accept'),
  })
}

function shapesOf(fields: Fields): Readonly<Record<string, Shape>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape]))
}

function own(json: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(json, name) ? json[name] : undefined
}

/**
 * Returns the member with exactly the given name, or otherwise the last member whose name matches in any
 * case.
 */
function anyCase(json: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(json, name)) return json[name]
  const folded = foldName(name)
  const key = Object.keys(json).findLast((candidate) => foldName(candidate) === folded)
  return key === undefined ? undefined : json[key]
}

/**
 * Returns the schema of a list.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * Schema.array(Schema.u64).parse(['1', '2']) // [1n, 2n]
 * ```
 */
export function array<T>(item: Schema<T>): Schema<readonly T[]> {
  const read = (json: unknown, path: string, how: 'parse' | 'accept'): readonly T[] => {
    if (!Array.isArray(json)) throw mismatch('an array', json, path)
    return json.map((element, index) => item[how](element, `${path}[${index}]`))
  }
  return define<readonly T[]>({
    shape: { kind: 'array', item: item.shape },
    parse: (json, path) => read(json, path, 'parse'),
    accept: (json, path) => read(json, path, 'accept'),
    format: (value, path) => value.map((element, index) => item.format(element, `${path}[${index}]`)),
    zero: () => [],
  })
}

/**
 * Returns the schema of a list with one element for each member, in this order. In TypeScript it is an object.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * const weights = Schema.tuple({ bandwidth: Schema.integer, compute: Schema.integer })
 * weights.parse([1, 4]) // { bandwidth: 1, compute: 4 }
 * ```
 */
export function tuple<const F extends Fields>(members: F): Schema<StructOf<F>> {
  const names = Object.keys(members)
  const object = struct(members)
  return define<StructOf<F>>({
    shape: { kind: 'tuple', members: shapesOf(members) },
    parse: (json, path) => {
      if (!Array.isArray(json) || json.length !== names.length)
        throw mismatch(`an array of length ${names.length}`, json, path)
      return object.parse(Object.fromEntries(names.map((name, index) => [name, json[index]])), path)
    },
    format: (value, path) => Object.values(object.format(value, path) as Record<string, Json.Json>),
    zero: () => object.accept({}),
  })
}

/**
 * Returns the schema of an object whose keys all have the same format, which `key` checks. In TypeScript it
 * is a Map with the keys as on the wire, because byte arrays can't be used as Map keys. Keys are written in
 * byte order, as Go's encoder does.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * const weights = Schema.map(Schema.nodeId, Schema.u64)
 * weights.parse({ 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg': '20' }).size // 1
 * ```
 */
export function map<T>(key: AnySchema, item: Schema<T>): Schema<ReadonlyMap<string, T>> {
  const read = (json: unknown, path: string, how: 'parse' | 'accept'): ReadonlyMap<string, T> => {
    if (!isObject(json)) throw mismatch('an object', json, path)
    const value = new Map<string, T>()
    for (const [name, member] of Object.entries(json)) {
      key[how](name, `${path}.(key)`)
      value.set(name, item[how](member, `${path}.${name}`))
    }
    return value
  }
  return define<ReadonlyMap<string, T>>({
    shape: { kind: 'map', key: key.shape, item: item.shape },
    parse: (json, path) => read(json, path, 'parse'),
    accept: (json, path) => read(json, path, 'accept'),
    format: (value, path) => {
      const sorted = [...value].sort(([a], [b]) => (a < b ? -1 : 1))
      return inOrder(sorted.map(([name, member]) => [name, item.format(member, `${path}.${name}`)]))
    },
    zero: () => new Map(),
  })
}

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,9})$/

/**
 * Returns an object with the given members in the given order. In a plain object, numeric names would move to
 * the front.
 */
function inOrder(members: readonly (readonly [string, Json.Json])[]): Readonly<Record<string, Json.Json>> {
  const json: Record<string, Json.Json> = Object.fromEntries(members)
  if (!members.some(([name]) => ARRAY_INDEX.test(name))) return json
  return new Proxy(json, { ownKeys: () => members.map(([name]) => name) })
}

/**
 * Returns the schema of an object with one of several shapes. The first member name in `shapes` that the
 * object contains determines the shape. The shape with the name `''` applies if the object contains none of
 * the others.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * const output = Schema.byMember({
 *   stakeableLocktime: Schema.struct({ stakeableLocktime: Schema.u64 }),
 *   '': Schema.struct({ amount: Schema.u64 }),
 * })
 * output.parse({ amount: '5' }) // { amount: 5n }
 * ```
 */
export function byMember<const S extends Readonly<Record<string, AnySchema>>>(
  shapes: S,
): Schema<Infer<S[keyof S]>> {
  const entries = Object.entries(shapes)
  const pick = (value: unknown, path: string): AnySchema => {
    const found = isObject(value) && entries.find(([member]) => member === '' || Object.hasOwn(value, member))
    if (!found)
      throw mismatch(`an object with one of the members ${Object.keys(shapes).join(', ')}`, value, path)
    return found[1]
  }
  return define<Infer<S[keyof S]>>({
    shape: { kind: 'byMember', shapes: shapesOf(shapes) },
    parse: (json, path) => pick(json, path).parse(json, path) as Infer<S[keyof S]>,
    format: (value, path) => pick(value, path).format(value as never, path),
    zero: () => {
      throw mismatch('an object', null, '$')
    },
  })
}
