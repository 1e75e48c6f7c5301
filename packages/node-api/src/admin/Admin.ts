import { posix } from 'node:path'
import { Hex, Id, type Json } from '@firn/codec'
import { goQuote } from '@firn/http'
import type { AdminMethods } from '@firn/rpc'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import * as ByteText from '../internal/ByteText.ts'
import * as Cb58Text from '../internal/Cb58Text.ts'
import type { Loggers } from '../Loggers.ts'
import { type Handlers, methodError } from '../Service.ts'
import type { Vms } from '../vms/Vms.ts'
import * as NodeDatabase from './NodeDatabase.ts'
import type { Profiler } from './Profiler.ts'
import * as Stacktrace from './Stacktrace.ts'

/** Options of the Admin API handlers. */
export interface AdminOptions {
  readonly profiler: Pick<Profiler, 'startCpu' | 'stopCpu' | 'memory' | 'lock'>
  readonly vms: Vms
  /** Returns the configuration, as produced by `NodeConfig.toJSON`. */
  readonly config: () => Json.Json
  /** Folder in which `stacktrace.txt` is written. */
  readonly workingFolder: string
}

/** The part of the context that this API uses. */
export type AdminContext = Pick<NodeContext, 'chains' | 'routes' | 'loggers' | 'genesis'>

type Table = typeof AdminMethods

/** Results are never cached, because these methods have side effects or report external changes. */
export const FRESHNESS: FreshnessTable<Table> = {
  'admin.alias': 'volatile',
  'admin.aliasChain': 'volatile',
  'admin.getChainAliases': 'volatile',
  'admin.getLoggerLevel': 'volatile',
  'admin.setLoggerLevel': 'volatile',
  'admin.loadVMs': 'volatile',
  'admin.startCPUProfiler': 'volatile',
  'admin.stopCPUProfiler': 'volatile',
  'admin.memoryProfile': 'volatile',
  'admin.lockProfile': 'volatile',
  'admin.stacktrace': 'volatile',
  'admin.getConfig': 'volatile',
  'admin.dbGet': 'volatile',
}

const MAX_ALIAS_BYTES = 512

/**
 * Returns the handlers of the Admin API. This function never throws; its handlers throw RpcError `RPC_REMOTE`
 * with the node's text.
 * @example
 * ```ts
 * import { Admin, createService } from '@firn/node-api'
 * import { AdminMethods } from '@firn/rpc'
 *
 * declare const context: Parameters<typeof Admin.handlers>[0]
 * declare const options: Parameters<typeof Admin.handlers>[1]
 * const service = createService(AdminMethods, Admin.handlers(context, options))
 * ```
 */
export function handlers(context: AdminContext, parts: AdminOptions): Handlers<Table> {
  return {
    ...aliasHandlers(context),
    ...loggerHandlers(context.loggers),
    ...profileHandlers(parts),
    'admin.loadVMs': async () => {
      const { newVMs, failedVMs } = await parts.vms.load()
      return failedVMs.size === 0 ? { newVMs } : { newVMs, failedVMs }
    },
    'admin.getConfig': () => parts.config(),
    'admin.dbGet': ({ key }) => {
      const bytes = ByteText.decode(key, 'hexnc')
      if (typeof bytes === 'string') throw methodError(bytes)
      const { value, errorCode } = NodeDatabase.get(bytes, context.genesis)
      return { value: value === undefined ? '' : Hex.encode(value), errorCode }
    },
  }
}

function aliasHandlers({
  chains,
  routes,
}: AdminContext): Pick<Handlers<Table>, 'admin.alias' | 'admin.aliasChain' | 'admin.getChainAliases'> {
  return {
    'admin.alias': ({ endpoint, alias }) => {
      assertLength(alias)
      routes.alias(endpoint, alias)
      return {}
    },
    'admin.aliasChain': ({ chain, alias }) => {
      assertLength(alias)
      const found = chains.lookup(chain)
      if (found === undefined) throw methodError(`there is no ID with alias: ${chain}`)
      chains.add(found.id, alias)
      // The alias is kept for the chain even if its path is already in use.
      routes.alias(`bc/${Id.format(found.id)}`, pathOf(alias))
      return {}
    },
    'admin.getChainAliases': ({ chain }) => {
      const id = Cb58Text.id(chain)
      if (typeof id === 'string') throw methodError(id)
      return { aliases: chains.aliases(id) ?? null }
    },
  }
}

/** Returns the path of a chain's alias as Go's `path.Join` does: cleaned, and `bc` alone for an empty alias. */
function pathOf(alias: string): string {
  return posix.join('bc', alias).replace(/\/$/, '')
}

function assertLength(alias: string): void {
  if (Buffer.byteLength(alias, 'utf8') > MAX_ALIAS_BYTES) throw methodError('alias length is too long')
}

function loggerHandlers(
  loggers: Loggers,
): Pick<Handlers<Table>, 'admin.getLoggerLevel' | 'admin.setLoggerLevel'> {
  /** Returns the selected logger names. An empty name selects all loggers. */
  const namesOf = (name: string): readonly string[] => {
    if (name === '') return loggers.names()
    if (loggers.levels(name) === undefined) throw methodError(`logger with name ${goQuote(name)} not found`)
    return [name]
  }
  const levelsOf = (names: readonly string[]) => ({
    loggerLevels: new Map(names.map((name) => [name, loggers.levels(name) as NonNullable<LevelsOf>])),
  })
  return {
    'admin.getLoggerLevel': ({ loggerName }) => levelsOf(namesOf(loggerName)),
    'admin.setLoggerLevel': ({ loggerName, logLevel, displayLevel }) => {
      if (logLevel === undefined && displayLevel === undefined)
        throw methodError('need to specify either displayLevel or logLevel')
      const names = namesOf(loggerName)
      for (const name of names) {
        loggers.setLevels(name, {
          ...(logLevel === undefined ? {} : { logLevel }),
          ...(displayLevel === undefined ? {} : { displayLevel }),
        })
      }
      return levelsOf(names)
    },
  }
}

type LevelsOf = ReturnType<Loggers['levels']>

function profileHandlers({
  profiler,
  workingFolder,
}: AdminOptions): Pick<
  Handlers<Table>,
  | 'admin.startCPUProfiler'
  | 'admin.stopCPUProfiler'
  | 'admin.memoryProfile'
  | 'admin.lockProfile'
  | 'admin.stacktrace'
> {
  const done = (work: () => Promise<void>) => async () => {
    await work()
    return {}
  }
  return {
    'admin.startCPUProfiler': done(() => profiler.startCpu()),
    'admin.stopCPUProfiler': done(() => profiler.stopCpu()),
    'admin.memoryProfile': done(() => profiler.memory()),
    'admin.lockProfile': done(() => profiler.lock()),
    'admin.stacktrace': done(() => Stacktrace.write(workingFolder)),
  }
}
