import type { Logger } from '@firn/runtime'
import * as SlowLog from './SlowLog.ts'
import * as Tracing from './Tracing.ts'

/** What a process records about its requests, until it is closed. */
export interface Diagnostics {
  /** Sends the remaining spans, for at most a few seconds. Never throws. */
  close(): Promise<void>
}

/** Options of {@link start}. Without a threshold and an endpoint, nothing is recorded. */
export interface DiagnosticsOptions extends SlowLog.SlowLogOptions, Tracing.TracingOptions {}

type Log = Pick<Logger, 'info' | 'warn'>

/**
 * Starts to log slow requests and statements of this process, and to trace its requests.
 *
 * @example
 * ```ts
 * import { Diagnostics } from '@firn/tracing'
 * import { silentLogger } from '@firn/runtime'
 *
 * const program = { name: 'firn-data-api', version: '0.2.0' }
 * const diagnostics = await Diagnostics.start({ slowThreshold: 1_000 }, program, silentLogger)
 * await diagnostics.close()
 * ```
 */
export async function start(
  options: DiagnosticsOptions,
  program: Tracing.Program,
  log: Log,
): Promise<Diagnostics> {
  const tracing = await Tracing.start(options, program, log)
  const slow = SlowLog.start(options, log)
  return {
    close: async () => {
      slow.close()
      await tracing.close()
    },
  }
}

/**
 * Runs `work` with diagnostics, and returns its result.
 *
 * @example
 * ```ts
 * import { Diagnostics } from '@firn/tracing'
 * import { silentLogger } from '@firn/runtime'
 *
 * const program = { name: 'firn-data-api', version: '0.2.0' }
 * await Diagnostics.during({ slowThreshold: 1_000 }, program, silentLogger, async () => 'served')
 * ```
 * @throws the errors of `work`
 */
export async function during<T>(
  options: DiagnosticsOptions,
  program: Tracing.Program,
  log: Log,
  work: () => Promise<T>,
): Promise<T> {
  const diagnostics = await start(options, program, log)
  try {
    return await work()
  } finally {
    await diagnostics.close()
  }
}
