import { relative } from 'node:path'
import { ROOT } from './BundleManifest.mjs'

/** @typedef {{ readonly name: string, readonly startTime: number, readonly endTime: number, readonly assertionResults: readonly unknown[] }} FileResult */

/**
 * Returns lines with the test files that took longest in vitest's results: seconds, number of tests and path.
 * @param {readonly FileResult[]} files
 */
export const slowest = (files, count = 15) =>
  files
    .toSorted((one, other) => secondsOf(other) - secondsOf(one))
    .slice(0, count)
    .map((file) => {
      const tests = `${file.assertionResults.length} tests`
      return `${secondsOf(file).toFixed(1).padStart(7)} s  ${tests.padStart(9)}  ${relative(ROOT, file.name)}`
    })

/** @param {FileResult} file */
const secondsOf = ({ startTime, endTime }) => (endTime - startTime) / 1_000
