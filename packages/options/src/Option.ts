import type { Type } from './Type.ts'

/** Settings of an option in addition to its type. */
export interface Settings {
  /** Text for help and documentation, in one or two sentences. */
  readonly help: string
  /** What `--no-<name>` does, for help and documentation. Every switch that is on by default has it. */
  readonly negatedHelp?: string
  /** Description of the default if it is not a constant. */
  readonly defaultText?: string
  /** Whether the user must give a value. */
  readonly isRequired?: boolean
  /** Environment variables in addition to `FIRN_<NAME>`, which every option of a service has. */
  readonly environment?: readonly string[]
  /** Prefixes of additional environment variables; the option's name or a former name follows the prefix. */
  readonly prefixes?: readonly string[]
  /** Additional names for flags and the configuration file. */
  readonly aliases?: readonly string[]
  /** Whether the value is secret and must not be printed. */
  readonly isSecret?: boolean
  /** Reason why the option was removed. If the option is used, this text is reported as an error. */
  readonly removed?: string
  /** The option's heading in help. */
  readonly group?: string
}

/**
 * An option whose value has type `V`. It is declared once; parsing, help and documentation are derived from
 * the declaration.
 */
export interface Option<V> extends Settings {
  readonly type: Type<NonNullable<V>>
  readonly default?: V
  /** Former names of the option. Each has the type of the values that are given under it. */
  readonly former?: Readonly<Record<string, Type<NonNullable<V>>>>
}

/** Options by name: `apiPort` is `--api-port`, `FIRN_API_PORT` and `"api-port"` in the configuration file. */
export type Options = Readonly<Record<string, Option<unknown>>>

type Value<O> = O extends Option<infer V> ? V : never
type Optional<O extends Options> = {
  [N in keyof O]: undefined extends Value<O[N]> ? N : never
}[keyof O]
type Simple<T> = { readonly [K in keyof T]: T[K] }

/** The values of all options. A value may be missing if the option is not required and has no default. */
export type Values<O extends Options> = Simple<
  { [N in Exclude<keyof O, Optional<O>>]: Value<O[N]> } & { [N in Optional<O>]?: Value<O[N]> }
>

type More<T> = Settings & { readonly former?: Readonly<Record<string, Type<T>>> }
type Default<T> = [T] extends [boolean]
  ? { readonly default: false } | { readonly default: true; readonly negatedHelp: string }
  : { readonly default: NoInfer<T> }

/**
 * Declares an option.
 *
 * @example
 * ```ts
 * import { option, Type } from '@firn/options'
 *
 * const OPTIONS = {
 *   port: option(Type.port, { default: 8080, help: 'Port of the API; 0 picks a free one.' }),
 *   name: option(Type.text, { help: 'Name to show.' }),
 * }
 * ```
 */
export function option<T>(type: Type<T>, settings: More<T> & Default<NoInfer<T>>): Option<T>
export function option<T>(type: Type<T>, settings: More<T> & { readonly isRequired: true }): Option<T>
export function option<T>(
  type: Type<T>,
  settings: More<T> & { readonly default?: undefined },
): Option<T | undefined>
export function option<T>(type: Type<T>, settings: More<T>): Option<T | undefined> {
  return { ...settings, type } as Option<T | undefined>
}

/**
 * Declares a removed option. Using it is an error whose text is `why`.
 *
 * @example
 * ```ts
 * import { removed, Type } from '@firn/options'
 *
 * const options = { depth: removed(Type.integer(0, 9), '--depth was removed. Use --height.') }
 * ```
 */
export function removed(type: Type<unknown>, why: string): Option<undefined> {
  return { type: type as Type<never>, help: why, removed: why }
}

/**
 * Returns the options with a common heading in help texts and documentation.
 *
 * @example
 * ```ts
 * import { group, option, Type } from '@firn/options'
 *
 * const options = group('Cache', {
 *   cacheBytes: option(Type.integer(0, 2 ** 30), { default: 1024, help: 'Maximum size of the cache.' }),
 * })
 * ```
 */
export function group<O extends Options>(title: string, options: O): O {
  return map(options, (one) => ({ ...one, group: title }))
}

/**
 * Returns the options with one more environment variable each, whose name is a prefix such as `AVAGO_`
 * followed by the option's name in uppercase.
 *
 * @example
 * ```ts
 * import { option, Type, withEnvironment } from '@firn/options'
 *
 * const options = withEnvironment('AVAGO_', {
 *   httpPort: option(Type.port, { default: 9650, help: 'Port to listen on; also read from AVAGO_HTTP_PORT.' }),
 * })
 * ```
 */
export function withEnvironment<O extends Options>(prefix: string, options: O): O {
  return map(options, (one) => ({ ...one, prefixes: [...(one.prefixes ?? []), prefix] }))
}

function map<O extends Options>(options: O, change: (one: Option<unknown>) => object): O {
  return Object.fromEntries(Object.entries(options).map(([name, one]) => [name, change(one)])) as O
}

/**
 * Returns only the values of the given options from a larger set, so that one service can forward them to
 * another.
 *
 * @example
 * ```ts
 * import { option, pick, Type } from '@firn/options'
 *
 * const logOptions = { verbose: option(Type.flag, { default: false, help: 'Write more.' }) }
 * const all = { verbose: true, port: 8080 }
 * pick(logOptions, all) // { verbose: true }
 * ```
 */
export function pick<O extends Options>(options: O, values: Values<O>): Values<O> {
  const all = values as Readonly<Record<string, unknown>>
  const names = Object.keys(options).filter((name) => all[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Values<O>
}

/**
 * Returns the default of every option. `$NAME` is not replaced in default paths.
 *
 * @example
 * ```ts
 * import { defaults, option, Type } from '@firn/options'
 *
 * defaults({ port: option(Type.port, { default: 8080, help: 'Port to listen on.' }) }) // { port: 8080 }
 * ```
 */
export function defaults<O extends Options>(options: O): Values<O> {
  const given = Object.entries(options).filter(([, one]) => one.default !== undefined)
  return Object.fromEntries(given.map(([name, one]) => [name, structuredClone(one.default)])) as Values<O>
}

/**
 * Converts `apiPort` to the spelling of flags and configuration files: `api-port`.
 *
 * @example
 * ```ts
 * import { kebab } from '@firn/options'
 *
 * kebab('apiPort') // 'api-port'
 * ```
 */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * Converts `apiPort` to the spelling of environment variables: `API_PORT`.
 *
 * @example
 * ```ts
 * import { upperSnake } from '@firn/options'
 *
 * upperSnake('apiPort') // 'API_PORT'
 * ```
 */
export function upperSnake(name: string): string {
  return kebab(name).replaceAll('-', '_').toUpperCase()
}
