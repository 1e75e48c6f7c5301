import { Hex, isFirnError } from '@firn/codec'
import { ConformanceError } from './ConformanceError.ts'
import { firstDifference, plain } from './internal/plain.ts'
import { describe } from './Outcome.ts'

/** A case as its file holds it. */
export type RawCase = Readonly<Record<string, unknown>>

/**
 * A case whose fields are counted as they are read, so that a field which no check looks at is found out
 * ({@link unread}).
 */
export interface Case {
  readonly name: string
  /** Path before the fields' names in differences, for records inside cases. */
  readonly path: string
  readonly raw: RawCase
  readonly seen: Set<string>
}

/** What stands in for a value when a case may refuse. */
export type Accepted<T> = { readonly value: T } | undefined

/** The case of a raw record. */
export function create(raw: RawCase, path = ''): Case {
  return { name: String(raw['name'] ?? ''), path, raw, seen: new Set() }
}

/** Names of fields that nothing has read or compared. */
export function unread(it: Case): string[] {
  return Object.keys(it.raw).filter((field) => !it.seen.has(field))
}

/** Counts a field as read without looking at it: only for fields whose reason stands beside the call. */
export function ignore(it: Case, ...fields: readonly string[]): void {
  for (const field of fields) it.seen.add(field)
}

/** True when the case has the field. Not yet a check of it. */
export function has(it: Case, field: string): boolean {
  return Object.hasOwn(it.raw, field)
}

/** The field as it stands in the file. */
export function given(it: Case, field: string): unknown {
  it.seen.add(field)
  return it.raw[field]
}

function malformed(it: Case, field: string, expected: string): ConformanceError {
  const message = `case field ${it.path}${field}: expected ${expected}, got ${JSON.stringify(it.raw[field])}`
  return new ConformanceError('CONFORMANCE_CASE', message)
}

/** A text field. */
export function text(it: Case, field: string): string {
  const value = given(it, field)
  if (typeof value !== 'string') throw malformed(it, field, 'a text')
  return value
}

/** A field of bytes: `0x` and lower-case hex. */
export function bytes(it: Case, field: string): Uint8Array {
  return Hex.decode(text(it, field))
}

/** A number field of up to 32 bits. */
export function number(it: Case, field: string): number {
  const value = given(it, field)
  if (typeof value !== 'number') throw malformed(it, field, 'a number')
  return value
}

/** A 64-bit (or larger) number, which the vectors write as decimal text. */
export function bigint(it: Case, field: string): bigint {
  const value = text(it, field)
  if (!/^-?[0-9]+$/.test(value)) throw malformed(it, field, 'a decimal text')
  return BigInt(value)
}

/** A boolean field. */
export function flag(it: Case, field: string): boolean {
  const value = given(it, field)
  if (typeof value !== 'boolean') throw malformed(it, field, 'true or false')
  return value
}

/** A list field. */
export function list(it: Case, field: string): readonly unknown[] {
  const value = given(it, field)
  if (!Array.isArray(value)) throw malformed(it, field, 'a list')
  return value
}

/** A list of records, each with its own count of read fields; {@link close} them when done. */
export function records(it: Case, field: string): Case[] {
  return list(it, field).map((raw, index) => create(raw as RawCase, `${it.path}${field}[${index}].`))
}

/** A record field with its own count of read fields; {@link close} it when done. */
export function record(it: Case, field: string): Case {
  const value = given(it, field)
  if (typeof value !== 'object' || value === null) throw malformed(it, field, 'a record')
  return create(value as RawCase, `${it.path}${field}.`)
}

/** Fails when a field has not been read. @throws ConformanceError `CONFORMANCE_DIFFERENCE` */
export function close(it: Case): void {
  const [field] = unread(it)
  if (field !== undefined) throw difference(`${it.path}${field}`, 'a check of this field', 'none')
}

function difference(where: string, expected: unknown, actual: unknown): ConformanceError {
  return new ConformanceError('CONFORMANCE_DIFFERENCE', `expected another ${where}`, {
    details: { where, expected, actual },
  })
}

/**
 * Compares two values in the conventions of the vectors (see `plain`).
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE`
 */
export function same(where: string, expected: unknown, actual: unknown): void {
  const found = firstDifference(plain(expected), plain(actual))
  if (found !== undefined) throw difference(`${where}${found.path}`, found.expected, found.actual)
}

/**
 * Compares a field with what the code gave for it.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE`
 */
export function equals(it: Case, field: string, actual: unknown): void {
  if (!has(it, field)) throw malformed(it, field, 'to be there')
  same(`${it.path}${field}`, given(it, field), actual)
}

/** What `run` gives, or the typed error it refuses with; a bare error is a difference. */
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
 * Runs what must succeed or refuse as the flag `field` (by default `ok`) says: the value when both accept, undefined
 * when both refuse.
 * @throws ConformanceError `CONFORMANCE_DIFFERENCE` when the verdicts differ or the refusal is a bare error
 */
export function verdict<T>(it: Case, run: () => T, field = 'ok'): Accepted<T> {
  const outcome = attempt(run)
  const ok = flag(it, field)
  if (ok !== (outcome !== undefined)) throw difference(`${it.path}${field}`, ok, outcome !== undefined)
  return outcome
}
