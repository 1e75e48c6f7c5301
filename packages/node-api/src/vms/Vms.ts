import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Id } from '@firn/codec'
import { Vm } from '@firn/genesis'
import { goQuote } from '@firn/http'
import type { Logger } from '@firn/runtime'
import { createAliases } from '../Aliases.ts'
import * as NodeVersion from '../info/NodeVersion.ts'
import { goOsError } from '../internal/goOsError.ts'
import { methodError } from '../Service.ts'
import * as Plugin from './Plugin.ts'

/** Options of {@link createVms}. */
export interface VmsOptions {
  /** Folder that contains one file per plugin, named after the VM's id or alias. */
  readonly folder: string
  /** Additional aliases of VMs, by cb58 id. */
  readonly names?: ReadonlyMap<string, readonly string[]>
  readonly log: Logger
  /** Loads a module; defaults to `import()`. */
  readonly load?: Plugin.Import
}

/**
 * Result of a scan of the plugin folder: names of new VMs by id, and the reasons why other VMs failed to
 * start.
 */
export interface Loaded {
  readonly newVMs: ReadonlyMap<string, readonly string[]>
  readonly failedVMs: ReadonlyMap<string, string>
}

/** The virtual machines that this node knows: the Primary Network's machines, and plugins. */
export interface Vms {
  /**
   * Returns the names of each VM by its cb58 id, including plugins that failed to start. The id itself is not
   * one of the names.
   */
  list(): ReadonlyMap<string, readonly string[]>
  /** Returns the version of each running VM, by its first name. */
  versions(): ReadonlyMap<string, string>
  /** Returns the block decoder of a plugin. */
  decoder(vmId: Uint8Array): Plugin.Plugin['decodeBlock'] | undefined
  /**
   * Starts the plugins that were added since the last call. Each plugin is tried once.
   * @throws RpcError `RPC_REMOTE` with `invalid vmID: "…"` for the first invalid file name (no plugin is
   * started), or with the reason why the folder cannot be read
   */
  load(): Promise<Loaded>
}

/** The node's error for any plugin that fails to start; the actual reason is logged. */
const FAILED = 'handshake failed: vm process not found'

/**
 * Creates the registry with the VMs of every node. The first {@link Vms.load} adds plugins.
 * @example
 * ```ts
 * import { createVms } from '@firn/node-api'
 * import { silentLogger } from '@firn/runtime'
 *
 * const vms = createVms({ folder: 'plugins', log: silentLogger })
 * vms.list().size // 3
 * ```
 */
export function createVms(options: VmsOptions): Vms {
  return new PluginVms(options)
}

class PluginVms implements Vms {
  readonly #options: VmsOptions
  readonly #names = createAliases()
  readonly #plugins = new Map<string, Plugin.Plugin | undefined>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: VmsOptions) {
    this.#options = options
    for (const { vmId, alias } of Vm.ALIASES) this.#names.add(vmId, alias)
    for (const [vmId, names] of options.names ?? []) {
      for (const name of names) this.#names.add(Id.parse(vmId), name)
    }
    for (const { vmId } of Vm.ALIASES) this.#names.add(vmId, Id.format(vmId))
  }

  list(): ReadonlyMap<string, readonly string[]> {
    const ids = [...Vm.ALIASES.map(({ vmId }) => Id.format(vmId)), ...this.#plugins.keys()]
    return new Map(ids.map((id) => [id, this.#namesOf(id)]))
  }

  versions(): ReadonlyMap<string, string> {
    const versions = new Map(Object.entries(NodeVersion.VMS))
    for (const [id, plugin] of this.#plugins) {
      if (plugin !== undefined) versions.set(this.#names.primaryAlias(Id.parse(id)), plugin.version)
    }
    return versions
  }

  decoder(vmId: Uint8Array): Plugin.Plugin['decodeBlock'] | undefined {
    return this.#plugins.get(Id.format(vmId))?.decodeBlock
  }

  load(): Promise<Loaded> {
    // Calls run one after the other. Concurrent calls would both report the same plugin as new.
    const loaded = this.#turn.then(() => this.#load())
    this.#turn = loaded.catch(() => undefined)
    return loaded
  }

  async #load(): Promise<Loaded> {
    const files = await this.#unknownFiles()
    const newVMs = new Map<string, readonly string[]>()
    const failedVMs = new Map<string, string>()
    for (const [id, path] of files) {
      const isStarted = await this.#start(id, path)
      if (isStarted) newVMs.set(id, this.#namesOf(id))
      else failedVMs.set(id, FAILED)
    }
    return { newVMs, failedVMs }
  }

  async #start(id: string, path: string): Promise<boolean> {
    const vmId = Id.parse(id)
    const { load = (url) => import(url), log } = this.#options
    const plugin = await Plugin.read(path, vmId, load)
    if (typeof plugin === 'string') {
      log.warn({ path, reason: plugin }, 'plugin failed to start')
      this.#register(vmId, undefined)
      return false
    }
    for (const name of plugin.names) {
      if (this.#names.lookup(name) === undefined) this.#names.add(vmId, name)
      else log.warn({ path, name }, 'plugin name is already taken')
    }
    this.#register(vmId, plugin)
    return true
  }

  /** Registers a VM. Adds its id after its other names, unless the plugin's names already include the id. */
  #register(vmId: Uint8Array, plugin: Plugin.Plugin | undefined): void {
    const text = Id.format(vmId)
    if (this.#names.lookup(text) === undefined) this.#names.add(vmId, text)
    this.#plugins.set(text, plugin)
  }

  /**
   * Returns the plugin files of unregistered VMs by VM id. If two files belong to one VM, the last one in name order
   * is used.
   */
  async #unknownFiles(): Promise<ReadonlyMap<string, string>> {
    const { folder } = this.#options
    const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
      throw goOsError(error, 'open', folder)
    })
    const unknown = new Map<string, string>()
    for (const { name } of entries.filter((entry) => !entry.isDirectory()).sort(byName)) {
      const stem = withoutExtension(name)
      if (stem === '') continue
      const id = this.#resolve(stem)
      if (!this.#plugins.has(id) && !Vm.ALIASES.some(({ vmId }) => Id.format(vmId) === id))
        unknown.set(id, join(folder, name))
    }
    return unknown
  }

  #resolve(name: string): string {
    const known = this.#names.lookup(name)
    if (known !== undefined) return Id.format(known.id)
    try {
      return Id.format(Id.parse(name))
    } catch {
      throw methodError(`invalid vmID: ${goQuote(name)}`)
    }
  }

  #namesOf(id: string): readonly string[] {
    return (this.#names.aliases(Id.parse(id)) ?? []).filter((name) => name !== id)
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))
}

/**
 * Removes the extension as Go's `filepath.Ext` defines it: everything from the last dot on. The result is
 * empty for a hidden file such as `.name`.
 */
function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}
