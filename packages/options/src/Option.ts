import type { Type } from './Type.ts'

/** What is said of an option beside its type. */
export interface Settings {
  /** A sentence or two for help and documentation. */
  readonly help: string
  /** The default in words, where it is not a constant. */
  readonly defaultText?: string
  /** Must be given. */
  readonly isRequired?: boolean
  /** Variables of the environment beside `FIRN_<NAME>`, which every option of a service has. */
  readonly environment?: readonly string[]
  /** What further variables begin with; the rest is the name of the option, or a former name. */
  readonly prefixes?: readonly string[]
  /** Further names of the same meaning, for flags and the configuration file. */
  readonly aliases?: readonly string[]
  /** Its value is never printed. */
  readonly isSecret?: boolean
  /** Why it was removed; giving it is an error with this text. */
  readonly removed?: string
  /** The heading that it stands under. */
  readonly group?: string
}

/** One option, declared once: everything else about it is derived. `V` is what a program gets. */
export interface Option<V> extends Settings {
  readonly type: Type<NonNullable<V>>
  readonly default?: V
  /** Former names, and how values were written there. */
  readonly former?: Readonly<Record<string, Type<NonNullable<V>>>>
}

/** Options by name: `apiPort` is `--api-port`, `FIRN_API_PORT` and `"api-port"` in the configuration file. */
export type Options = Readonly<Record<string, Option<unknown>>>

type Value<O> = O extends Option<infer V> ? V : never
type Optional<O extends Options> = {
  [N in keyof O]: undefined extends Value<O[N]> ? N : never
}[keyof O]
type Simple<T> = { readonly [K in keyof T]: T[K] }

/** The value of every option; those without a default may be missing. */
export type Values<O extends Options> = Simple<
  { [N in Exclude<keyof O, Optional<O>>]: Value<O[N]> } & { [N in Optional<O>]?: Value<O[N]> }
>

type More<T> = Settings & { readonly former?: Readonly<Record<string, Type<T>>> }

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
export function option<T>(type: Type<T>, settings: More<T> & { readonly default: NoInfer<T> }): Option<T>
export function option<T>(type: Type<T>, settings: More<T> & { readonly isRequired: true }): Option<T>
export function option<T>(type: Type<T>, settings: More<T>): Option<T | undefined>
export function option<T>(type: Type<T>, settings: More<T>): Option<T | undefined> {
  return { ...settings, type } as Option<T | undefined>
}

/** Declares an option that exists no more: giving it is an error with this text. */
export function removed(type: Type<unknown>, why: string): Option<undefined> {
  return { type: type as Type<never>, help: why, removed: why }
}

/** Returns the options under a heading in help and documentation. */
export function group<O extends Options>(title: string, options: O): O {
  return map(options, (one) => ({ ...one, group: title }))
}

/** Returns the options with one more variable each: a prefix such as `AVAGO_` before the name in upper case. */
export function withEnvironment<O extends Options>(prefix: string, options: O): O {
  return map(options, (one) => ({ ...one, prefixes: [...(one.prefixes ?? []), prefix] }))
}

function map<O extends Options>(options: O, change: (one: Option<unknown>) => object): O {
  return Object.fromEntries(Object.entries(options).map(([name, one]) => [name, change(one)])) as unknown as O
}

/** Returns the values of some options out of those of more: what one service passes on to another. */
export function pick<O extends Options>(options: O, values: Values<O>): Values<O> {
  const all = values as Readonly<Record<string, unknown>>
  const names = Object.keys(options).filter((name) => all[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Values<O>
}

/** Returns the default of every option, with `$NAME` in paths as it is declared. */
export function defaults<O extends Options>(options: O): Values<O> {
  const given = Object.entries(options).filter(([, one]) => one.default !== undefined)
  return Object.fromEntries(given.map(([name, one]) => [name, structuredClone(one.default)])) as Values<O>
}

/** Returns `apiPort` as flags and the configuration file spell it: `api-port`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Returns `apiPort` as variables of the environment spell it: `API_PORT`. */
export function upperSnake(name: string): string {
  return kebab(name).replaceAll('-', '_').toUpperCase()
}
