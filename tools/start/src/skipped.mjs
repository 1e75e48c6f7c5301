// Reports the tests that were skipped because this machine lacks a program that they need.
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The part of vitest's results of a test file that is read. A tag names what a test needs.
 * @typedef {{ name: string, assertionResults: { status: string, tags: string[] }[] }} TestFile
 */

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const WITHOUT_TAG = 'no tag'

/**
 * Returns the numbers of skipped tests by tag and package.
 * @param {readonly TestFile[]} files
 */
const countSkipped = (files) => {
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map()
  for (const { name, assertionResults } of files) {
    const path = relative(ROOT, name).split(sep).slice(0, 2).join('/')
    for (const { status, tags } of assertionResults) {
      if (status !== 'skipped' && status !== 'pending') continue
      const tag = tags[0] ?? WITHOUT_TAG
      const inPackages = counts.get(tag) ?? new Map()
      counts.set(tag, inPackages.set(path, (inPackages.get(path) ?? 0) + 1))
    }
  }
  return counts
}

/**
 * Prints the numbers of skipped tests in vitest's results of test files, and returns whether they count as a
 * failure. With CI=true they do, unless FIRN_EXCUSED lists their tags (such as `FIRN_EXCUSED=redis,go`).
 * @param {readonly TestFile[]} files
 * @param {Readonly<Record<string, string | undefined>>} environment
 */
export const reportSkipped = (files, { CI, FIRN_EXCUSED = '' }, print = console.log) => {
  const excused = FIRN_EXCUSED.split(',')
  const missing = []
  for (const [tag, inPackages] of countSkipped(files)) {
    const where = [...inPackages].map(([name, count]) => `${count} in ${name}`).join(', ')
    const isExcused = excused.includes(tag)
    print(`not run (${tag}${isExcused ? ', excused' : ''}): ${where}`)
    if (!isExcused) missing.push(tag)
  }
  if (!CI || missing.length === 0) return false
  print(`CI runs every test. Install what is missing, or set FIRN_EXCUSED=${missing.join(',')}.`)
  return true
}
