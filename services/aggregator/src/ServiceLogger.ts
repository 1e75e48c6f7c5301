import { Log } from '@firn/options'
import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino'
import type { Configuration } from './configuration/Configuration.ts'

/** Pino's names of levels that it does not have. */
const LOG_LEVELS = { verbo: 'trace', off: 'silent' } as const

/** Returns the configured logger, which writes to standard output, and publishes its lines within this process. */
export function createLogger({ logLevel }: Pick<Configuration, 'logLevel'>): Logger {
  const level = logLevel === 'verbo' || logLevel === 'off' ? LOG_LEVELS[logLevel] : logLevel
  const options: LoggerOptions = {
    level,
    base: null,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { logMethod },
    serializers: { err: serializeError },
  }
  const { stdout, env } = process
  return stdout.isTTY ? pino(options, Log.toReadable(stdout, env) as DestinationStream) : pino(options)
}

/**
 * Returns an error as pino writes it, but with a message that does not repeat the messages of causes that it already
 * contains.
 */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return { ...pino.stdSerializers.err(error), message: messageOf(error) }
}

function messageOf(error: Error): string {
  let { message, cause } = error
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    if (!message.includes(cause.message)) message = `${message}: ${cause.message}`
    cause = cause.cause
  }
  return message
}

/** Maximum number of nested causes in a message. */
const MAX_CAUSES = 10

function logMethod(this: Logger, given: unknown[], method: LogFn, level: number): void {
  const [first, second] = given
  const [facts, message] = typeof first === 'string' ? [{}, first] : [first ?? {}, second]
  Log.publish({
    time: Date.now(),
    level: pino.levels.labels[level] ?? 'info',
    message: String(message ?? ''),
    facts: facts instanceof Error ? { err: facts } : (facts as object),
  })
  method.apply(this, given as Parameters<LogFn>)
}
