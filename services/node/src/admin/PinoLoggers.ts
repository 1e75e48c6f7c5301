import { join } from 'node:path'
import type { Level, LoggerLevels, Loggers } from '@firn/node-api'
import { Log } from '@firn/options'
import type { Logger } from '@firn/runtime'
import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { LogFile } from './LogFile.ts'

/** Options of {@link createLoggers}. */
export interface LoggersOptions {
  /** Folder of the log files. It contains one file per logger, such as `main.log` and `P.log`. */
  readonly folder: string
  /** Initial levels of each logger; by default `INFO` for both the file and the display. */
  readonly levels?: Partial<LoggerLevels>
  /** Stream to which displayed lines are written, usually standard output. */
  readonly display: DestinationStream
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /**
   * Maximum size of a log file in bytes; default 8 MiB. `maxFiles` is the number of full files that are kept
   * per logger; default 7.
   */
  readonly maxSize?: number
  readonly maxFiles?: number
}

/**
 * A set of loggers. Each logger writes its lines to a separate file and to a shared display. The file and the
 * display have separate levels.
 */
export interface NodeLoggers extends Loggers {
  /** Returns the logger with this name. The first call creates the logger. */
  get(name: string): Logger
  /** Closes the log files. */
  close(): void
}

const PINO_LEVELS = { verbo: 10, debug: 20, trace: 25, info: 30, warn: 40, error: 50, fatal: 60 }
type PinoLevel = keyof typeof PINO_LEVELS

interface Entry {
  readonly file: LogFile
  /**
   * Pino logger for the file. The display has a second one, because file and display have separate levels.
   */
  readonly toFile: PinoLogger<PinoLevel>
  readonly toDisplay: PinoLogger<PinoLevel>
  readonly logger: Logger
}

/** Creates a set of loggers. Each logger is created on its first use. */
export function createLoggers(options: LoggersOptions): NodeLoggers {
  const entries = new Map<string, Entry>()
  const find = (name: string): Entry => {
    const present = entries.get(name)
    if (present !== undefined) return present
    const entry = createEntry(name, options)
    entries.set(name, entry)
    return entry
  }
  return {
    get: (name) => find(name).logger,
    names: () => [...entries.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    levels: (name) => {
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      return { logLevel: levelOf(entry.toFile), displayLevel: levelOf(entry.toDisplay) }
    },
    setLevels: (name, { logLevel, displayLevel }) => {
      const { toFile, toDisplay } = find(name)
      if (logLevel !== undefined) toFile.level = pinoLevel(logLevel)
      if (displayLevel !== undefined) toDisplay.level = pinoLevel(displayLevel)
    },
    close: () => {
      for (const { file } of entries.values()) file.close()
    },
  }
}

function createEntry(name: string, options: LoggersOptions): Entry {
  const { folder, levels = {}, display, now, maxSize = 8 * 2 ** 20, maxFiles = 7 } = options
  const onLost = (error: unknown) =>
    toDisplay.error({ err: error }, 'log lines lost: the log file cannot be written')
  // The name can be an alias of a chain, and an alias can contain any character.
  const path = join(folder, `${name.replaceAll(/[/\\\0]/g, '_')}.log`)
  const file = new LogFile({ path, maxSize, maxFiles, now, onLost })
  const toFile = createPino(name, levels.logLevel ?? 'INFO', file)
  const toDisplay = createPino(name, levels.displayLevel ?? 'INFO', display)
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (facts: object, message: string) => {
    toFile[level](facts, message)
    toDisplay[level](facts, message)
    if (toFile.isLevelEnabled(level) || toDisplay.isLevelEnabled(level)) {
      Log.publish({ time: now(), level, message, facts: { logger: name, ...facts } })
    }
  }
  const logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  return { file, toFile, toDisplay, logger }
}

function createPino(name: string, level: Level, stream: DestinationStream): PinoLogger<PinoLevel> {
  const options = {
    level: pinoLevel(level),
    customLevels: PINO_LEVELS,
    useOnlyCustomLevels: true as const,
    base: { logger: name },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label.toUpperCase() }) },
  }
  return pino<PinoLevel>(options, stream)
}

function pinoLevel(level: Level): string {
  return level === 'OFF' ? 'silent' : level.toLowerCase()
}

function levelOf(logger: PinoLogger<PinoLevel>): Level {
  return logger.level === 'silent' ? 'OFF' : (logger.level.toUpperCase() as Level)
}
