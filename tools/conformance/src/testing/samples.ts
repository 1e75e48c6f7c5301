import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Json } from '@firn/codec'
import type { RawCase } from '../Case.ts'

type Path = readonly (string | number)[]

/** Reads one of this package's sample files. Returns the contents by the names of the original files. */
export function readSamples<Content>(
  file: 'suites' | 'recordings' | 'chains' | 'replay',
): Readonly<Record<string, Content>> {
  const bytes = gunzipSync(readFileSync(new URL(`../../vectors/${file}.json.gz`, import.meta.url)))
  return Json.parse(bytes.toString('utf8')) as unknown as Readonly<Record<string, Content>>
}

/** Returns the paths of all strings, numbers and booleans in a value, and of its empty arrays and records. */
export function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([name, member]) =>
    leaves(member, [...path, Array.isArray(value) ? Number(name) : name]),
  )
  return inner.length === 0 ? [path] : inner
}

function next(character: string): string {
  if (/[0-9]/.test(character)) return String((Number(character) + 1) % 10)
  if (/[A-Z]/.test(character)) return character === 'A' ? 'B' : 'A'
  return character === 'a' ? 'b' : 'a'
}

/** Returns a value with its last digit or letter changed. */
function changed(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  if (typeof value !== 'string') return 'x'
  if (value === '0x') return '0x00'
  const last = value.search(/[0-9a-z](?=[^0-9a-z]*$)/i)
  return last === -1 ? `${value}x` : value.slice(0, last) + next(value.charAt(last)) + value.slice(last + 1)
}

/** Returns `value` with a small change at `path`. */
export function change(value: unknown, path: Path): unknown {
  const [head, ...rest] = path
  if (head === undefined) return changed(value)
  if (Array.isArray(value)) return value.with(Number(head), change(value[Number(head)], rest))
  const record = value as RawCase
  return { ...record, [head]: change(record[head], rest) }
}
