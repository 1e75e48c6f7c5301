import { parseArgs } from 'node:util'
import { Json } from '@firn/codec'
import { TrustedProxies } from '@firn/http'
import type { TSchema } from 'typebox'
import {
  Configuration,
  check,
  createConfiguration,
  GO_OPTIONS,
  OPTION_NAMES,
  type OptionName,
  orConfigurationError,
  wrong,
} from './Configuration.ts'
import { kebab, upperSnake } from './internal/names.ts'

/** Where the layers come from; the process is not touched here. */
export interface Sources {
  /** Arguments after the program's name. */
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The text of a file, in UTF-8. */
  readonly readFile: (path: string) => string
}

/** What the command line asks for. */
export type Wish =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly configuration: Configuration }

type Layer = Partial<Record<OptionName, unknown>>

const BY_KEBAB: ReadonlyMap<string, OptionName> = new Map(OPTION_NAMES.map((name) => [kebab(name), name]))

/**
 * The configuration in layers: defaults, then the JSON file, then the environment, then flags.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`: one sentence that names key, value and what is allowed
 */
export function resolve(sources: Sources): Wish {
  orConfigurationError(() => TrustedProxies.refuseRemoved(sources))
  const flags = parseFlags(sources.argv)
  if (flags['help'] === true) return { kind: 'help' }
  if (flags['version'] === true) return { kind: 'version' }
  const { environment } = sources
  const path = flags['config-file'] ?? environment['FIRN_CONFIG_FILE'] ?? environment['CONFIG_FILE']
  const layers: Layer = {
    ...(typeof path === 'string' && path !== '' ? fileLayer(path, sources) : {}),
    ...environmentLayer(environment),
    ...flagLayer(flags),
  }
  const configuration = createConfiguration(layers as Parameters<typeof createConfiguration>[0])
  return { kind: 'run', configuration: withExpandedPaths(configuration, environment) }
}

/**
 * The options that flags give, unchecked: {@link createConfiguration} checks them.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`: a flag that is unknown or has no value
 */
export function parse(argv: readonly string[]): Parameters<typeof createConfiguration>[0] {
  return flagLayer(parseFlags(argv)) as Parameters<typeof createConfiguration>[0]
}

type Flags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

function parseFlags(argv: readonly string[]): Flags {
  const options = Object.fromEntries(
    OPTION_NAMES.map((name) => {
      const type = isBoolean(name) ? ('boolean' as const) : ('string' as const)
      return [kebab(name), { type, multiple: isList(name) }]
    }),
  )
  const own = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    'config-file': { type: 'string' },
  } as const
  try {
    return parseArgs({ args: [...argv], options: { ...options, ...own }, allowNegative: true, strict: true })
      .values
  } catch (cause) {
    const [first] = String((cause as Error).message).split(/[.\n]/)
    throw wrong(`command line: ${first}; --help lists the options`)
  }
}

function flagLayer(flags: Flags): Layer {
  const layer: Layer = {}
  for (const [key, value] of Object.entries(flags)) {
    const name = BY_KEBAB.get(key)
    if (name === undefined || value === undefined) continue
    const converted = Array.isArray(value) ? value.flatMap((one) => fromText(name, String(one))) : value
    layer[name] = check(
      name,
      typeof converted === 'string' ? fromText(name, converted) : converted,
      `--${key}`,
    )
  }
  return layer
}

function environmentLayer(environment: Sources['environment']): Layer {
  const layer: Layer = {}
  for (const name of OPTION_NAMES) {
    const bare = GO_OPTIONS.has(name) ? [upperSnake(name)] : []
    const variable = [`FIRN_${upperSnake(name)}`, ...bare].find((one) => environment[one] !== undefined)
    if (variable === undefined) continue
    layer[name] = check(name, fromText(name, environment[variable] as string), variable)
  }
  return layer
}

function fileLayer(path: string, { readFile }: Sources): Layer {
  const parsed = parseFile(path, readFile)
  orConfigurationError(() => TrustedProxies.refuseRemoved({ keys: Object.keys(parsed) }))
  const layer: Layer = {}
  for (const [key, value] of Object.entries(parsed)) {
    const name = BY_KEBAB.get(key)
    if (name === undefined)
      throw wrong(`${path}: unknown key ${JSON.stringify(key)}; known are ${[...BY_KEBAB.keys()].join(', ')}`)
    if (value !== null) layer[name] = check(name, value, `${path}: ${key}`)
  }
  return layer
}

function parseFile(path: string, readFile: Sources['readFile']): object {
  let text: string
  try {
    text = readFile(path)
  } catch (cause) {
    throw wrong(
      `config-file: expected a readable file, got ${JSON.stringify(path)} (${(cause as NodeJS.ErrnoException).code ?? cause})`,
      cause,
    )
  }
  let json: unknown
  try {
    json = Json.parse(text)
  } catch (cause) {
    throw wrong(`${path}: expected a JSON object (${(cause as Error).message})`, cause)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw wrong(`${path}: expected a JSON object`)
  return json
}

/** The text of a flag or variable in the type of its option; what doesn't fit stays text and is refused by the check. */
function fromText(name: OptionName, text: string): unknown {
  const { type } = Configuration.properties[name] as TSchema & { readonly type?: string }
  if (type === 'integer') return /^-?[0-9]{1,16}$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type !== 'array') return text
  if (/^\s*[[{]/.test(text)) {
    try {
      return Json.parse(text)
    } catch {
      return text
    }
  }
  return text === '' ? [] : text.split(',').map((part) => part.trim())
}

function isBoolean(name: OptionName): boolean {
  return (Configuration.properties[name] as { type?: string }).type === 'boolean'
}

function isList(name: OptionName): boolean {
  return (Configuration.properties[name] as { type?: string }).type === 'array'
}

/** As in the Go service, `$NAME` and `${NAME}` in the two key paths stand for environment variables. */
function withExpandedPaths(configuration: Configuration, environment: Sources['environment']): Configuration {
  const expand = (path: string) =>
    path.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_whole, braced, bare) => environment[braced ?? bare] ?? '')
  return {
    ...configuration,
    tlsCertPath: expand(configuration.tlsCertPath),
    tlsKeyPath: expand(configuration.tlsKeyPath),
  }
}
