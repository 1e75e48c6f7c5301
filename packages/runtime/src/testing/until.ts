const { performance, setTimeout } = globalThis
const INTERVAL_MS = 20

/**
 * Repeats `check` until it neither throws nor rejects, and returns its result. The wait ends only with the run of the
 * tests: after `FIRN_WAIT_MS` milliseconds, which the test runner sets, it throws what `check` threw last.
 *
 * @throws what `check` threw last, if the run of the tests ends
 * @example
 * ```ts
 * import { until } from '@firn/runtime/testing'
 *
 * const server = { port: undefined as number | undefined }
 * setTimeout(() => (server.port = 9650), 100)
 * const port = await until(() => {
 *   if (server.port === undefined) throw new RangeError('not listening')
 *   return server.port
 * })
 * console.log(port) // 9650
 * ```
 */
export async function until<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + Number(process.env['FIRN_WAIT_MS'] ?? Number.POSITIVE_INFINITY)
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS))
  }
}
