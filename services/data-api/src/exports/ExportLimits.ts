import type { ExportJobs } from '@firn/service-store'
import * as Caller from '../http/endpoint/Caller.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'

/** Limits of exports. */
export interface ExportLimits {
  /** Limits of callers without a key. */
  readonly anonymous: ExportAllowance
  /** Limits of keys, and of all callers without rate limits. */
  readonly keyed: ExportAllowance
  /** Maximum number of unfinished exports of one caller. */
  readonly maxPerCaller: number
  /** Maximum size of all stored files, in bytes. Callers without a key may use half of it together. */
  readonly maxBytes: number
  /** Time for which results are kept, in milliseconds. */
  readonly retentionMs: number
}

/** What one caller may export. */
export interface ExportAllowance {
  /** Rows after which an export ends with the current day. */
  readonly maxRows: number
  /** Maximum size of the caller's stored files, in bytes. They are compressed. */
  readonly maxBytes: number
}

/** Who starts or reads an export. */
export interface Owner {
  /** Id of the API key; undefined without a key. */
  readonly key: string | undefined
  /** Names under which the caller is limited, the narrowest first. */
  readonly limits: Caller.Caller['limits']
  /** Whether the caller has the limits of callers without a key. */
  readonly isAnonymous: boolean
}

/** Maximum number of unfinished exports. Callers without a key may have half of them together. */
const MAX_JOBS = 1_000
/** Part of all places and of all space that callers without a key may use together. */
const ANONYMOUS_SHARE = 0.5

/** Whose exports a quota limits. */
export type Scope = 'all' | 'anonymous' | 'network' | 'caller'

/** A quota, and whose exports it limits. */
export interface ScopedQuota extends ExportJobs.Quota {
  readonly scope: Scope
}

/** Returns the quotas of a caller's exports. */
export function quotasOf(
  { limits, isAnonymous }: Pick<Owner, 'limits' | 'isAnonymous'>,
  { anonymous, keyed, maxPerCaller, maxBytes }: ExportLimits,
): readonly ScopedQuota[] {
  const own = isAnonymous ? anonymous : keyed
  const share = { unfinished: MAX_JOBS * ANONYMOUS_SHARE, bytes: maxBytes * ANONYMOUS_SHARE }
  return [
    ...limits.map(({ key, factor }, at): ScopedQuota => {
      const scope = at === 0 ? 'caller' : 'network'
      return {
        scope,
        callers: Caller.patternOf(key),
        unfinished: maxPerCaller * factor,
        bytes: own.maxBytes * factor,
      }
    }),
    ...(isAnonymous ? [{ scope: 'anonymous', callers: Caller.ALL_ADDRESSES, ...share } as const] : []),
    { scope: 'all', callers: '%', unfinished: MAX_JOBS, bytes: maxBytes },
  ]
}

/** Returns the error of a new export that exceeds a quota; undefined if it exceeds none. */
export function refusal(
  quotas: readonly ScopedQuota[],
  uses: readonly ExportJobs.Use[],
  { retentionMs }: Pick<ExportLimits, 'retentionMs'>,
): DataApiError | undefined {
  for (const [at, { scope, unfinished, bytes }] of quotas.entries()) {
    const use = uses[at] ?? { unfinished: 0, bytes: 0 }
    if (use.unfinished >= unfinished) return TOO_MANY[scope](unfinished)
    if (use.bytes >= bytes)
      return TOO_LARGE[scope](mebibytes(use.bytes), mebibytes(bytes), hours(retentionMs))
  }
  return undefined
}

/** Returns why an export cannot store a further part; undefined if it can. */
export function excess(quotas: readonly ScopedQuota[], uses: readonly ExportJobs.Use[]): string | undefined {
  const at = quotas.findIndex(({ bytes }, i) => (uses[i]?.bytes ?? 0) >= bytes)
  const quota = quotas[at]
  if (quota === undefined) return undefined
  const most = mebibytes(quota.bytes)
  if (quota.scope === 'all' || quota.scope === 'anonymous')
    return `the service stores at most ${most} MiB of files${quota.scope === 'all' ? '' : ' of callers without a key'}; try again later`
  const whose = quota.scope === 'caller' ? 'your exports' : 'exports of your network'
  const advice = quotas.some(({ scope }) => scope === 'anonymous') ? 'use an API key, or ' : ''
  return `the files of ${whose} may have ${most} MiB together; ${advice}cancel finished ones, or ask for fewer days`
}

const TOO_MANY: Readonly<Record<Scope, (most: number) => DataApiError>> = {
  caller: (most) =>
    limited(`at most ${most} exports of a caller run at once; wait until one has ended, or cancel it`),
  network: (most) =>
    limited(`at most ${most} exports of your network run at once; try again later, or use an API key`),
  anonymous: () => busy('too many exports of callers without a key; try again later, or use an API key'),
  all: () => busy('too many exports; try again later'),
}

const TOO_LARGE: Readonly<Record<Scope, (used: number, most: number, hours: number) => DataApiError>> = {
  caller: (used, most, hours) =>
    limited(
      `your finished exports use ${used} of ${most} MiB; cancel those that you no longer need, or wait until they expire after ${hours} h`,
    ),
  network: (used, most) =>
    limited(`exports of your network use ${used} of ${most} MiB; try again later, or use an API key`),
  anonymous: () =>
    busy('the space for files of callers without a key is used up; try again later, or use an API key'),
  all: () => busy('the space for files of exports is used up; try again later'),
}

const mebibytes = (bytes: number) => Math.round(bytes / 1_048_576)
const hours = (milliseconds: number) => Math.ceil(milliseconds / 3_600_000)

function limited(message: string): DataApiError {
  return new DataApiError('DATA_RATE_LIMIT', message, { details: { headers: { 'retry-after': '10' } } })
}

function busy(message: string): DataApiError {
  return new DataApiError('DATA_UNAVAILABLE', message, { details: { headers: { 'retry-after': '60' } } })
}
