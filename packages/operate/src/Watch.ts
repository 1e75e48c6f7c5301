import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Refusals } from '@firn/http'
import { LogEvent } from '@firn/runtime'
import { UpstreamMetrics } from '@firn/tracing'
import * as Redaction from './Redaction.ts'
import { LEVELS, type Level, type LimitedCaller, type LogLine, type Upstream } from './Shapes.ts'

/** Observations of this process since the watch was started: upstreams, refused callers, and the tail of the log. */
export interface Watch {
  upstreams(): readonly Upstream[]
  limited(): readonly LimitedCaller[]
  /** Returns the newest lines of at least a level, oldest first. */
  lines(query: { readonly level: Level; readonly limit: number }): readonly LogLine[]
  close(): void
}

/** Number of log lines that are kept. */
export const MAX_LINES = 1_000
/** Number of upstreams and of limited callers that are kept; those that were seen least recently are dropped. */
const MAX_ENTRIES = 500
/** Weight of a request in the mean time. */
const WEIGHT = 0.1

/**
 * Starts to collect what the services of this process report of themselves. `now` returns the time in milliseconds since
 * 1970.
 */
export function start(now: () => number): Watch {
  const upstreams = new Map<string, Upstream>()
  const limited = new Map<string, LimitedCaller>()
  const lines: LogLine[] = []
  let sequence = 0
  const seconds = () => Math.floor(now() / 1000)
  const onUpstream = (message: unknown) => {
    const { service, upstream, milliseconds, failure } = message as UpstreamMetrics.UpstreamRequest
    const key = `${service} ${upstream}`
    const before = upstreams.get(key)
    const { requests = 0, failures = 0, meanMilliseconds = milliseconds } = before ?? {}
    keep(upstreams, key, {
      ...before,
      ...{ service, upstream, isHealthy: failure === undefined, requests: requests + 1 },
      failures: failures + (failure === undefined ? 0 : 1),
      meanMilliseconds: meanMilliseconds + (milliseconds - meanMilliseconds) * WEIGHT,
      ...(failure === undefined
        ? { lastSuccess: seconds() }
        : {
            lastFailure: seconds(),
            lastError: Redaction.ofText(typeof failure === 'string' ? failure : failure.message),
          }),
    })
  }
  const onRefusal = (message: unknown) => {
    const { service, caller, limit } = message as Refusals.Refusal
    const key = `${service} ${limit} ${caller}`
    const before = limited.get(key)
    const lastAt = seconds()
    // A caller may be refused thousands of times a second.
    const first = before ?? { service, caller: Redaction.ofText(caller), limit, refusals: 0, firstAt: lastAt }
    keep(limited, key, { ...first, refusals: first.refusals + 1, lastAt })
  }
  const onLog = (event: unknown) => {
    const { time, level, message, facts } = event as LogEvent.LogEvent
    const line = { time, level: levelOf(level), message: Redaction.ofText(message) }
    lines.push({ sequence: ++sequence, ...line, facts: Redaction.ofFacts(facts) })
    if (lines.length > MAX_LINES) lines.shift()
  }
  const subscriptions = [
    [UpstreamMetrics.CHANNEL, onUpstream],
    [Refusals.CHANNEL, onRefusal],
    [LogEvent.CHANNEL, onLog],
  ] as const
  for (const [name, listener] of subscriptions) subscribe(name, listener)
  return {
    upstreams: () => [...upstreams.values()],
    limited: () => [...limited.values()].toReversed(),
    lines: ({ level, limit }) =>
      lines.filter((line) => LEVELS.indexOf(line.level) >= LEVELS.indexOf(level)).slice(-limit),
    close: () => {
      for (const [name, listener] of subscriptions) unsubscribe(name, listener)
    },
  }
}

/** Sets an entry as the newest one, and drops the oldest one of too many. */
function keep<T>(entries: Map<string, T>, key: string, value: T): void {
  entries.delete(key)
  entries.set(key, value)
  const [oldest] = entries.keys()
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
}

const NAMES: Readonly<Record<string, Level>> = { trace: 'debug', verbo: 'debug', fatal: 'error' }

function levelOf(name: string): Level {
  const lower = name.toLowerCase()
  return NAMES[lower] ?? LEVELS.find((level) => level === lower) ?? 'info'
}
