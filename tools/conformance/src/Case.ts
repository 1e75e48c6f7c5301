import { Hex, isFirnError } from '@firn/codec'
import { ConformanceError } from './ConformanceError.ts'
import { firstDifference, plain } from './internal/plain.ts'
import { describe } from './Outcome.ts'

/** A case as it is stored in its file. */
export type RawCase = Readonly<Record<string, unknown>>

/**
 * A case that records which of its fields are read, so that {@link unread} can list fields that no check
 * uses.
 */
export interface Case {
  readonly name: string
  /** Prefix of field names in differences, for records inside cases. */
  readonly path: string
  readonly raw: RawCase
  readonly seen: Set<string>
}

/** The value of an accepted case; undefined for a rejected one. */
export type Accepted<T> = { readonly value: T } | undefined

/** Creates the case of a raw record. */
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

/** Returns whether the case has the field; does not count as a check of it. */
export function has(it: Case, field: string): boolean {
  return Object.hasOwn(it.raw, field)
}

/** Returns the raw value of a field. */
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
  if (typeof value !== 'string') throw malformed(it, field, 'a text')
  return value
}

/** Returns a field of bytes: `0x` and lower-case hex. */
export function bytes(it: Case, field: string): Uint8Array {
  return Hex.decode(text(it, field))
}

/** Returns a number field of up to 32 bits. */
export function number(it: Case, field: string): number {
  const value = given(it, field)
  if (typeof value !== 'number') throw malformed(it, field, 'a number')
  return value
}

/** Returns a 64-bit (or larger) number, which the vectors write as a decimal string. */
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
  if (!Array.isArray(value)) throw malformed(it, field, 'a list')
  return value
}

/**
 * Returns an array of records, each of which tracks its own read fields; call {@link close} on them when
 * done.
 */
export function records(it: Case, field: string): Case[] {
  return list(it, field).map((raw, index) => create(raw as RawCase, `${it.path}${field}[${index}].`))
}

/** Returns a record field that tracks its own read fields; call {@link close} on it when done. */
export function record(it: Case, field: string): Case {
  const value = given(it, field)
  if (typeof value !== 'object' || value === null) throw malformed(it, field, 'a record')
  return create(value as RawCase, `${it.path}${field}.`)
}

/** Fails if a field has not been read. @throws ConformanceError `CONFORMANCE_DIFFERENCE` */
export function close(it: Case): void {
  const [field] = unread(it)
  if (field !== undefined) throw difference(`${it.path}${field}`, 'a check of this field', 'none')
}

function difference(where: string, expected: unknown, actual: unknown): ConformanceError {
  return new ConformanceError('CONFORMANCE_DIFFERENCE', `${where} differs`, {
    details: { where, expected, actual },
  })
}

/**
 * Compares two values in the notation of the vectors (see `plain`).
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE`
 */
export function same(where: string, expected: unknown, actual: unknown): void {
  const found = firstDifference(plain(expected), plain(actual))
  if (found !== undefined) throw difference(`${where}${found.path}`, found.expected, found.actual)
}

/**
 * Compares a field with the value that the code returned for it.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE`
 */
export function equals(it: Case, field: string, actual: unknown): void {
  if (!has(it, field)) throw malformed(it, field, 'to be there')
  same(`${it.path}${field}`, given(it, field), actual)
}

/** Returns the result of `run`, or undefined if it throws a typed error; any other error is a difference. */
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
 * Runs code that must succeed or throw a typed error as the flag `field` (default `ok`) says. Returns the
 * value if both accept, undefined if both reject.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE` if the verdicts differ or the error is not a typed one
 */
export function verdict<T>(it: Case, run: () => T, field = 'ok'): Accepted<T> {
  const outcome = attempt(run)
  const ok = flag(it, field)
  if (ok !== (outcome !== undefined)) throw difference(`${it.path}${field}`, ok, outcome !== undefined)
  return outcome
}
