import { kebab, type Option, type Options, upperSnake } from './Option.ts'
import type { Type } from './Type.ts'

/** A name of an option: its declared name, an alias, or a former name. */
export interface Spelling {
  /** The option's name in its declaration. */
  readonly name: string
  readonly option: Option<unknown>
  /** The type of the values under this name. */
  readonly type: Type<unknown>
  /** The flag without dashes, which is also the key in the configuration file. */
  readonly flag: string
  /** Names of environment variables. The first one that is set is used. */
  readonly variables: readonly string[]
}

/**
 * Returns all spellings of all options. For each option, the spelling with the declared name comes first. Options of
 * services have the variable `FIRN_<NAME>`.
 */
export function all(options: Options, isService: boolean): readonly Spelling[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const { type, aliases = [], former = {}, environment = [] } = option
    const prefixes = [...(isService ? ['FIRN_'] : []), ...(option.prefixes ?? [])]
    const named = (spelling: string) => prefixes.map((prefix) => prefix + upperSnake(spelling))
    const spell = (spelling: string, own: Type<unknown>, variables: readonly string[]): Spelling => {
      return { name, option, type: own, flag: kebab(spelling), variables: [...new Set(variables)] }
    }
    return [
      spell(name, type, [...named(name), ...environment]),
      ...aliases.map((alias) => spell(alias, type, [])),
      ...Object.entries(former).map(([alias, own]) => spell(alias, own, named(alias))),
    ]
  })
}
