import { pathToFileURL } from 'node:url'
import { Bytes, Id } from '@firn/codec'

/** The exports of a plugin module. */
export interface Plugin {
  /** The VM's id in cb58, which matches the file name. */
  readonly vmID: string
  /** Names of the VM in addition to its id. Its version is listed under the first name. */
  readonly names: readonly string[]
  /** The plugin's version, such as `v1.14.2`. */
  readonly version: string
  /** Returns a description of a block as a JSON value. Throws if the bytes are not a valid block. */
  readonly decodeBlock: (bytes: Uint8Array) => unknown
}

/** Loads a module by its URL. */
export type Import = (url: string) => Promise<unknown>

/** Loads the plugin in a file. If the module is not a plugin, returns the reason as text. */
export async function read(path: string, vmId: Uint8Array, load: Import): Promise<Plugin | string> {
  let module: unknown
  try {
    module = await load(pathToFileURL(path).href)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return problemOf(module as Partial<Record<keyof Plugin, unknown>>, vmId) ?? (module as Plugin)
}

function problemOf(module: Partial<Record<keyof Plugin, unknown>>, vmId: Uint8Array): string | undefined {
  const { vmID: text, names, version, decodeBlock } = module
  if (typeof text !== 'string' || !isIdOf(text, vmId)) return `the module must export vmID ${Id.format(vmId)}`
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
    return 'the module must export names, an array of strings'
  if (typeof version !== 'string') return 'the module must export version, a string'
  return typeof decodeBlock === 'function' ? undefined : 'the module must export decodeBlock, a function'
}

function isIdOf(text: string, id: Uint8Array): boolean {
  try {
    return Bytes.equals(Id.parse(text), id)
  } catch {
    return false
  }
}
