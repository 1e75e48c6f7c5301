import { excerpt, isJsonObject } from '@firn/codec'
import * as Parameter from '../../http/endpoint/Parameter.ts'

/** A JSON object that a caller sent. `path` is its name in errors, empty for the body itself. */
export interface Members {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * Returns the body of a request as an object.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function membersOf(body: unknown): Members {
  return { path: '', values: asObject(body, 'body') }
}

/**
 * Returns a member that is an object, or undefined if it is absent.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function inner(members: Members, name: string): Members | undefined {
  const value = memberOf(members, name)
  const path = pathOf(members, name)
  return value === undefined ? undefined : { path, values: asObject(value, path) }
}

/**
 * Returns a member that must be there.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function required<T>(members: Members, name: string, value: T | undefined, expected: string): T {
  if (value === undefined) throw Parameter.refused(pathOf(members, name), expected, 'nothing')
  return value
}

/**
 * Returns a member that is a text of at most `most` characters, or undefined if it is absent.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function text(members: Members, name: string, most: number): string | undefined {
  const value = memberOf(members, name)
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw Parameter.refused(pathOf(members, name), 'a string', kindOf(value))
  // U+0000 cannot be stored, and lone surrogates cannot be sent.
  if (value.length <= most && !value.includes('\0') && value.isWellFormed()) return value
  const expected = `at most ${most} characters of valid Unicode without U+0000`
  throw Parameter.refused(pathOf(members, name), expected, `${value.length} characters`)
}

/**
 * Returns a member that is true or false, or undefined if it is absent.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function flag(members: Members, name: string): boolean | undefined {
  const value = memberOf(members, name)
  if (value === undefined || typeof value === 'boolean') return value
  throw Parameter.refused(pathOf(members, name), 'true or false', kindOf(value))
}

/**
 * Returns a member that is a time in Unix seconds, or undefined if it is absent.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function seconds(members: Members, name: string): number | undefined {
  const value = memberOf(members, name)
  if (value === undefined) return undefined
  const time = Number(value)
  const isTime =
    (typeof value === 'number' || typeof value === 'bigint') && Number.isSafeInteger(time) && time >= 0
  if (isTime && time < 253_402_300_800) return time
  throw Parameter.refused(pathOf(members, name), 'a Unix timestamp in seconds', kindOf(value))
}

/**
 * Returns a member that is an integer from `least` to `most`, or undefined if it is absent.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function integer(members: Members, name: string, least: number, most: number): number | undefined {
  const value = memberOf(members, name)
  if (value === undefined) return undefined
  const number = Number(value)
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && Number.isInteger(number) && number >= least && number <= most) return number
  throw Parameter.refused(pathOf(members, name), `an integer from ${least} to ${most}`, kindOf(value))
}

/**
 * Returns a member that is one of the given words, or undefined if it is absent.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function choice<const T extends string>(
  members: Members,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = memberOf(members, name)
  if (value === undefined) return undefined
  const word = words.find((one) => one === value)
  if (word !== undefined) return word
  throw Parameter.refused(pathOf(members, name), `one of ${words.join(', ')}`, kindOf(value))
}

/**
 * Returns a member that is a list of texts, each parsed by `parse`, or undefined if it is absent. Duplicates are
 * removed.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function list<T>(
  members: Members,
  name: string,
  { expected, most, parse }: ListRules<T>,
): readonly T[] | undefined {
  const value = memberOf(members, name)
  if (value === undefined) return undefined
  const path = pathOf(members, name)
  if (!Array.isArray(value)) throw Parameter.refused(path, `a list of ${expected}`, kindOf(value))
  if (value.length > most) throw Parameter.refused(path, `at most ${most} ${expected}`, `${value.length}`)
  const parsed = value.map((one) => {
    const item = typeof one === 'string' ? parse(one) : undefined
    if (item === undefined) throw Parameter.refused(path, `a list of ${expected}`, kindOf(one))
    return item
  })
  return [...new Map(parsed.map((one) => [String(one), one])).values()]
}

/** The rules of a {@link list}. */
export interface ListRules<T> {
  /** The items in words, in the plural. */
  readonly expected: string
  readonly most: number
  /** Returns the item that a text stands for, or undefined if there is none. */
  readonly parse: (text: string) => T | undefined
}

/** Returns the name of a member in errors. */
export function pathOf({ path }: Members, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function memberOf({ values }: Members, name: string): unknown {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return value === null ? undefined : value
}

function asObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value as Readonly<Record<string, unknown>>
  throw Parameter.refused(path, 'a JSON object', kindOf(value))
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return excerpt(value)
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}
