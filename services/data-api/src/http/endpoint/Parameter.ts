import { excerpt } from '@firn/codec'
import { type TSchema, Type } from 'typebox'
import { DataApiError } from './DataApiError.ts'
import type { ParameterText } from './ParameterTexts.ts'

/** A parameter of an endpoint, with its documentation and parser. */
export interface Parameter<T> {
  /** JSON schema for the OpenAPI document. It is the same for every network. */
  readonly schema: TSchema
  /** Description and example for the OpenAPI document, instead of the ones for the parameter's name. */
  readonly text?: Partial<ParameterText>
  /** Whether the parameter is a list, which accepts repeated keys and commas. */
  readonly isList: boolean
  /** Whether a request without the parameter is rejected if the parameter has no fallback. */
  readonly isRequired: boolean
  /** Value used if the parameter is absent. */
  readonly fallback?: T
  /**
   * Parses the values of the parameter. Only lists can have several values. Returns undefined if any value is
   * invalid.
   */
  readonly parse: (texts: readonly string[]) => T | undefined
  /** Runs the asynchronous lookups that `parse` needs. `texts` are the values as received. */
  readonly prepare?: (texts: readonly string[]) => Promise<void>
  /** Description of the allowed values. Error messages contain it after the word "expected". */
  readonly expected: string
}

/**
 * Parameters by name, described in `ParameterTexts.ts`. The value type of a required parameter excludes undefined.
 */
export type Specification = Readonly<Record<string, Parameter<unknown>>>

/** Parsed values of the parameters in a specification. */
export type Values<S extends Specification> = {
  readonly [Name in keyof S]: S[Name] extends Parameter<infer T> ? T : never
}

/** Maximum length of each received value, in characters. */
const LONGEST = 8_192

type Raw = Readonly<Record<string, string | readonly string[] | undefined>>

/** Runs the asynchronous lookups that the parsers of the given parameters need. */
export async function prepare(specification: Specification, raw: Raw): Promise<void> {
  for (const [name, { prepare }] of Object.entries(specification)) {
    const texts = textsOf(raw[name])
    if (texts.length > 0) await prepare?.(texts)
  }
}

function textsOf(given: Raw[string]): readonly string[] {
  return given === undefined ? [] : typeof given === 'string' ? [given] : given
}

/**
 * Parses the parameters of a request. Unknown names are ignored. A name such as `pagesize`, which resembles
 * an absent parameter, is rejected, because the caller would not notice the mistake.
 * @throws DataApiError `DATA_PARAMETER` with the parameter's name, the expected value and the received value
 */
export function read<const S extends Specification>(specification: S, raw: Raw): Values<S> {
  refuseMisspelled(specification, raw)
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(specification)) {
    values[name] = readOne(name, parameter, raw[name])
  }
  return values as Values<S>
}

function readOne(name: string, parameter: Parameter<unknown>, given: Raw[string]): unknown {
  const texts = textsOf(given)
  if (texts.length > 1 && !parameter.isList) {
    throw refused(name, 'one value', `${texts.length} values`)
  }
  if (texts.length === 0) {
    if (parameter.isRequired && parameter.fallback === undefined) {
      throw refused(name, parameter.expected, 'nothing')
    }
    return parameter.fallback
  }
  for (const text of texts) {
    if (text.length > LONGEST) {
      throw refused(name, `at most ${LONGEST} characters`, `${text.length} characters`)
    }
  }
  const value = parameter.parse(parameter.isList ? texts.flatMap((text) => text.split(',')) : texts)
  if (value === undefined) throw refused(name, parameter.expected, excerpt(texts.join(',')))
  return value
}

/** Returns a parameter with its own description or example in the OpenAPI document. */
export function described<T>(parameter: Parameter<T>, text: Partial<ParameterText>): Parameter<T> {
  return { ...parameter, text: { ...parameter.text, ...text } }
}

/** Returns an optional version of a parameter. */
export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined> {
  return { ...parameter, isRequired: false }
}

function refuseMisspelled(specification: Specification, raw: Raw): void {
  const absent = Object.keys(specification).filter((name) => !(name in raw))
  const byPlainName = new Map(absent.map((name) => [plain(name), name]))
  for (const given of Object.keys(raw)) {
    if (Object.hasOwn(specification, given)) continue
    const meant = byPlainName.get(plain(given))
    if (meant !== undefined)
      throw refused(excerpt(given), `the parameter name "${meant}"`, 'a different spelling')
  }
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '')
}

/** Creates the error for an invalid parameter. */
export function refused(name: string, expected: string, actual: string): DataApiError {
  return new DataApiError('DATA_PARAMETER', `${name}: expected ${expected}, got ${actual}`, {
    details: { parameter: name, expected, actual },
  })
}

/** Returns a parameter with the given parser. `parse` returns undefined for an invalid text. */
export function text<T>(
  expected: string,
  parse: (text: string) => T | undefined,
  options: Readonly<Record<string, unknown>> = {},
): Parameter<T> {
  return {
    schema: Type.String(options),
    isList: false,
    isRequired: true,
    expected,
    parse: ([only = '']) => parse(only),
  }
}

/** Returns a parameter that accepts one of the given words. */
export function choice<const T extends string>(words: readonly T[], fallback?: T): Parameter<T> {
  return {
    schema: Type.Enum([...words], {
      type: 'string',
      ...(fallback === undefined ? {} : { default: fallback }),
    }),
    text: { example: fallback ?? words[0] ?? '' },
    isList: false,
    isRequired: true,
    expected: `one of ${words.join(', ')}`,
    parse: ([only]) => words.find((word) => word === only),
    ...(fallback === undefined ? {} : { fallback }),
  }
}

/**
 * Returns a parameter that accepts one of the given names and maps it to its value. The names depend on the network, so
 * the OpenAPI document does not list them.
 */
export function named<T>(values: ReadonlyMap<string, T>): Parameter<T> {
  const words = [...values.keys()]
  return text(`one of ${words.join(', ')}`, (only) => values.get(only))
}

/** Returns a parameter that accepts a list of the given words. Duplicates are removed. */
export function choices<const T extends string>(words: readonly T[]): Parameter<readonly T[]> {
  return {
    schema: Type.Array(Type.Enum([...words], { type: 'string' })),
    text: { example: words.slice(0, 1) },
    isList: true,
    isRequired: true,
    expected: `one or more of ${words.join(', ')}`,
    parse: (texts) => {
      const given = texts.map((text) => words.find((word) => word === text.trim()))
      return given.includes(undefined) ? undefined : [...new Set(given as T[])]
    },
  }
}

/** Returns a parameter for a whole number within the given limits. */
export function integer(minimum: number, maximum: number, fallback?: number): Parameter<number> {
  const bounds = fallback === undefined ? { minimum, maximum } : { minimum, maximum, default: fallback }
  return {
    schema: Type.Integer(bounds),
    isList: false,
    isRequired: true,
    expected: `a whole number from ${minimum} to ${maximum}`,
    parse: ([only = '']) => {
      const value = /^[0-9]{1,16}$/.test(only) ? Number(only) : -1
      return value >= minimum && value <= maximum ? value : undefined
    },
    ...(fallback === undefined ? {} : { fallback }),
  }
}

/** Returns a parameter that accepts `true` or `false`. */
export function flag(fallback: boolean): Parameter<boolean> {
  return {
    schema: Type.Boolean({ default: fallback }),
    isList: false,
    isRequired: true,
    expected: 'true or false',
    fallback,
    parse: ([only]) => (only === 'true' ? true : only === 'false' ? false : undefined),
  }
}

/** Parameter for a Unix timestamp in seconds, up to the end of the year 9999. */
export const timestamp: Parameter<bigint> = {
  schema: Type.Integer({ minimum: 0 }),
  isList: false,
  isRequired: true,
  expected: 'a Unix timestamp in seconds',
  parse: ([only = '']) => {
    const value = /^[0-9]{1,12}$/.test(only) ? BigInt(only) : -1n
    return value >= 0n && value <= 253_402_300_799n ? value : undefined
  },
}

/**
 * Returns a parameter for a comma-separated list of at most `maximum` items. `parse` parses each item; spaces
 * around an item are ignored.
 */
export function list<T>(
  expected: string,
  maximum: number,
  parse: (text: string) => T | undefined,
): Parameter<readonly T[]> {
  return {
    schema: Type.Array(Type.String(), { minItems: 1, maxItems: maximum }),
    isList: true,
    isRequired: true,
    expected: `at most ${maximum} ${expected}, separated by commas`,
    parse: (texts) => {
      if (texts.length > maximum) return undefined
      const values = texts.map((one) => parse(one.trim()))
      return values.includes(undefined) ? undefined : (values as T[])
    },
  }
}
