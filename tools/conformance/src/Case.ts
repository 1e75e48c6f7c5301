import { Hex, isFirnError } from '@firn/codec'
import { ConformanceError } from './ConformanceError.ts'
import { firstDifference, plain } from './internal/plain.ts'
import { describe } from './Outcome.ts'

/** A case in the form in which its file stores it. */
export type RawCase = Readonly<Record<string, unknown>>

/**
 * A case that records which of its fields were read, so that {@link unread} can list the fields that no check
 * uses.
 */
export interface Case {
  readonly name: string
  /** Prefix of field names in reported differences; used for records inside cases. */
  readonly path: string
  readonly raw: RawCase
  readonly seen: Set<string>
}

/** Result of code that accepts or rejects a case: the value, or undefined after a rejection. */
export type Accepted<T> = { readonly value: T } | undefined

/** Creates a case from a raw record. */
export function create(raw: RawCase, path = ''): Case {
  return { name: String(raw['name'] ?? ''), path, raw, seen: new Set() }
}

/** Returns the names of fields that were neither read nor compared. */
export function unread(it: Case): string[] {
  return Object.keys(it.raw).filter((field) => !it.seen.has(field))
}

/** Marks fields as read without checking them. Each call needs a comment with the reason. */
export function ignore(it: Case, ...fields: readonly string[]): void {
  for (const field of fields) it.seen.add(field)
}

/** Returns whether the case has the field. This does not count as reading the field. */
export function has(it: Case, field: string): boolean {
  return Object.hasOwn(it.raw, field)
}

/** Returns the unparsed value of a field. */
export function given(it: Case, field: string): unknown {
  it.seen.add(field)
  return it.raw[field]
}

function malformed(it: Case, field: string, expected: string): ConformanceError {
  const message = `case field ${it.path}${field}: expected ${expected}, got ${JSON.stringify(it.raw[field])}`
  return new ConformanceError('CONFORMANCE_CASE', message)
}

/** Returns a string field. */
export function text(it: Case, field: string): string {
  const value = given(it, field)
  if (typeof value !== 'string') throw malformed(it, field, 'a string')
  return value
}

/** Returns a field of bytes, which the vectors write as `0x` and lowercase hexadecimal digits. */
export function bytes(it: Case, field: string): Uint8Array {
  return Hex.decode(text(it, field))
}

/** Returns a number field of up to 32 bits. */
export function number(it: Case, field: string): number {
  const value = given(it, field)
  if (typeof value !== 'number') throw malformed(it, field, 'a number')
  return value
}

/** Returns a number field of 64 bits or more, which the vectors write as a decimal string. */
export function bigint(it: Case, field: string): bigint {
  const value = text(it, field)
  if (!/^-?[0-9]+$/.test(value)) throw malformed(it, field, 'a decimal string')
  return BigInt(value)
}

/** Returns a boolean field. */
export function flag(it: Case, field: string): boolean {
  const value = given(it, field)
  if (typeof value !== 'boolean') throw malformed(it, field, 'true or false')
  return value
}

/** Returns an array field. */
export function list(it: Case, field: string): readonly unknown[] {
  const value = given(it, field)
  if (!Array.isArray(value)) throw malformed(it, field, 'an array')
  return value
}

/**
 * Returns an array of records. Each record tracks its own read fields; call {@link close} on each record when
 * it has been checked.
 */
export function records(it: Case, field: string): Case[] {
  return list(it, field).map((raw, index) => create(raw as RawCase, `${it.path}${field}[${index}].`))
}

/**
 * Returns a record field that tracks its own read fields. Call {@link close} on it when it has been checked.
 */
export function record(it: Case, field: string): Case {
  const value = given(it, field)
  if (typeof value !== 'object' || value === null) throw malformed(it, field, 'an object')
  return create(value as RawCase, `${it.path}${field}.`)
}

/**
 * Throws if a field has not been read.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE`
 */
export function close(it: Case): void {
  const [field] = unread(it)
  if (field !== undefined) throw difference(`${it.path}${field}`, 'a check that reads this field', 'none')
}

function difference(where: string, expected: unknown, actual: unknown): ConformanceError {
  return new ConformanceError('CONFORMANCE_DIFFERENCE', `${where} differs`, {
    details: { where, expected, actual },
  })
}

/**
 * Compares two values in the notation of the vectors (see `plain`). Throws if they differ.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE`
 */
export function same(where: string, expected: unknown, actual: unknown): void {
  const found = firstDifference(plain(expected), plain(actual))
  if (found !== undefined) throw difference(`${where}${found.path}`, found.expected, found.actual)
}

/**
 * Compares a field with the value that the code returned for it. Throws if they differ.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE`
 */
export function equals(it: Case, field: string, actual: unknown): void {
  if (!has(it, field)) throw malformed(it, field, 'a value')
  same(`${it.path}${field}`, given(it, field), actual)
}

/**
 * Returns the result of `run`, or undefined if it throws a typed error. Any other error is reported as a
 * difference.
 */
export function attempt<T>(run: () => T): Accepted<T> {
  try {
    return { value: run() }
  } catch (error) {
    if (isFirnError(error) && error.code !== 'CONFORMANCE_DIFFERENCE' && error.code !== 'CONFORMANCE_CASE')
      return undefined
    if (isFirnError(error)) throw error
    throw difference('refusal', 'a typed error', describe(error))
  }
}

/**
 * Runs code that must succeed if the flag `field` (default `ok`) is true, and throw a typed error otherwise.
 * Returns the value if the flag is true, and undefined otherwise.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE` if the code succeeds or fails contrary to the flag, or if the
 * error is not a typed error
 */
export function verdict<T>(it: Case, run: () => T, field = 'ok'): Accepted<T> {
  const outcome = attempt(run)
  const ok = flag(it, field)
  if (ok !== (outcome !== undefined)) throw difference(`${it.path}${field}`, ok, outcome !== undefined)
  return outcome
}
