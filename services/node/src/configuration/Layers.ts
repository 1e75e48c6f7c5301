import { parseArgs } from 'node:util'
import { TrustedProxies } from '@firn/http'
import { NodeError } from '@firn/node-api'
import { type Configuration, get, kebab, NAMES, OPTIONS, type OptionName, variables } from './Options.ts'

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

const BY_KEBAB: ReadonlyMap<string, OptionName> = new Map(NAMES.map((name) => [kebab(name), name]))
/** Options of the process, not of the node. */
const FILE = 'config-file'
const CONTENT = 'config-file-content'

/**
 * The configuration in layers: defaults, then the JSON file, then the environment, then flags.
 * @throws NodeError `NODE_CONFIGURATION`: one sentence that names option, value and what is allowed
 */
export function resolve(sources: Sources): Wish {
  orWrong(() => TrustedProxies.refuseRemoved(sources))
  const flags = parseFlags(sources.argv)
  if (flags.has('help')) return { kind: 'help' }
  if (flags.has('version')) return { kind: 'version' }
  const layers = {
    ...fileLayer(flags, sources),
    ...environmentLayer(sources.environment),
    ...flagLayer(flags),
  }
  const configuration = create(layers as Partial<Configuration>, sources.environment)
  orWrong(() => TrustedProxies.create(configuration))
  return { kind: 'run', configuration }
}

/**
 * A whole configuration from some options; the others take their defaults. `$HOME`, other variables, and `$DATA_DIR` in paths are
 * replaced.
 */
export function create(
  given: Partial<Configuration> = {},
  environment: Sources['environment'] = {},
): Configuration {
  const entries = NAMES.map((name) => [name, given[name] ?? OPTIONS[name].fallback] as const)
  const configuration = Object.fromEntries(entries) as unknown as Configuration
  const dataDir = expand(configuration.dataDir, environment)
  const expanded = entries.map(([name, value]) => {
    const isPath = /(?:Dir|File)$/.test(name) && typeof value === 'string'
    return [name, isPath ? expand(value, { ...environment, DATA_DIR: dataDir }) : value]
  })
  return Object.fromEntries(expanded) as Configuration
}

/** As the node does, in all paths. */
function expand(path: string, environment: Sources['environment']): string {
  return path.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_whole, braced, bare) => environment[braced ?? bare] ?? '')
}

type Flags = ReadonlyMap<string, readonly string[]>

function parseFlags(argv: readonly string[]): Flags {
  const options = Object.fromEntries(
    NAMES.map((name) => [kebab(name), { type: get(name).isSwitch ? 'boolean' : 'string' } as const]),
  )
  const extra = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    [FILE]: { type: 'string' },
    [CONTENT]: { type: 'string' },
  } as const
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, ...extra },
    strict: false,
    tokens: true,
  })
  const flags = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') throw wrong(`command line: expected a flag, got ${quote(token.value)}`)
    if (!BY_KEBAB.has(token.name) && !Object.hasOwn(extra, token.name))
      throw wrong(`command line: unknown flag ${token.rawName}${likely(token.name)}; --help lists the flags`)
    const isSwitch = ({ ...options, ...extra }[token.name]?.type ?? '') === 'boolean'
    if (token.value === undefined && !isSwitch)
      throw wrong(`${token.rawName}: expected a value after it, got nothing`)
    flags.set(token.name, [...(flags.get(token.name) ?? []), token.value ?? 'true'])
  }
  return flags
}

function flagLayer(flags: Flags): Layer {
  const layer: Layer = {}
  for (const [key, values] of flags) {
    const name = BY_KEBAB.get(key)
    if (name === undefined) continue
    const { isList } = get(name)
    const read = values.map((value) => checkText(name, value, `--${key}`))
    layer[name] = isList ? read.flat() : read.at(-1)
  }
  return layer
}

function environmentLayer(environment: Sources['environment']): Layer {
  const layer: Layer = {}
  for (const name of NAMES) {
    const variable = variables(name).find((one) => environment[one] !== undefined)
    if (variable === undefined) continue
    layer[name] = checkText(name, environment[variable] as string, variable)
  }
  return layer
}

function fileLayer(flags: Flags, { environment, readFile }: Sources): Layer {
  const of = (key: string, suffix: string) =>
    flags.get(key)?.at(-1) ?? environment[`FIRN_${suffix}`] ?? environment[`AVAGO_${suffix}`] ?? ''
  const content = of(CONTENT, 'CONFIG_FILE_CONTENT')
  const path = of(FILE, 'CONFIG_FILE')
  if (content !== '') return parseFile(Buffer.from(content, 'base64').toString('utf8'), CONTENT)
  return path === '' ? {} : parseFile(readText(expand(path, environment), FILE, readFile), path)
}

/** @throws NodeError `NODE_CONFIGURATION`, naming the option that named the file */
export function readText(path: string, option: string, readFile: Sources['readFile']): string {
  try {
    return readFile(path)
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException
    throw wrong(`${option}: expected a readable file, got ${quote(path)} (${code})`, cause)
  }
}

function parseFile(text: string, place: string): Layer {
  const layer: Layer = {}
  const file = parseObject(text, place)
  orWrong(() => TrustedProxies.refuseRemoved({ keys: Object.keys(file) }))
  for (const [key, value] of Object.entries(file)) {
    const name = BY_KEBAB.get(key)
    if (name === undefined) throw wrong(`${place}: unknown key ${quote(key)}${likely(key)}`)
    if (value === null) continue
    const read = get(name).fromJson(value)
    if (read === undefined) throw mismatch(name, value, `${place}: ${key}`)
    layer[name] = read
  }
  return layer
}

function parseObject(text: string, place: string): object {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw wrong(`${place}: expected a JSON object (${(cause as Error).message})`, cause)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw wrong(`${place}: expected a JSON object, got ${quote(json)}`)
  return json
}

function checkText(name: OptionName, text: string, place: string): unknown {
  const value = get(name).fromText(text)
  if (value === undefined) throw mismatch(name, text, place)
  return value
}

function mismatch(name: OptionName, value: unknown, place: string): NodeError {
  return wrong(`${place}: expected ${get(name).expected}, got ${quote(value)}`)
}

/** The error for a configuration that can't be used, with the error that told so. */
export function wrong(message: string, cause?: unknown): NodeError {
  return new NodeError('NODE_CONFIGURATION', message, { cause })
}

/** Runs `work`, and rethrows what it throws as an error of the configuration, with the same message. */
function orWrong(work: () => unknown): void {
  try {
    work()
  } catch (cause) {
    throw wrong((cause as Error).message, cause)
  }
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length} characters)` : text
}

/** A known name that shares most of its parts. */
function likely(key: string): string {
  const parts = new Set(key.split(/[-_]/))
  const shared = (name: string) => name.split('-').filter((part) => parts.has(part)).length
  const [best] = [...BY_KEBAB.keys()].sort((a, b) => shared(b) - shared(a) || a.length - b.length)
  return best === undefined || shared(best) === 0 ? '' : `; did you mean --${best}?`
}
