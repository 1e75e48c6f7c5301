import { pathToFileURL } from 'node:url'
import { Bytes, Id } from '@firn/codec'

/** What the module of a plugin exports. */
export interface Plugin {
  /** The VM's id in cb58: that of the file's name. */
  readonly vmID: string
  /** Further names of the VM, the first of which its version is shown by. */
  readonly names: readonly string[]
  /** Like `v1.14.2`. */
  readonly version: string
  /** Returns what is told of a block of such a VM: any JSON. Throws for bytes that are none. */
  readonly decodeBlock: (bytes: Uint8Array) => unknown
}

/** Loads a module by its URL. */
export type Import = (url: string) => Promise<unknown>

/** Returns a plugin, or why the module in a file is none. */
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
  if (typeof text !== 'string' || !isIdOf(text, vmId)) return `expected it to export vmID ${Id.format(vmId)}`
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
    return 'expected it to export names, an array of strings'
  if (typeof version !== 'string') return 'expected it to export version, a string'
  return typeof decodeBlock === 'function' ? undefined : 'expected it to export decodeBlock, a function'
}

function isIdOf(text: string, id: Uint8Array): boolean {
  try {
    return Bytes.equals(Id.parse(text), id)
  } catch {
    return false
  }
}
