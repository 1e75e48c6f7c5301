import type { Json } from '@firn/codec'
import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'

const none = Layout.struct({})

/** The log levels in order of increasing verbosity. `TRACE` comes before `DEBUG`. */
export const LOG_LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const

/** A log level, one of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Name of a log level. Arguments are accepted in any case; responses contain uppercase. */
const logLevel = Layout.oneOf(LOG_LEVELS, 'upper')

/** The levels of one logger: `logLevel` for its file and `displayLevel` for standard output. */
export const LoggerLevels = Layout.struct({ logLevel, displayLevel: logLevel })

const loggerLevels = Layout.struct({ loggerLevels: Layout.map(Layout.string, LoggerLevels) })

const anyObject: Layout.Layout<Json.Json> = Layout.object

/** Methods of the Admin API of a node, which is served at `/ext/admin` if it is enabled. */
export const AdminMethods = {
  'admin.alias': {
    params: Layout.struct({ endpoint: Layout.string, alias: Layout.string }),
    result: none,
    isOnce: true,
  },
  /** Adds an alias to a chain. `chain` is an id or an alias. */
  'admin.aliasChain': {
    params: Layout.struct({ chain: Layout.string, alias: Layout.string }),
    result: none,
    isOnce: true,
  },
  /**
   * Returns the aliases of the chain with the id `chain`, in the order in which they were assigned. The
   * result is null for an id without aliases.
   */
  'admin.getChainAliases': {
    params: Layout.struct({ chain: Layout.string }),
    result: Layout.struct({ aliases: Layout.nullable(Layout.array(Layout.string)) }),
  },
  /** Returns the levels of a logger, or of all loggers if no name is given. */
  'admin.getLoggerLevel': { params: Layout.struct({ loggerName: Layout.string }), result: loggerLevels },
  'admin.setLoggerLevel': {
    params: Layout.struct({
      loggerName: Layout.string,
      logLevel: Layout.optional(logLevel),
      displayLevel: Layout.optional(logLevel),
    }),
    result: loggerLevels,
  },
  /**
   * Returns the names of each newly loaded VM by its id, and the reason of failure for each VM that failed to
   * start.
   */
  'admin.loadVMs': {
    params: none,
    result: Layout.struct({
      newVMs: Layout.map(Layout.id, Layout.array(Layout.string)),
      failedVMs: Layout.optional(Layout.map(Layout.id, Layout.string)),
    }),
  },
  'admin.startCPUProfiler': { params: none, result: none, isOnce: true },
  'admin.stopCPUProfiler': { params: none, result: none, isOnce: true },
  'admin.memoryProfile': { params: none, result: none },
  'admin.lockProfile': { params: none, result: none },
  'admin.stacktrace': { params: none, result: none },
  'admin.getConfig': { params: none, result: anyObject },
  /**
   * Reads a database entry. `value` is hex with 0x; it is empty if there is no entry. `errorCode` is 0 if the
   * entry was found, 1 if the database is closed and 2 if there is no entry.
   */
  'admin.dbGet': {
    params: Layout.struct({ key: Layout.string }),
    result: Layout.struct({ value: Layout.string, errorCode: Layout.integer }),
  },
} satisfies MethodLayouts
