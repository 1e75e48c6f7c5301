import { excerpt, type Json, truncate } from '@firn/codec'
import type { Shape } from '../Layout.ts'
import { RpcError } from '../RpcError.ts'

/** Converts a value between its JSON form and its TypeScript form, as a client needs it. */
export interface Converter<T> {
  readonly parse: (json: unknown, path?: string) => T
  readonly format: (value: T, path?: string) => Json.Json
}

/** A converter of any value, for type constraints. */
export interface AnyConverter {
  readonly parse: (json: unknown, path?: string) => unknown
  readonly format: (value: never, path?: string) => Json.Json
}

/**
 * Converts a value between its JSON form and its TypeScript form. All three functions throw `RPC_SCHEMA` with
 * the path of a value that does not fit.
 */
export interface Schema<T> extends Converter<T> {
  readonly shape: Shape
  /** Parses JSON that a node wrote. It is strict, except that unknown members are ignored. */
  readonly parse: (json: unknown, path?: string) => T
  /**
   * Parses an argument. Missing and null arguments give the zero value, numbers may be quoted or bare, and
   * member names match in any case.
   */
  readonly accept: (json: unknown, path?: string) => T
  /** Returns the JSON form of a value, with members in the declared order. */
  readonly format: (value: T, path?: string) => Json.Json
}

/** The schema of a member that may be missing. */
export interface OptionalSchema<T> extends Schema<T | undefined> {
  readonly optional: true
}

/** A schema of any value, for type constraints. */
export interface AnySchema extends AnyConverter {
  readonly shape: Shape
  readonly accept: (json: unknown, path?: string) => unknown
}

/** The TypeScript type of the value of a schema or another converter. */
export type Infer<S extends AnyConverter> = ReturnType<S['parse']>

/** A JSON number as it was written, so that `1.0` and `1e0` can be distinguished from `1`. */
export class NumberToken {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Returns the error for a value that does not fit the schema.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * Schema.mismatch('a string', 5, '$.name').message // 'expected a string at $.name, got 5'
 * ```
 */
export function mismatch(expected: string, got: unknown, path: string): RpcError {
  return new RpcError('RPC_SCHEMA', `expected ${expected} at ${path}, got ${describe(got)}`, {
    details: { path },
  })
}

const SHOWN = 80

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of length ${value.length}`
  if (value instanceof NumberToken) return truncate(value.text, SHOWN)
  return typeof value === 'object' ? 'an object' : excerpt(value, SHOWN)
}

/**
 * Creates a schema from functions that parse and format a value. Arguments are parsed like responses, except
 * that null and missing arguments give `zero`.
 * @example
 * ```ts
 * import { Schema } from '@firn/rpc'
 *
 * const onOff = Schema.define<boolean>({
 *   shape: { kind: 'oneOf', words: ['on', 'off'] },
 *   parse: (json, path) => {
 *     if (json !== 'on' && json !== 'off') throw Schema.mismatch("'on' or 'off'", json, path)
 *     return json === 'on'
 *   },
 *   format: (value) => (value ? 'on' : 'off'),
 *   zero: () => false,
 * })
 * ```
 */
export function define<T>(spec: {
  readonly shape: Shape
  readonly parse: (json: unknown, path: string) => T
  readonly format: (value: T, path: string) => Json.Json
  readonly zero: () => T
  readonly accept?: (json: unknown, path: string) => T
}): Schema<T> {
  const accept = spec.accept ?? spec.parse
  return {
    shape: spec.shape,
    parse: (json, path = '$') => spec.parse(json, path),
    format: (value, path = '$') => spec.format(value, path),
    accept: (json, path = '$') => (json === null || json === undefined ? spec.zero() : accept(json, path)),
  }
}
