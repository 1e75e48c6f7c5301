import { type TSchema, Type } from 'typebox'
import { DataApiError } from '../DataApiError.ts'

/** One parameter of an endpoint: its documentation, and how its text is parsed. */
export interface Parameter<T> {
  /** Schema for the OpenAPI document. */
  readonly schema: TSchema
  /** If true, repeated keys and commas make a list. */
  readonly isList: boolean
  /** Whether an absent one is rejected if there is no fallback. */
  readonly isRequired: boolean
  /** The value of an absent one. */
  readonly fallback?: T
  /** Returns the value of a text, or undefined if it is invalid. The texts of a list are passed together. */
  readonly parse: (texts: readonly string[]) => T | undefined
  /** Runs before `parse` with the same texts, for lookups. */
  readonly prepare?: (texts: readonly string[]) => Promise<void>
  /** The allowed values, in words that follow "expected". */
  readonly expected: string
}

/** Parameters by name; a required one has no `undefined` in its type. */
export type Specification = Readonly<Record<string, Parameter<unknown>>>

/** The values of a specification. */
export type Values<S extends Specification> = {
  readonly [Name in keyof S]: S[Name] extends Parameter<infer T> ? T : never
}

/** Longer texts are not repeated in an error. */
const EXCERPT = 80

/** Maximum length of any parameter in characters. */
const LONGEST = 8_192

type Raw = Readonly<Record<string, string | readonly string[] | undefined>>

/** Looks up what parsing the parameters depends on. */
export async function prepare(specification: Specification, raw: Raw): Promise<void> {
  for (const [name, parameter] of Object.entries(specification)) {
    const texts = textsOf(raw[name])
    if (texts.length > 0) await parameter.prepare?.(texts)
  }
}

function textsOf(given: Raw[string]): readonly string[] {
  return given === undefined ? [] : typeof given === 'string' ? [given] : given
}

/**
 * Parses parameters. Names outside the specification are ignored, except those that resemble the name of an
 * absent one: `pagesize` would be ignored silently.
 * @throws DataApiError `DATA_PARAMETER`: the parameter, what was expected and what was received
 */
export function read<const S extends Specification>(specification: S, raw: Raw): Values<S> {
  refuseMisspelled(specification, raw)
  const values = Object.entries(specification).map(([name, parameter]) => [
    name,
    readOne(name, parameter, raw[name]),
  ])
  return Object.fromEntries(values) as Values<S>
}

function readOne(name: string, parameter: Parameter<unknown>, given: Raw[string]): unknown {
  const texts = textsOf(given)
  if (texts.length > 1 && !parameter.isList) {
    throw refused(name, 'one value', `${texts.length} of them`)
  }
  if (texts.length === 0) {
    if (parameter.isRequired && parameter.fallback === undefined) {
      throw refused(name, parameter.expected, 'nothing')
    }
    return parameter.fallback
  }
  for (const text of texts) {
    if (text.length > LONGEST) {
      throw refused(name, `at most ${LONGEST} characters`, `${text.length} of them`)
    }
  }
  const value = parameter.parse(parameter.isList ? texts.flatMap((text) => text.split(',')) : texts)
  if (value === undefined) throw refused(name, parameter.expected, excerpt(texts.join(',')))
  return value
}

/** Returns the parameter as an optional one. */
export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined> {
  return { ...parameter, isRequired: false }
}

function refuseMisspelled(specification: Specification, raw: Raw): void {
  for (const given of Object.keys(raw)) {
    if (Object.hasOwn(specification, given)) continue
    const meant = Object.keys(specification).find((name) => !(name in raw) && plain(name) === plain(given))
    if (meant !== undefined) throw refused(excerpt(given), `the name ${meant}`, 'another spelling')
  }
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '')
}

/** Returns the error for an invalid parameter. */
export function refused(name: string, expected: string, actual: string): DataApiError {
  return new DataApiError('DATA_PARAMETER', `${name}: expected ${expected}, got ${actual}`, {
    details: { parameter: name, expected, actual },
  })
}

/** Returns a text for an error: quoted, on one line, and bounded in length. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text)
}

/** Returns a parameter whose text is read by `parse`, which returns undefined for an invalid one. */
export function text<T>(
  expected: string,
  parse: (text: string) => T | undefined,
  options: Readonly<Record<string, unknown>> = {},
): Parameter<T> {
  const schema = Type.String({ description: expected, ...options })
  return { schema, isList: false, isRequired: true, expected, parse: ([only = '']) => parse(only) }
}

/** Returns a parameter with a fixed set of words. */
export function choice<const T extends string>(words: readonly T[], fallback?: T): Parameter<T> {
  return {
    schema: Type.Enum([...words], fallback === undefined ? {} : { default: fallback }),
    isList: false,
    isRequired: true,
    expected: `one of ${words.join(', ')}`,
    parse: ([only]) => words.find((word) => word === only),
    ...(fallback === undefined ? {} : { fallback }),
  }
}

/** Returns a parameter with a fixed set of words that map to values. */
export function named<T>(values: ReadonlyMap<string, T>): Parameter<T> {
  const words = [...values.keys()]
  return { ...choice(words), parse: ([only = '']) => values.get(only) } as Parameter<T>
}

/** Returns a parameter with any of a fixed set of words, each counted once. */
export function choices<const T extends string>(words: readonly T[]): Parameter<readonly T[]> {
  return {
    schema: Type.Array(Type.Enum([...words])),
    isList: true,
    isRequired: true,
    expected: `some of ${words.join(', ')}`,
    parse: (texts) => {
      const given = texts.map((text) => words.find((word) => word === text.trim()))
      return given.includes(undefined) ? undefined : [...new Set(given as T[])]
    },
  }
}

/** Returns a whole number within bounds. */
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

/** `true` or `false`. */
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

/** Unix seconds, up to the year 9999. */
export const timestamp: Parameter<bigint> = {
  schema: Type.Integer({ minimum: 0, description: 'Unix seconds' }),
  isList: false,
  isRequired: true,
  expected: 'Unix seconds',
  parse: ([only = '']) => {
    const value = /^[0-9]{1,12}$/.test(only) ? BigInt(only) : -1n
    return value >= 0n && value <= 253_402_300_799n ? value : undefined
  },
}

/**
 * Returns a list separated by commas and optional spaces, each item read by `parse`; at most `maximum` items.
 */
export function list<T>(
  expected: string,
  maximum: number,
  parse: (text: string) => T | undefined,
): Parameter<readonly T[]> {
  return {
    schema: Type.String({ description: `${expected}, separated by commas; at most ${maximum}` }),
    isList: true,
    isRequired: true,
    expected: `${expected}, separated by commas, at most ${maximum}`,
    parse: (texts) => {
      if (texts.length > maximum) return undefined
      const values = texts.map((one) => parse(one.trim()))
      return values.includes(undefined) ? undefined : (values as T[])
    },
  }
}
