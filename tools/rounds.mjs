// Replaces fast-check in tests. By default, a property runs a quarter of its rounds.
import * as fastCheck from 'fast-check'

const SHARE = Number(process.env.FIRN_ROUNDS ?? 0.25)
const LEAST = 5
const DEFAULT_RUNS = 100

/**
 * Runs a property with `SHARE` of its rounds, but with at least `LEAST` (or all, if there are fewer). Runs
 * all rounds when a failure is replayed by its `path`.
 */
export const assert = (property, { numRuns = DEFAULT_RUNS, ...rest } = {}) =>
  fastCheck.assert(property, {
    ...rest,
    numRuns: 'path' in rest ? numRuns : Math.ceil(Math.max(numRuns * SHARE, Math.min(numRuns, LEAST))),
  })

export * from 'fast-check'
// biome-ignore lint/style/noDefaultExport: tests use the default export of fast-check.
export default { ...fastCheck.default, assert }
