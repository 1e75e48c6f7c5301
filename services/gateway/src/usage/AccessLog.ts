import { excerpt, isJsonObject } from '@firn/codec'
import type { UsageRequest } from '@firn/service-store'
import { GatewayError } from '../GatewayError.ts'
import type { Costs } from '../methods/MethodCosts.ts'
import { parsePath } from '../request/Route.ts'

/**
 * A value that a log line can contain about a request. A log format defines where each value is in the line's JSON
 * object.
 */
export type Field =
  | 'time'
  | 'chainId'
  | 'method'
  | 'status'
  | 'milliseconds'
  | 'seconds'
  | 'credits'
  | 'token'

/**
 * Position of each field in the JSON object of a line: a member name, or a path of names separated by dots.
 */
export type LogFormat = Readonly<Partial<Record<Field, string>>>

/** Supported log formats by name. */
export const LOG_FORMATS = {
  /** Firn's own format. Times are Unix timestamps in seconds, possibly with fractions, or ISO 8601. */
  firn: {
    time: 'time',
    chainId: 'chainId',
    method: 'method',
    status: 'status',
    milliseconds: 'milliseconds',
    credits: 'credits',
    token: 'token',
  },
  /**
   * Format of an nginx log with `escape=json`, whose members are named like the nginx variables. The nginx
   * configuration must set `rpc_method` from the request body.
   */
  'nginx-json': {
    time: 'time_iso8601',
    chainId: 'request_uri',
    method: 'rpc_method',
    status: 'status',
    seconds: 'request_time',
  },
} as const satisfies Readonly<Record<string, LogFormat>>

const FIELDS: readonly Field[] = [
  'time',
  'chainId',
  'method',
  'status',
  'milliseconds',
  'seconds',
  'credits',
  'token',
]
/** End of the year 9999, in Unix seconds. */
const LATEST = 253_402_300_799
const LONGEST_NAME = 128
const MOST_CREDITS = 1_000_000_000

/** Returns whether a name is a field of a log format. */
export function isField(name: string): name is Field {
  return FIELDS.includes(name as Field)
}

/**
 * Parses a log line. A request without a method or chain is counted under `unknown`. The chain can also be given as a
 * path `/rpc/{chainId}`. If the line contains no credits, the request is counted with the credits of its method.
 * @throws GatewayError `GATEWAY_LOG` with the field, the expected value and the received value
 */
export function parseLogLine(line: string, format: LogFormat, costs: Costs): UsageRequest {
  const row = objectOf(line)
  const read = (field: Field): unknown => {
    const path = format[field]
    return path === undefined ? undefined : path.split('.').reduce(memberOf, row)
  }
  const method = nameOf(read('method'), 'method') ?? 'unknown'
  return {
    time: timeOf(read('time')),
    chainId: chainOf(nameOf(read('chainId'), 'chainId') ?? 'unknown'),
    method,
    status: wholeOf(read('status'), 'status', 100, 599),
    token: nameOf(read('token'), 'token') ?? '',
    milliseconds: durationOf(read('milliseconds'), read('seconds')),
    credits: isAbsent(read('credits'))
      ? costs.of(method)
      : wholeOf(read('credits'), 'credits', 0, MOST_CREDITS),
  }
}

function objectOf(line: string): unknown {
  try {
    const row: unknown = JSON.parse(line)
    if (isJsonObject(row)) return row
  } catch {
    // Invalid JSON leads to the error below.
  }
  throw new GatewayError('GATEWAY_LOG', `expected a JSON object, got ${excerpt(line)}`)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === '-'
}

function nameOf(value: unknown, field: Field): string | undefined {
  if (isAbsent(value)) return undefined
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^[\x21-\x7e]+$/.test(text) && text.length <= LONGEST_NAME) return text
  throw refused(field, `a name of at most ${LONGEST_NAME} printable ASCII characters`, value)
}

function chainOf(name: string): string {
  return name.startsWith('/') ? (parsePath(name)?.name ?? 'unknown') : name
}

function timeOf(value: unknown): number {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  const time = isNumber ? Number(value) : typeof value === 'string' ? Date.parse(value) / 1000 : Number.NaN
  if (time >= 0 && time <= LATEST) return Math.floor(time)
  throw refused('time', 'a Unix timestamp in seconds or an ISO 8601 time', value)
}

function wholeOf(value: unknown, field: Field, least: number, most: number): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (Number.isInteger(number) && (number as number) >= least && (number as number) <= most) {
    return number as number
  }
  throw refused(field, `a whole number from ${least} to ${most}`, value)
}

function durationOf(milliseconds: unknown, seconds: unknown): number {
  const [field, value, factor] = isAbsent(milliseconds)
    ? (['seconds', seconds, 1000] as const)
    : (['milliseconds', milliseconds, 1] as const)
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && number >= 0 && number * factor <= 2_147_483_647) {
    return Math.round(number * factor)
  }
  throw refused(field, 'a response time from 0 to 2147483647 ms', value)
}

function refused(field: Field, expected: string, actual: unknown): GatewayError {
  return new GatewayError('GATEWAY_LOG', `${field}: expected ${expected}, got ${excerpt(actual)}`)
}
