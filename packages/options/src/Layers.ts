import * as Arguments from './Arguments.ts'
import * as ConfigurationFile from './ConfigurationFile.ts'
import { quote } from './internal/quote.ts'
import type { Options, Values } from './Option.ts'
import { OptionsError } from './OptionsError.ts'
import * as Spelling from './Spelling.ts'
import * as Suggestion from './Suggestion.ts'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Sources of option values. They are passed in, so that this module does not access the process. */
export interface Sources {
  readonly environment: Environment
  /** Returns the contents of a file as UTF-8 text. */
  readonly readFile: (path: string) => string
  /** Is called with a message about what is ignored; by default, it is dropped. */
  readonly note?: (line: string) => void
}

/**
 * The options of a command, and their sources. A service also reads its options from `FIRN_<NAME>` and a
 * configuration file.
 */
export interface Declared<O extends Options = Options> {
  readonly options: O
  readonly isService?: boolean
  /** Prefix of environment variables of another program that are read too, such as `AVAGO_`. */
  readonly otherPrefix?: string
  /** Keys of another program that users write in the same configuration file. They are ignored with a note. */
  readonly otherKeys?: { readonly program: string; readonly keys: readonly string[] }
}

/**
 * Returns a command's options. For a service, they include the options for the configuration file.
 *
 * @example
 * ```ts
 * import { Layers, option, Type } from '@firn/options'
 *
 * const options = { port: option(Type.port, { default: 8080, help: 'Port to listen on.' }) }
 * Object.keys(Layers.withFile({ options, isService: true })) // ['port', 'configFile', 'configFileContent']
 * ```
 */
export function withFile({ options, isService, otherPrefix }: Declared): Options {
  return isService === true ? { ...options, ...ConfigurationFile.options(otherPrefix) } : options
}

type Layer = Record<string, unknown>

/**
 * Returns the value of every option. Sources in order of increasing priority are defaults, configuration
 * file, environment and flags.
 * @throws OptionsError whose message names the flag, variable or key, the expected values, and the given value
 * @example
 * ```ts
 * import { Layers, option, Type } from '@firn/options'
 *
 * const options = { port: option(Type.port, { default: 8080, help: 'Port to listen on.' }) }
 * const sources = { environment: { FIRN_PORT: '9000' }, readFile: () => '' }
 * Layers.resolve({ options, isService: true }, { flags: new Map() }, sources) // { port: 9000 }
 * ```
 */
export function resolve<O extends Options>(
  declared: Declared<O>,
  { flags }: Pick<Arguments.Arguments, 'flags'>,
  sources: Sources,
): Values<O> {
  const { options, isService = false, otherKeys } = declared
  const spellings = Spelling.all(withFile(declared), isService)
  const given = { ...environmentLayer(spellings, sources.environment), ...flagLayer(flags) }
  const layers: Layer = { ...(isService ? fileLayer(spellings, given, sources, otherKeys) : {}), ...given }
  const missing = spellings.find(
    ({ name, option }) => option.isRequired === true && layers[name] === undefined,
  )
  if (missing !== undefined) {
    throw new OptionsError(`--${missing.flag} <${missing.type.placeholder}> is missing`)
  }
  return complete(options, layers as Partial<Values<O>>, sources.environment)
}

/**
 * Returns a value for every option: the given value or the default. In paths, `$NAME` is replaced by the
 * environment variable, and `$DATA_DIR` by the value of `dataDir`.
 *
 * @example
 * ```ts
 * import { Layers, option, Type } from '@firn/options'
 *
 * const options = {
 *   dataDir: option(Type.path, { default: '$HOME/.firn', help: 'Folder for data.' }),
 *   database: option(Type.path, { default: '$DATA_DIR/db', help: 'Folder for the database.' }),
 * }
 * Layers.complete(options, {}, { HOME: '/srv' }).database // '/srv/.firn/db'
 * ```
 */
export function complete<O extends Options>(
  options: O,
  given: Partial<Values<O>>,
  environment: Environment = {},
): Values<O> {
  const all = given as Readonly<Record<string, unknown>>
  const value = (name: string) => all[name] ?? structuredClone(options[name]?.default)
  const dataDir = value('dataDir')
  const isFolder = typeof dataDir === 'string'
  const variables = isFolder ? { ...environment, DATA_DIR: expand(dataDir, environment) } : environment
  const entries = Object.entries(options).map(([name, { type }]) => {
    const found = value(name)
    return [name, type.isExpanded === true && typeof found === 'string' ? expand(found, variables) : found]
  })
  return Object.fromEntries(entries.filter(([, found]) => found !== undefined)) as Values<O>
}

/**
 * Replaces `$NAME` and `${NAME}` in a path by environment variables, like Go's `os.ExpandEnv`. Unknown
 * variables become empty.
 *
 * @example
 * ```ts
 * import { Layers } from '@firn/options'
 *
 * Layers.expand('$HOME/data', { HOME: '/srv' }) // '/srv/data'
 * ```
 */
export function expand(path: string, environment: Environment): string {
  return path.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_whole, braced, bare) => environment[braced ?? bare] ?? '')
}

/**
 * Returns the values that flags give to options. Used for options that one command parses on behalf of
 * another.
 * @throws OptionsError
 * @example
 * ```ts
 * import { Layers, option, Type } from '@firn/options'
 *
 * const options = { port: option(Type.port, { default: 8080, help: 'Port to listen on.' }) }
 * Layers.fromFlags(options, ['--port', '9000']) // { port: 9000 }
 * ```
 */
export function fromFlags<O extends Options>(options: O, argv: readonly string[]): Partial<Values<O>> {
  const { flags, operands } = Arguments.parse(argv, options)
  if (operands.length > 0) throw new OptionsError(`unexpected argument ${quote(operands[0])}`)
  return flagLayer(flags) as Partial<Values<O>>
}

function flagLayer(flags: Arguments.Arguments['flags']): Layer {
  const combined = [...flags].map(([name, given]) => {
    const values = given.map(read)
    const combine = given[0]?.spelling.option.type.combine
    return [name, combine === undefined ? values.at(-1) : values.reduce(combine as never)]
  })
  return Object.fromEntries(combined)
}

function environmentLayer(spellings: readonly Spelling.Spelling[], environment: Environment): Layer {
  const layer: Layer = {}
  for (const spelling of spellings) {
    const variable = spelling.variables.find((one) => environment[one] !== undefined)
    if (variable === undefined) continue
    layer[spelling.name] ??= read({ text: environment[variable] as string, spelling, place: variable })
  }
  return layer
}

function fileLayer(
  spellings: readonly Spelling.Spelling[],
  given: Layer,
  sources: Sources,
  otherKeys: Declared['otherKeys'],
): Layer {
  const layer: Layer = {}
  const expanded = (name: string) =>
    typeof given[name] === 'string' ? expand(given[name], sources.environment) : undefined
  const file = ConfigurationFile.read(expanded('configFile'), expanded('configFileContent'), sources.readFile)
  const isOther = ({ key }: ConfigurationFile.Entry) =>
    otherKeys?.keys.includes(key) === true && spellings.every(({ flag }) => flag !== key)
  const ignored = file.filter(isOther)
  if (ignored.length > 0) {
    const keys = ignored.map(({ key }) => key).join(', ')
    sources.note?.(`${ignored[0]?.place}: ignored the keys of ${otherKeys?.program}: ${keys}`)
  }
  for (const { place, key, json } of file.filter((entry) => !isOther(entry))) {
    const spelling = find(spellings, key, place)
    layer[spelling.name] = check(spelling, json, `${place}: ${key}`, () => spelling.type.fromJson(json))
  }
  return layer
}

/**
 * Returns the spelling that matches a key in a configuration file.
 * @throws OptionsError for an unknown key
 */
function find(spellings: readonly Spelling.Spelling[], key: string, place: string): Spelling.Spelling {
  const found = spellings.find(({ flag }) => flag === key && !ConfigurationFile.FLAGS.has(flag))
  if (found !== undefined) return found
  const likely = Suggestion.nearest(
    key.replaceAll('_', '-').toLowerCase(),
    spellings.map(({ flag }) => flag),
  )
  const hint = likely === undefined ? '' : `; did you mean ${JSON.stringify(likely)}?`
  throw new OptionsError(`${place}: unknown key ${quote(key)}${hint}`)
}

function read({ text, spelling, place }: Arguments.Given): unknown {
  return check(spelling, text, place, () => spelling.type.parse(text))
}

/**
 * Returns the result of `work`. If `work` throws or returns undefined, throws an OptionsError whose message starts
 * with `place`.
 */
function check(
  { option, type }: Spelling.Spelling,
  value: unknown,
  place: string,
  work: () => unknown,
): unknown {
  if (option.removed !== undefined) throw new OptionsError(option.removed)
  let result: unknown
  try {
    result = work()
  } catch (cause) {
    throw new OptionsError(`${place}: ${(cause as Error).message}`, { cause })
  }
  if (result !== undefined) return result
  const got = option.isSecret === true ? 'a hidden value' : quote(value)
  throw new OptionsError(`${place}: expected ${type.expected}, got ${got}`)
}
