import { channel } from 'node:diagnostics_channel'
import { styleText } from 'node:util'
import { LogEvent, type Logger } from '@firn/runtime'
import { LEVELS, type Level } from './Common.ts'
import type { Terminal } from './Terminal.ts'

/** One log line. */
interface Line {
  readonly level: string
  /** Time in milliseconds since the Unix epoch, or as an ISO 8601 string. */
  readonly time: number | string
  readonly message: string
  readonly facts: object
}

const COLORS: Readonly<Record<string, 'red' | 'yellow' | 'gray'>> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  debug: 'gray',
  trace: 'gray',
  verbo: 'gray',
}

function formatFact(value: unknown): string | undefined {
  if (value instanceof Error) return value.message
  if (typeof value === 'bigint' || typeof value === 'string') return String(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  // An error may already be serialized as JSON, so the message is also read from a plain object.
  const message =
    typeof value === 'object' && value !== null && 'message' in value ? value.message : undefined
  return typeof message === 'string' ? message : undefined
}

/**
 * Formats an event with its fields in parentheses, such as `reached the head (chain 43113, height 37)`. Omits
 * nested objects, and fields whose value the event text already contains.
 *
 * @example
 * ```ts
 * import { Log } from '@firn/options'
 *
 * Log.formatEvent({ chain: 43113, height: 37 }, 'reached the head') // 'reached the head (chain 43113, height 37)'
 * ```
 */
export function formatEvent(facts: object, event: string): string {
  const shown = Object.entries(facts).flatMap(([key, value]) => {
    const text = formatFact(value)
    const name = key === 'err' || key === 'error' ? 'reason' : key
    return text === undefined || text === '' || event.includes(text) ? [] : [`${name} ${text}`]
  })
  return shown.length === 0 ? event : `${event} (${shown.join(', ')})`
}

/** Formats a log line for people, such as `08:25:31 warn  a node does not respond (reason …)`. */
function formatReadable({ level, time, message, facts }: Line, isColored: boolean): string {
  const color = COLORS[level]
  const padded = level.padEnd(5)
  const shown =
    isColored && color !== undefined ? styleText(color, padded, { validateStream: false }) : padded
  return `${new Date(time).toISOString().slice(11, 19)} ${shown} ${formatEvent(facts, message)}`
}

const replace = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Error ? { message: value.message, stack: value.stack } : value
}

function formatJson({ level, time, message, facts }: Line): string {
  return JSON.stringify({ level, time: new Date(time).toISOString(), ...facts, msg: message }, replace)
}

const events = channel(LogEvent.CHANNEL)

/** Level from which lines are published even if the terminal does not show them. */
const PUBLISHED = LEVELS.indexOf('info')

/**
 * Publishes a log line within this process, for the endpoints for operators, which show the newest lines.
 *
 * @example
 * ```ts
 * import { Log } from '@firn/options'
 *
 * Log.publish({ time: Date.now(), level: 'info', message: 'reached the head', facts: { height: 37 } })
 * ```
 */
export function publish(event: LogEvent.LogEvent): void {
  if (events.hasSubscribers) events.publish(event)
}

/**
 * Creates a logger that writes to a terminal: readable lines if the terminal is interactive, otherwise JSON.
 * The terminal determines the level. The default is `warn` if the terminal is interactive, because log lines
 * would disturb the progress display, and otherwise `info`.
 *
 * @example
 * ```ts
 * import { Log, type Terminal } from '@firn/options'
 *
 * declare const terminal: Terminal
 * Log.create(terminal, Date.now).info({ height: 37 }, 'reached the head')
 * ```
 */
export function create(terminal: Terminal, now: () => number): Logger {
  const { isInteractive, isColored = false, logLevel = isInteractive ? 'warn' : 'info' } = terminal
  const least = LEVELS.indexOf(logLevel)
  const at = (level: Level) => (facts: object, message: string) => {
    const place = LEVELS.indexOf(level)
    const line = { level, time: now(), message, facts }
    if (place >= Math.min(least, PUBLISHED)) publish(line)
    if (place < least) return
    terminal.note(isInteractive ? formatReadable(line, isColored) : formatJson(line))
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Destination of JSON lines, such as standard output. */
export interface Destination {
  write(text: string): unknown
  readonly isTTY?: boolean
}

/**
 * Returns a destination for a logger that writes JSON. The destination makes lines readable at a terminal,
 * and otherwise writes them unchanged.
 *
 * @example
 * ```ts
 * import { Log } from '@firn/options'
 *
 * const log = Log.toReadable(process.stdout, process.env)
 * log.write('{"level":"info","time":"2026-01-02T03:04:05.678Z","msg":"started"}')
 * // at a terminal: 03:04:05 info  started
 * ```
 */
export function toReadable(
  destination: Destination,
  environment: Readonly<Record<string, string | undefined>>,
): { write(text: string): unknown } {
  if (destination.isTTY !== true) return destination
  const isColored = !environment['NO_COLOR']
  return {
    write: (text) => {
      const { level, time, msg, ...facts } = JSON.parse(text) as Readonly<Record<string, string>>
      const { pid: _pid, hostname: _hostname, logger: _logger, ...shown } = facts
      const line = { level: String(level).toLowerCase(), time: time ?? 0, message: msg ?? '', facts: shown }
      return destination.write(`${formatReadable(line, isColored)}\n`)
    },
  }
}
