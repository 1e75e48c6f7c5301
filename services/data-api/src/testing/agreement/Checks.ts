import type { Json } from '@firn/codec'
import { STEP } from '@firn/sql/testing'
import { differences } from '../differences.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
export type Body = any

/** Returns the response to a GET request of the Data API. */
export type Get = (path: string) => Promise<{ readonly status: number; readonly json: Body }>

/** Reads answers of a service, each once. */
export interface Reader {
  /** Returns an answer, or undefined unless its status is 200. */
  one(path: string): Promise<Body>
  /** Returns a member of all pages of a list, or an empty list unless the status is 200. */
  all(path: string, member: string): Promise<readonly Body[]>
  /** The answers that were read, by path. */
  readonly seen: ReadonlyMap<string, Body>
}

/** Reports the members that two answers have and whose values differ. `what` names the compared thing. */
export interface Same {
  (what: unknown, one: Body, other: Body): void
  /** Compares what changes with new blocks, such as lists and totals; not for a chain that grows meanwhile. */
  readonly whole: (what: unknown, one: Body, other: Body) => void
}

/** Compares the answers of one operation with the answers of other operations. */
export type Check<Subject> = (subject: Subject, same: Same) => Promise<void>

/** Comparisons by the operation whose answers are compared. */
export type Checks<Subject> = Readonly<Record<string, Check<Subject>>>

/** What was compared. */
export interface Comparison {
  /** Descriptions of the differences. */
  readonly faults: readonly string[]
  /** Number of comparisons by operation. */
  readonly counts: Readonly<Record<string, number>>
}

const PAGE = 100

/** Returns a reader that stops reading a list after `most` elements, by default never. For tests only. */
export function createReader(get: Get, most = Number.POSITIVE_INFINITY): Reader {
  const answers = new Map<string, Promise<Body>>()
  const lists = new Map<string, Promise<readonly Body[]>>()
  const seen = new Map<string, Body>()
  const ask = async (path: string) => {
    const { status, json } = await get(path)
    if (status !== 200) return undefined
    seen.set(path, json)
    return json
  }
  const walk = async (path: string, member: string) => {
    const found: Body[] = []
    const first = `${path}${path.includes('?') ? '&' : '?'}pageSize=${PAGE}`
    for (let token = ''; ; ) {
      const json = await ask(token === '' ? first : `${first}&pageToken=${token}`)
      if (json === undefined) return found
      found.push(...json[member])
      token = json.nextPageToken ?? ''
      if (token === '' || found.length >= most) return found.slice(0, most)
    }
  }
  return {
    one: (path) => known(answers, path, () => ask(path)),
    all: (path, member) => known(lists, path, () => walk(path, member)),
    seen,
  }
}

/**
 * Runs checks one after the other. For tests only.
 * @param isGrowing whether blocks are added meanwhile
 */
export async function runChecks<Subject>(
  checks: Checks<Subject>,
  subject: Subject,
  isGrowing = false,
): Promise<Comparison> {
  const faults = new Set<string>()
  const counts: Record<string, number> = {}
  for (const [operation, check] of Object.entries(checks)) {
    const compare = (what: unknown, one: Body, other: Body) => {
      counts[operation] = (counts[operation] ?? 0) + 1
      const found =
        other === undefined ? [': no other answer'] : differences(one as Json.Json, other as Json.Json)
      for (const fault of found) faults.add(`${operation} ${what}${fault}`)
    }
    const whole = isGrowing ? () => undefined : compare
    await check(subject, Object.assign(compare.bind(undefined), { whole }))
  }
  return { faults: [...faults], counts }
}

/** Returns the value that `make` returned for a key before, or a new one. */
export function known<K, V>(kept: Map<K, V>, key: K, make: () => V): V {
  const value = kept.get(key) ?? make()
  kept.set(key, value)
  return value
}

/** Returns the given members of an object. */
export function pick(body: Body, ...names: readonly string[]): Body {
  return Object.fromEntries(names.map((name) => [name, body?.[name]]))
}

/** Returns the sum of a member's values, as decimal text. */
export function total(bodies: readonly Body[], measure: (body: Body) => string | number | undefined): string {
  return String(bodies.reduce((sum, body) => sum + BigInt(measure(body) ?? 0), 0n))
}

/**
 * Returns the share of the elements that tests look at, see `FIRN_ROUNDS`.
 * @param most number of elements of which all are returned
 */
export function sampled<T>(values: readonly T[], most = 1): readonly T[] {
  return values.length <= most ? values : values.filter((_, i) => i % STEP === 0)
}

/** Returns each element once, in the order of their first occurrence. */
export function unique<T>(values: Iterable<T>): T[] {
  return [...new Set(values)]
}

/** Returns the elements by a key. If several elements have a key, the last one is returned. */
export function byKey(bodies: readonly Body[], key: string): ReadonlyMap<string, Body> {
  return new Map(bodies.map((body) => [body[key], body]))
}

/** Returns the body with the fewest differences. */
export function closest(body: Body, among: readonly Body[]): Body {
  const count = (other: Body) => differences(body as Json.Json, other as Json.Json).length
  const ranked = among.map((other) => ({ other, count: count(other) }))
  return ranked.toSorted((a, b) => a.count - b.count)[0]?.other
}

/** Returns all objects that a body contains. */
export function objectsIn(body: Body): Body[] {
  if (Array.isArray(body)) return body.flatMap(objectsIn)
  if (typeof body !== 'object' || body === null) return []
  return [body, ...Object.values(body).flatMap(objectsIn)]
}
