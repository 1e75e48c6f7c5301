import { Network } from '@firn/codec'
import { LEVELS, type Level } from '@firn/node-api'

/** One setting: how it is read, what it is when nobody says, and what may be said. */
export interface Option<T> {
  readonly fallback: T
  /** What may be given, in words. */
  readonly expected: string
  readonly description: string
  /** Who knows it: nodes too, under the same name, or Firn only. */
  readonly owner: 'node' | 'firn'
  /** A flag that may stand without a value, which means true. */
  readonly isSwitch: boolean
  /** A flag that may be repeated. */
  readonly isList: boolean
  /** Returns the value in a text, as flags and environment variables give it; undefined: it has none. */
  readonly fromText: (text: string) => T | undefined
  /** Returns the value in JSON, as the configuration file gives it. */
  readonly fromJson: (json: unknown) => T | undefined
}

type Told<T> = Partial<Pick<Option<T>, 'owner' | 'isSwitch' | 'isList' | 'fromJson'>>

function option<T>(
  fallback: T,
  expected: string,
  description: string,
  fromText: Option<T>['fromText'],
  told: Told<T> = {},
): Option<T> {
  const fromJson = (json: unknown) => (typeof json === 'string' ? fromText(json) : undefined)
  return {
    owner: 'node',
    isSwitch: false,
    isList: false,
    fromJson,
    ...told,
    fallback,
    expected,
    description,
    fromText,
  }
}

/** The same option, that only Firn knows. */
export function own<T>(known: Option<T>): Option<T> {
  return { ...known, owner: 'firn' }
}

/** Any text. */
export function text(fallback: string, description: string): Option<string> {
  return option(fallback, 'a text', description, (given) => given)
}

/** true or false. */
export function flag(fallback: boolean, description: string): Option<boolean> {
  const read = (given: string) => (given === 'true' ? true : given === 'false' ? false : undefined)
  const fromJson = (json: unknown) => (typeof json === 'boolean' ? json : read(String(json)))
  return option(fallback, 'true or false', description, read, { isSwitch: true, fromJson })
}

/** A whole number within bounds. */
export function count(fallback: number, least: number, most: number, description: string): Option<number> {
  const read = (given: string) => {
    const value = /^[0-9]{1,16}$/.test(given) ? Number(given) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
  const fromJson = (json: unknown) =>
    typeof json === 'number' || typeof json === 'string' ? read(String(json)) : undefined
  return option(fallback, `a whole number from ${least} to ${most}`, description, read, { fromJson })
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])
const DURATION = /^(?:[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|ms|s|m|h))+$/
/** Timers hold no more than 2^31 ms. */
const LONGEST_MS = 24 * 3_600_000

/** A duration as Go writes it; in milliseconds here. */
export function duration(fallbackMs: number, description: string): Option<number> {
  const read = (given: string) => {
    if (given === '0') return 0
    if (!DURATION.test(given)) return undefined
    const parts = [...given.matchAll(/([0-9.]+)([a-zµ]+)/g)]
    const total = parts.reduce(
      (sum, [, number, unit]) => sum + Number(number) * (UNITS.get(unit ?? '') ?? 0),
      0,
    )
    return total <= LONGEST_MS ? total : undefined
  }
  /** A bare number in the file is nanoseconds, as the node reads it. */
  const fromJson = (json: unknown) =>
    typeof json === 'number' && json >= 0 && json / 1e6 <= LONGEST_MS
      ? json / 1e6
      : typeof json === 'string'
        ? read(json)
        : undefined
  return option(fallbackMs, 'a duration up to 24h, such as 30s, 500ms or 1m30s', description, read, {
    fromJson,
  })
}

/** Several texts, parted by commas; a flag may be repeated as well. */
export function list(fallback: readonly string[], description: string): Option<readonly string[]> {
  return parted(fallback, /,/, 'texts parted by commas', description)
}

/** Several texts, parted by white space. */
export function words(fallback: readonly string[], description: string): Option<readonly string[]> {
  return parted(fallback, /\s+/, 'texts parted by spaces', description)
}

function parted(fallback: readonly string[], by: RegExp, expected: string, description: string) {
  const read = (given: string): readonly string[] => given.split(by).flatMap((part) => part.trim() || [])
  const fromJson = (json: unknown) => {
    if (typeof json === 'string') return read(json)
    return Array.isArray(json) && json.every((one) => typeof one === 'string')
      ? (json as readonly string[])
      : undefined
  }
  return option<readonly string[]>(fallback, expected, description, read, { isList: true, fromJson })
}

/** Roots of node APIs, in order of preference. */
export function urls(description: string): Option<readonly string[]> {
  const any = list([], description)
  const checked = (given: readonly string[] | undefined) => (given?.every(isHttpUrl) ? given : undefined)
  return {
    ...any,
    expected: 'http(s) URLs parted by commas',
    fromText: (given) => checked(any.fromText(given)),
    fromJson: (json) => checked(any.fromJson(json)),
  }
}

function isHttpUrl(given: string): boolean {
  return /^https?:\/\//.test(given) && URL.canParse(given)
}

/** A log level in any case; `fallback` may be empty: as another option says. */
export function level<F extends Level | ''>(fallback: F, description: string): Option<Level | F> {
  const read = (given: string) => LEVELS.find((one) => one === given.toUpperCase())
  const expected = `one of ${LEVELS.map((one) => one.toLowerCase()).join(', ')}`
  return option<Level | F>(fallback, expected, description, read)
}

/** One of some words. */
export function choice<const W extends string>(
  fallback: W,
  all: readonly W[],
  description: string,
): Option<W> {
  const read = (given: string) => all.find((one) => one === given)
  return option<W>(fallback, `one of ${all.join(', ')}`, description, read)
}

/** A network by name or id; undefined: what the database, or what it is filled from, says. */
export function network(description: string): Option<number | undefined> {
  const read = (given: string) => {
    try {
      return Network.parseName(given)
    } catch {
      return undefined
    }
  }
  const fromJson = (json: unknown) =>
    typeof json === 'string' || typeof json === 'number' ? read(String(json)) : undefined
  const expected = 'mainnet, fuji, local, network-<id> or an id'
  return option<number | undefined>(undefined, expected, description, read, { fromJson })
}
