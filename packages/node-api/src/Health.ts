import type { HealthCheck, HealthMethods, HealthReport } from '@firn/rpc'
import { withAnySignal } from '@firn/runtime'
import type { FreshnessTable } from './Context.ts'
import * as GoTime from './internal/GoTime.ts'
import { NodeError } from './NodeError.ts'
import type { Handlers } from './Service.ts'

/** A health check. */
export interface Check {
  readonly name: string
  /**
   * Subnets (cb58) that the check belongs to. A check without tags belongs to the whole process and is part
   * of every report.
   */
  readonly tags?: readonly string[]
  /** Whether the process becomes ready only after this check has passed once. */
  readonly isReadiness?: boolean
  /**
   * Performs the check and returns details to report as JSON, if any. The check fails if this function
   * throws.
   */
  readonly run: (signal: AbortSignal) => unknown
}

/** Runs checks periodically and reports their last results. */
export interface Health {
  report(kind: 'health' | 'readiness' | 'liveness', tags?: readonly string[]): HealthReport
  /** Adds a check. */
  add(check: Check): void
  /** Runs all checks once. */
  refresh(): Promise<void>
  /** Starts running the checks at the given interval, and more often while one of them fails. */
  start(everyMs: number): void
  close(): Promise<void>
}

/** Options of {@link createHealth}. */
export interface HealthOptions {
  readonly checks: readonly Check[]
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Time in milliseconds after which a running check counts as failed. */
  readonly timeoutMs: number
  /**
   * Called when the result of a check changes: the check starts to fail, fails with another error, or passes
   * again (`error` is undefined).
   */
  readonly onTurn?: (name: string, error: string | undefined) => void
}

/** Maximum interval in milliseconds while a check fails, so that reports show the current reason. */
const FAILING_MS = 5_000

const NEVER_RUN: HealthCheck = { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z', duration: 0 }

/** Results are never cached, because this module already keeps the last result of each check. */
export const FRESHNESS: FreshnessTable<typeof HealthMethods> = {
  'health.health': 'volatile',
  'health.liveness': 'volatile',
  'health.readiness': 'volatile',
}

/** Returns the handlers of the Health API. */
export function handlers(health: Health): Handlers<typeof HealthMethods> {
  return {
    'health.health': ({ tags }) => health.report('health', tags),
    'health.liveness': ({ tags }) => health.report('liveness', tags),
    'health.readiness': ({ tags }) => health.report('readiness', tags),
  }
}

/**
 * Creates a {@link Health} with the given checks. No check runs before `refresh` or `start` is called.
 * @example
 * ```ts
 * import { createHealth } from '@firn/node-api'
 *
 * const disk = { name: 'disk', run: () => ({ freeBytes: 8_000_000_000 }) }
 * const health = createHealth({ checks: [disk], now: Date.now, timeoutMs: 1_000 })
 * await health.refresh()
 * health.report('health').healthy // true
 * ```
 */
export function createHealth(options: HealthOptions): Health {
  return new Checks(options)
}

class Checks implements Health {
  readonly #options: HealthOptions
  readonly #checks: Check[]
  readonly #results = new Map<Check, HealthCheck>()
  /** First successful result of each readiness check. */
  readonly #ready = new Map<Check, HealthCheck>()
  readonly #ended = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()

  constructor(options: HealthOptions) {
    this.#options = options
    this.#checks = [...options.checks]
  }

  add(check: Check): void {
    this.#checks.push(check)
  }

  report(kind: 'health' | 'readiness' | 'liveness', tags: readonly string[] = []): HealthReport {
    const checks = this.#checks
    const selected =
      kind === 'health' ? checks : checks.filter((check) => kind === 'readiness' && check.isReadiness)
    const results = selected
      .filter((check) => tags.length === 0 || isTagged(check, tags))
      .map((check) => [check.name, this.#resultOf(check, kind)] as const)
    return { checks: new Map(results), healthy: results.every(([, { error }]) => error === undefined) }
  }

  #resultOf(check: Check, kind: string): HealthCheck {
    const ready = kind === 'readiness' ? this.#ready.get(check) : undefined
    return ready ?? this.#results.get(check) ?? NEVER_RUN
  }

  async refresh(): Promise<void> {
    await Promise.all(this.#checks.map((check) => this.#run(check)))
  }

  start(everyMs: number): void {
    const again = () => {
      this.#round = this.refresh().then(() => {
        if (this.#ended.signal.aborted) return
        const isFailing = [...this.#results.values()].some(({ error }) => error !== undefined)
        this.#timer = setTimeout(again, isFailing ? Math.min(everyMs, FAILING_MS) : everyMs).unref()
      })
    }
    again()
  }

  async close(): Promise<void> {
    this.#ended.abort()
    clearTimeout(this.#timer)
    await this.#round
  }

  async #run(check: Check): Promise<void> {
    const { now, onTurn } = this.#options
    const started = now()
    const start = process.hrtime.bigint()
    const outcome = await this.#outcome(check)
    // Closing aborts running checks. An aborted check has not failed, so its error is ignored.
    if (this.#ended.signal.aborted) return
    const duration = Number(process.hrtime.bigint() - start)
    const timestamp = GoTime.format(BigInt(Math.round(started)) * 1_000_000n)
    const before = this.#results.get(check)
    const result = { ...outcome, timestamp, duration, ...failureFacts(outcome.error, before, timestamp) }
    this.#results.set(check, result)
    if (outcome.error === undefined && check.isReadiness && !this.#ready.has(check))
      this.#ready.set(check, result)
    if (before?.error !== outcome.error) onTurn?.(check.name, outcome.error)
  }

  async #outcome(check: Check): Promise<{ readonly message?: unknown; readonly error?: string }> {
    const { timeoutMs } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    const given = Promise.withResolvers<never>()
    const onAbort = () => given.reject(new NodeError('NODE_UNHEALTHY', `no result within ${timeoutMs} ms`))
    try {
      const message = await withAnySignal([timeout, this.#ended.signal], (signal) => {
        signal.addEventListener('abort', onAbort)
        return Promise.race([check.run(signal), given.promise])
      })
      return message === undefined ? {} : { message }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
}

function isTagged({ tags = [] }: Check, requestedTags: readonly string[]): boolean {
  return tags.length === 0 || tags.some((tag) => requestedTags.includes(tag))
}

/**
 * Returns the time of the first failure and the number of consecutive failures, updated by the current
 * failure.
 */
function failureFacts(
  error: string | undefined,
  before: HealthCheck | undefined,
  timestamp: string,
): Pick<HealthCheck, 'contiguousFailures' | 'timeOfFirstFailure'> {
  if (error === undefined) return {}
  return {
    contiguousFailures: (before?.contiguousFailures ?? 0) + 1,
    timeOfFirstFailure: before?.timeOfFirstFailure ?? timestamp,
  }
}
