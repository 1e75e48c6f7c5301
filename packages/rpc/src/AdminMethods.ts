import type { Json } from '@firn/codec'
import { isObject } from './internal/composites.ts'
import { define, mismatch, type Schema as ValueSchema } from './internal/schema.ts'
import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/** The log levels in order of increasing verbosity. `TRACE` comes before `DEBUG`. */
export const LOG_LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const

/** A log level, one of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number]

const LEVELS = Schema.oneOf(...LOG_LEVELS)

/** Name of a log level. Arguments are accepted in any case; responses contain uppercase. */
const logLevel: ValueSchema<LogLevel> = {
  ...LEVELS,
  accept: (json, path = '$') => LEVELS.accept(typeof json === 'string' ? json.toUpperCase() : json, path),
}

/** The levels of one logger: `logLevel` for its file and `displayLevel` for standard output. */
export const LoggerLevels = Schema.struct({ logLevel, displayLevel: logLevel })

/** The TypeScript type of {@link LoggerLevels}. */
export type LoggerLevels = Schema.Infer<typeof LoggerLevels>

const loggerLevels = Schema.struct({ loggerLevels: Schema.map(Schema.string, LoggerLevels) })

/** A JSON object. The order of its members is kept; numbers beyond 2^53 are bigint. */
const anyObject: ValueSchema<Json.Json> = define({
  shape: { kind: 'object' },
  parse: (json, path) => {
    if (!isObject(json)) throw mismatch('an object', json, path)
    return Schema.json.parse(json, path)
  },
  format: (value) => value,
  zero: () => ({}),
})

/** Methods of the Admin API of a node, which is served at `/ext/admin` if it is enabled. */
export const AdminMethods = {
  'admin.alias': {
    params: Schema.struct({ endpoint: Schema.string, alias: Schema.string }),
    result: none,
    isOnce: true,
  },
  /** Adds an alias to a chain. `chain` is an id or an alias. */
  'admin.aliasChain': {
    params: Schema.struct({ chain: Schema.string, alias: Schema.string }),
    result: none,
    isOnce: true,
  },
  /**
   * Returns the aliases of the chain with the id `chain`, in the order in which they were assigned. The
   * result is null for an id without aliases.
   */
  'admin.getChainAliases': {
    params: Schema.struct({ chain: Schema.string }),
    result: Schema.struct({ aliases: Schema.nullable(Schema.array(Schema.string)) }),
  },
  /** Returns the levels of a logger, or of all loggers if no name is given. */
  'admin.getLoggerLevel': { params: Schema.struct({ loggerName: Schema.string }), result: loggerLevels },
  'admin.setLoggerLevel': {
    params: Schema.struct({
      loggerName: Schema.string,
      logLevel: Schema.optional(logLevel),
      displayLevel: Schema.optional(logLevel),
    }),
    result: loggerLevels,
  },
  /**
   * Returns the names of each newly loaded VM by its id, and the reason of failure for each VM that failed to
   * start.
   */
  'admin.loadVMs': {
    params: none,
    result: Schema.struct({
      newVMs: Schema.map(Schema.id, Schema.array(Schema.string)),
      failedVMs: Schema.optional(Schema.map(Schema.id, Schema.string)),
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
    params: Schema.struct({ key: Schema.string }),
    result: Schema.struct({ value: Schema.string, errorCode: Schema.integer }),
  },
} satisfies MethodTable
