// Replaces fast-check in tests. By default, a property runs a quarter of its rounds.
import * as fastCheck from 'fast-check'

const SHARE = Number(process.env['FIRN_ROUNDS'] ?? 0.25)
const LEAST = 5
const DEFAULT_RUNS = 100

/**
 * Returns the parameters of a property with `share` of its rounds, but with at least `LEAST` (or all, if there are fewer).
 * A failure that is replayed by its `path` runs all rounds.
 * @param {fastCheck.Parameters<any>} [parameters]
 */
export const shorten = ({ numRuns = DEFAULT_RUNS, ...rest } = {}, share = SHARE) => ({
  ...rest,
  numRuns: 'path' in rest ? numRuns : Math.ceil(Math.max(numRuns * share, Math.min(numRuns, LEAST))),
})

/** @type {typeof fastCheck.assert} */
export const assert = (property, parameters) =>
  /** @type {any} */ (fastCheck.assert)(property, shorten(parameters))

export * from 'fast-check'
// biome-ignore lint/style/noDefaultExport: tests use the default export of fast-check.
export default { ...fastCheck.default, assert }
