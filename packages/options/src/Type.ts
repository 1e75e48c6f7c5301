import { Network } from '@firn/codec'
import * as Duration from './Duration.ts'
import { quote } from './internal/quote.ts'

/** The format of an option's value, as text (flags and variables) and as JSON (configuration file). */
export interface Type<T> {
  /** Placeholder of the value in help, such as `port`. Empty for switches. */
  readonly placeholder: string
  /** Description of valid values, such as `a port from 0 to 65535`. */
  readonly expected: string
  /**
   * Parses a text. Returns undefined if the text is invalid. If it throws, the error's own message is
   * reported.
   */
  parse(text: string): T | undefined
  /** Converts a JSON value. Returns undefined if the value is invalid. */
  fromJson(json: unknown): T | undefined
  /** Formats a value for help texts. */
  format(value: T): string
  /** Whether the option is a switch without a value, such as `--once` and `--no-once`. */
  readonly isSwitch?: boolean
  /** Combines the values of a repeated flag. By default, the last value is used. */
  combine?(before: T, next: T): T
  /** Whether `$NAME` in the text is replaced by the value of an environment variable. */
  readonly isExpanded?: boolean
}

/** Parameters of {@link create}. The first three members are required; all other members of a type have defaults. */
type Given<T> = Pick<Type<T>, 'placeholder' | 'expected' | 'parse'> & Partial<Type<T>>

/**
 * Creates a type. By default, JSON strings and numbers are parsed as texts, and values are formatted with
 * `String`.
 *
 * @example
 * ```ts
 * import { Type } from '@firn/options'
 *
 * const even = Type.create({
 *   placeholder: 'number',
 *   expected: 'an even number',
 *   parse: (text) => (Number(text) % 2 === 0 ? Number(text) : undefined),
 * })
 * even.parse('3') // undefined
 * ```
 */
export function create<T>(given: Given<T>): Type<T> {
  const fromJson = (json: unknown) =>
    typeof json === 'string' || typeof json === 'number' ? given.parse(String(json)) : undefined
  return { fromJson, format: String, ...given }
}

const onlyStrings = (json: unknown) => (typeof json === 'string' ? json : undefined)

/** Type of any text. */
export const text: Type<string> = create({
  placeholder: 'text',
  expected: 'a text',
  parse: (given) => given,
  fromJson: onlyStrings,
})

/**
 * Type of a file or folder name. `$NAME` is replaced by an environment variable, and `$DATA_DIR` by
 * `--data-dir`.
 */
export const path: Type<string> = { ...text, placeholder: 'path', isExpanded: true }

/** Type of a base64 text. Options with the content of a file have this type. */
export const base64: Type<string> = { ...text, placeholder: 'base64' }

/** Type of an address to listen on. */
export const host: Type<string> = { ...text, placeholder: 'address', expected: 'an address' }

/** Type of a switch. The flag alone means true, and `--no-<name>` false. */
export const flag: Type<boolean> = create({
  placeholder: '',
  expected: 'true or false',
  parse: (given) => (given === 'true' ? true : given === 'false' ? false : undefined),
  fromJson: (json) =>
    typeof json === 'boolean' ? json : json === 'true' ? true : json === 'false' ? false : undefined,
  isSwitch: true,
})

/**
 * Returns the type of a whole number from `least` to `most`.
 *
 * @example
 * ```ts
 * import { Type } from '@firn/options'
 *
 * const attempts = Type.integer(1, 10)
 * attempts.parse('3') // 3
 * attempts.expected // 'a whole number from 1 to 10'
 * ```
 */
export function integer(least: number, most: number, placeholder = 'number'): Type<number> {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  return create({
    placeholder,
    expected: `a whole number ${bounds}`,
    parse: (given) => {
      const value = /^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  })
}

/** Type of a port; 0 means any free port. */
export const port: Type<number> = integer(0, 65_535, 'port')

/** Type of a number of bytes, from 0 to 2^40. */
export const bytes: Type<number> = integer(0, 2 ** 40, 'bytes')

/** Type of a count from 1 to 999,999. */
export const count: Type<number> = integer(1, 999_999)

/** Type of a whole number of up to 40 digits. */
export const big: Type<bigint> = create({
  placeholder: 'number',
  expected: 'a whole number',
  parse: (given) => (/^\d{1,40}$/.test(given) ? BigInt(given) : undefined),
})

const ONE_DAY_MS = 86_400_000

/**
 * Returns the type of a duration such as `10s`, `500ms` or `2m`; the value is in milliseconds. `bare` is the unit
 * of a number without a unit. `bareJson` is the unit of a number in the configuration file; it defaults to `bare`.
 * `mostMs` is one day by default.
 *
 * @example
 * ```ts
 * import { Type } from '@firn/options'
 *
 * const timeout = Type.duration({ bare: 's', leastMs: 100 })
 * timeout.parse('2m') // 120000
 * timeout.parse('10') // 10000
 * ```
 */
export function duration(
  options: {
    readonly bare?: Duration.Unit
    readonly bareJson?: Duration.Unit
    readonly leastMs?: number
    readonly mostMs?: number
  } = {},
): Type<number> {
  const { bare, bareJson = bare, leastMs = 0, mostMs = ONE_DAY_MS } = options
  const within = (ms: number | undefined) =>
    ms !== undefined && ms >= leastMs && ms <= mostMs ? ms : undefined
  const least = leastMs === 0 ? 'up to' : `from ${Duration.format(leastMs)} to`
  return create({
    placeholder: 'duration',
    expected: `a duration ${least} ${Duration.format(mostMs)}, such as 10s, 500ms or 1m30s`,
    parse: (given) => within(Duration.parse(given, bare)),
    fromJson: (json) =>
      typeof json === 'number' || typeof json === 'string'
        ? within(Duration.parse(String(json), typeof json === 'number' ? bareJson : bare))
        : undefined,
    format: Duration.format,
  })
}

/**
 * Returns the type of a choice between words. The case of the input does not matter; the value is spelled as
 * declared.
 *
 * @example
 * ```ts
 * import { Type } from '@firn/options'
 *
 * Type.choice('main', 'fuji').parse('Fuji') // 'fuji'
 * ```
 */
export function choice<const W extends string>(...words: readonly W[]): Type<W> {
  return create<W>({
    placeholder: words.join('|').length > 24 ? 'word' : words.join('|'),
    expected: `one of ${words.join(', ')}`,
    parse: (given) => words.find((word) => word.toLowerCase() === given.toLowerCase()),
  })
}

/**
 * Returns the type of a list of values, separated by commas or by `separator`. Repeating the flag adds
 * values.
 *
 * @example
 * ```ts
 * import { Type } from '@firn/options'
 *
 * Type.list(Type.port).parse('9650, 9651') // [9650, 9651]
 * ```
 */
export function list<T>(item: Type<T>, separator: string | RegExp = ','): Type<readonly T[]> {
  const all = (given: readonly (T | undefined)[]): readonly T[] | undefined =>
    given.includes(undefined) ? undefined : (given as readonly T[])
  const parse = (given: string) => {
    const parts = given.split(separator).flatMap((part) => part.trim() || [])
    return all(parts.map((part) => item.parse(part)))
  }
  return {
    ...item,
    placeholder: `${item.placeholder},…`,
    expected: `${item.expected}, or several of these separated by ${separator === ',' ? 'commas' : 'spaces'}`,
    parse,
    fromJson: (json) => {
      if (Array.isArray(json)) return all(json.map((one) => item.fromJson(one)))
      return typeof json === 'string' ? parse(json) : undefined
    },
    format: (values) => (values.length === 0 ? 'none' : values.map(item.format).join(',')),
    combine: (before, next) => [...before, ...next],
  }
}

/**
 * Returns the type of a URL with one of several protocols.
 *
 * @example
 * ```ts
 * import { Type } from '@firn/options'
 *
 * const url = Type.url('http', 'https')
 * url.parse('ftp://127.0.0.1') // undefined
 * ```
 */
export function url(...protocols: readonly string[]): Type<string> {
  const names = protocols.map((name) => `${name}:`)
  return create({
    placeholder: 'url',
    expected: `a URL such as ${protocols[0]}://127.0.0.1:9650`,
    parse: (given) =>
      URL.canParse(given) && names.includes(new URL(given).protocol) && given.includes('://')
        ? given
        : undefined,
    fromJson: onlyStrings,
  })
}

/** Type of a network, given by name or id. */
export const network: Type<number> = create({
  placeholder: 'network',
  expected: 'mainnet, fuji, local, network-<id> or an id',
  parse: (given) => {
    try {
      return Network.parseName(given)
    } catch {
      return undefined
    }
  },
  format: Network.formatName,
})

/**
 * Type of the name of a network that is compared with the names of a running network, because `local` and `testnet` can
 * stand for several networks.
 */
export const networkName: Type<string> = create({
  placeholder: 'network',
  expected: network.expected,
  parse: (given) => (network.parse(given) === undefined ? undefined : given.toLowerCase()),
})

/**
 * Returns the type of JSON that `read` converts to a value. If `read` throws, the error's own message is
 * reported.
 *
 * @example
 * ```ts
 * import { Type } from '@firn/options'
 *
 * const read = (json: unknown) => (Array.isArray(json) ? json.map(Number) : undefined)
 * const weights = Type.json('an array of weights', read)
 * weights.parse('[1, 2]') // [1, 2]
 * ```
 */
export function json<T>(expected: string, read: (json: unknown) => T | undefined): Type<T> {
  return create({
    placeholder: 'json',
    expected,
    parse: (given) => {
      let value: unknown
      try {
        value = JSON.parse(given)
      } catch (cause) {
        throw new SyntaxError(`expected ${expected}, got ${quote(given)}`, { cause })
      }
      return read(value)
    },
    fromJson: read,
    format: (value) => JSON.stringify(value),
  })
}
