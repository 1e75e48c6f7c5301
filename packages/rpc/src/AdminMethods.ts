import type { Json } from '@firn/codec'
import { isObject } from './internal/composites.ts'
import { define, mismatch, type Schema as ValueSchema } from './internal/schema.ts'
import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/** The log levels by increasing verbosity; `TRACE` lies above `DEBUG`. */
export const LOG_LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number]

const LEVELS = Schema.oneOf(...LOG_LEVELS)

/** The name of a level: any case as an argument, upper case in answers. */
const logLevel: ValueSchema<LogLevel> = {
  ...LEVELS,
  accept: (json, path = '$') => LEVELS.accept(typeof json === 'string' ? json.toUpperCase() : json, path),
}

/** The levels of one logger: `logLevel` for its file, `displayLevel` for standard output. */
export const LoggerLevels = Schema.struct({ logLevel, displayLevel: logLevel })

/** The value of {@link LoggerLevels}. */
export type LoggerLevels = Schema.Infer<typeof LoggerLevels>

const loggerLevels = Schema.struct({ loggerLevels: Schema.map(Schema.string, LoggerLevels) })

/** A JSON object whose members keep their order; 64-bit numbers are bigint. */
const anyObject: ValueSchema<Json.Json> = define({
  parse: (json, path) => {
    if (!isObject(json)) throw mismatch('an object', json, path)
    return Schema.json.parse(json, path)
  },
  format: (value) => value,
  zero: () => ({}),
})

/** The Admin API of a node, served at `/ext/admin` when it is enabled. */
export const AdminMethods = {
  'admin.alias': { params: Schema.struct({ endpoint: Schema.string, alias: Schema.string }), result: none },
  /** `chain` is an id or an alias. */
  'admin.aliasChain': { params: Schema.struct({ chain: Schema.string, alias: Schema.string }), result: none },
  /**
   * `chain` is an id. Returns the aliases in the order in which they were assigned, null for an id without
   * aliases.
   */
  'admin.getChainAliases': {
    params: Schema.struct({ chain: Schema.string }),
    result: Schema.struct({ aliases: Schema.nullable(Schema.array(Schema.string)) }),
  },
  /** Without a name: all loggers. */
  'admin.getLoggerLevel': { params: Schema.struct({ loggerName: Schema.string }), result: loggerLevels },
  'admin.setLoggerLevel': {
    params: Schema.struct({
      loggerName: Schema.string,
      logLevel: Schema.optional(logLevel),
      displayLevel: Schema.optional(logLevel),
    }),
    result: loggerLevels,
  },
  /** The names of each VM by its id, and for those that failed to start the reason. */
  'admin.loadVMs': {
    params: none,
    result: Schema.struct({
      newVMs: Schema.map(Schema.id, Schema.array(Schema.string)),
      failedVMs: Schema.optional(Schema.map(Schema.id, Schema.string)),
    }),
  },
  'admin.startCPUProfiler': { params: none, result: none },
  'admin.stopCPUProfiler': { params: none, result: none },
  'admin.memoryProfile': { params: none, result: none },
  'admin.lockProfile': { params: none, result: none },
  'admin.stacktrace': { params: none, result: none },
  'admin.getConfig': { params: none, result: anyObject },
  /** `value` is 0x-hex, empty for a miss; `errorCode` 0 found, 1 database closed, 2 not found. */
  'admin.dbGet': {
    params: Schema.struct({ key: Schema.string }),
    result: Schema.struct({ value: Schema.string, errorCode: Schema.integer }),
  },
} satisfies MethodTable
