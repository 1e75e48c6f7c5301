import type { Json } from '@firn/codec'
import type { MethodLayouts, Shape, TextOf } from '../Layout.ts'
import { isObject } from './composites.ts'
import { type Converter, mismatch } from './schema.ts'

/** Methods whose ids, addresses and hex are strings, as in JSON. */
export type TextMethods<L extends MethodLayouts> = {
  readonly [M in keyof L]: {
    readonly params: Converter<TextOf<L[M]['params']>>
    readonly result: Converter<TextOf<L[M]['result']>>
    readonly isOnce: boolean
  }
}

/**
 * Returns the methods with converters that check structure and numbers. They don't check the text of ids, addresses,
 * hex and times, because the code for that takes most of a bundle.
 */
export function textMethods<const L extends MethodLayouts>(layouts: L): TextMethods<L> {
  const methods = Object.entries(layouts).map(([name, { params, result, isOnce = false }]) => [
    name,
    { params: converter(params), result: converter(result), isOnce },
  ])
  return Object.fromEntries(methods) as TextMethods<L>
}

function converter(shape: Shape): Converter<unknown> {
  return {
    parse: (json, path = '$') => parse(shape, json, path),
    format: (value, path = '$') => format(shape, value, path),
  }
}

const DECIMAL = /^\d+$/

function parse(shape: Shape, json: unknown, path: string): unknown {
  const fail = (expected: string) => mismatch(expected, json, path)
  switch (shape.kind) {
    case 'optional':
      return json === undefined ? undefined : parse(shape.item, json, path)
    case 'nullable':
      return json === null ? null : parse(shape.item, json, path)
    case 'array':
      if (!Array.isArray(json)) throw fail('an array')
      return json.map((item, index) => parse(shape.item, item, `${path}[${index}]`))
    case 'map': {
      if (!isObject(json)) throw fail('an object')
      const entries = Object.entries(json)
      return new Map(entries.map(([name, item]) => [name, parse(shape.item, item, `${path}.${name}`)]))
    }
    case 'tuple': {
      const names = Object.keys(shape.members)
      if (!Array.isArray(json) || json.length !== names.length)
        throw fail(`an array of length ${names.length}`)
      return eachMember(shape.members, (name) => json[names.indexOf(name)], path, parse)
    }
    case 'struct':
      return eachMember(shape.members, fieldOf(json, path), path, parse)
    case 'byMember': {
      const member = fieldOf(json, path)
      const name = Object.keys(shape.shapes).find((key) => key === '' || member(key) !== undefined)
      if (name === undefined) throw fail(`one of the members ${Object.keys(shape.shapes)}`)
      return parse(shape.shapes[name] as Shape, json, path)
    }
    default:
      return parseNumber(shape, json, path)
  }
}

function parseNumber(shape: Shape, json: unknown, path: string): unknown {
  const fail = (expected: string) => mismatch(expected, json, path)
  switch (shape.kind) {
    case 'u64':
    case 'u32':
    case 'u16':
    case 'u8':
      if (typeof json !== 'string' || !DECIMAL.test(json)) throw fail('a decimal string')
      return shape.kind === 'u64' ? BigInt(json) : Number(json)
    case 'bigInteger':
      if (!DECIMAL.test(String(json)) || typeof json === 'string') throw fail('an integer')
      return BigInt(json as number | bigint)
    case 'fixed4':
      if (typeof json !== 'string' || Number.isNaN(Number(json))) throw fail('a number in a string')
      return Number(json)
    default:
      return same(shape, json, path)
  }
}

function format(shape: Shape, value: unknown, path: string): Json.Json {
  switch (shape.kind) {
    case 'optional':
      return value === undefined ? (undefined as unknown as Json.Json) : format(shape.item, value, path)
    case 'array':
      return (value as readonly unknown[]).map((item, index) => format(shape.item, item, `${path}[${index}]`))
    case 'struct':
      return eachMember(shape.members, fieldOf(value, path), path, format) as Json.Json
    case 'u64':
    case 'u32':
    case 'u16':
    case 'u8':
    case 'height':
      if (!DECIMAL.test(String(value)) && (shape.kind !== 'height' || value !== 'proposed'))
        throw mismatch('an unsigned integer', value, path)
      return String(value)
    default:
      return same(shape, value, path) as Json.Json
  }
}

/** Returns a value that JSON and TypeScript write in the same way. */
function same(shape: Shape, value: unknown, path: string): unknown {
  const { kind } = shape
  const type = kind === 'integer' ? 'number' : kind === 'boolean' || kind === 'object' ? kind : 'string'
  const isValid = kind === 'oneOf' ? shape.words.includes(value as string) : typeof value === type
  if (kind === 'json' ? value === undefined : !isValid) throw mismatch(`a ${type}`, value, path)
  return value
}

function fieldOf(value: unknown, path: string): (name: string) => unknown {
  if (!isObject(value)) throw mismatch('an object', value, path)
  return (name) => (Object.hasOwn(value, name) ? value[name] : undefined)
}

/** Converts each declared member, and leaves out those that are undefined. */
function eachMember(
  members: Readonly<Record<string, Shape>>,
  get: (name: string) => unknown,
  path: string,
  convert: (shape: Shape, value: unknown, path: string) => unknown,
): unknown {
  return Object.fromEntries(
    Object.entries(members)
      .map(([name, shape]) => [name, convert(shape, get(name), `${path}.${name}`)] as const)
      .filter(([, value]) => value !== undefined),
  )
}
