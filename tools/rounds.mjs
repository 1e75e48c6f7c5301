// Takes the place of fast-check in tests: by default a property has a quarter of its rounds.
import * as fastCheck from 'fast-check'

const SHARE = Number(process.env.FIRN_ROUNDS ?? 0.25)
const LEAST = 5
const DEFAULT_RUNS = 100

/** Runs a property. Rounds that are given for a reason, such as examples or a replayed path, stay as they are. */
export const assert = (property, { numRuns = DEFAULT_RUNS, ...rest } = {}) =>
  fastCheck.assert(property, {
    ...rest,
    numRuns: 'path' in rest ? numRuns : Math.ceil(Math.max(numRuns * SHARE, Math.min(numRuns, LEAST))),
  })

export * from 'fast-check'
// biome-ignore lint/style/noDefaultExport: tests import the default of fast-check.
export default { ...fastCheck.default, assert }
