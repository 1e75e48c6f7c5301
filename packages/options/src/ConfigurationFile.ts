import { isJsonObject } from '@firn/codec'
import { quote } from './internal/quote.ts'
import { kebab, type Options } from './Option.ts'
import { OptionsError } from './OptionsError.ts'
import * as Type from './Type.ts'

/**
 * Returns the options for the configuration file, which every service has. `otherPrefix` adds the environment
 * variables of another program.
 *
 * @example
 * ```ts
 * import { ConfigurationFile } from '@firn/options'
 *
 * Object.keys(ConfigurationFile.options()) // ['configFile', 'configFileContent']
 * ```
 */
export function options(otherPrefix?: string): Options {
  const prefixes = otherPrefix === undefined ? [] : [otherPrefix]
  return {
    configFile: {
      type: Type.path,
      help: 'JSON file with options: one object whose keys are the flags without dashes.',
      prefixes,
    },
    configFileContent: { type: Type.base64, help: 'Contents of the configuration file in base64.', prefixes },
  }
}

/** Flags that a configuration file cannot contain, because a file cannot refer to another file. */
export const FLAGS: ReadonlySet<string> = new Set(Object.keys(options()).map(kebab))

/** An entry of a configuration file. */
export interface Entry {
  /** Name of the configuration file as the user wrote it, or `config-file-content`. */
  readonly place: string
  readonly key: string
  readonly json: unknown
}

/**
 * Returns the entries of a configuration file, or of its content in base64. Returns an empty list if neither
 * is given. A `null` value counts as not given.
 * @throws OptionsError if the file cannot be read or is not a JSON object
 * @example
 * ```ts
 * import { ConfigurationFile } from '@firn/options'
 *
 * ConfigurationFile.read('node.json', undefined, () => '{"http-port":9650}')
 * // [{ place: 'node.json', key: 'http-port', json: 9650 }]
 * ```
 */
export function read(
  path: string | undefined,
  content: string | undefined,
  readFile: (path: string) => string,
): readonly Entry[] {
  if (content) return parse(Buffer.from(content, 'base64').toString('utf8'), 'config-file-content')
  return path ? parse(readText(path, 'config-file', readFile), path) : []
}

/**
 * Returns the contents of a file named by an option.
 * @throws OptionsError that names the option
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { ConfigurationFile } from '@firn/options'
 *
 * const read = (path: string) => readFileSync(path, 'utf8')
 * const text = ConfigurationFile.readText('genesis.json', 'genesis-file', read)
 * ```
 */
export function readText(path: string, option: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch (cause) {
    const { code = String(cause) } = cause as { readonly code?: string }
    throw new OptionsError(`${option}: cannot read the file ${quote(path)} (${code})`, { cause })
  }
}

function parse(text: string, place: string): readonly Entry[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new OptionsError(`${place}: expected a JSON object (${(cause as Error).message})`, { cause })
  }
  if (!isJsonObject(json)) {
    throw new OptionsError(`${place}: expected a JSON object, got ${quote(json)}`)
  }
  return Object.entries(json).flatMap(([key, value]) => (value === null ? [] : [{ place, key, json: value }]))
}
