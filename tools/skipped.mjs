// Reports the tests that were skipped because this machine lacks a program that they need.
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const WITHOUT_TAG = 'no tag'

/** Returns the numbers of skipped tests by tag and package. A tag names what a test needs. */
const countSkipped = (files) => {
  const counts = new Map()
  for (const { name, assertionResults } of files) {
    const path = relative(ROOT, name).split(sep).slice(0, 2).join('/')
    for (const { tags } of assertionResults.filter(isSkipped)) {
      const tag = tags[0] ?? WITHOUT_TAG
      const inPackages = counts.get(tag) ?? new Map()
      counts.set(tag, inPackages.set(path, (inPackages.get(path) ?? 0) + 1))
    }
  }
  return counts
}

const isSkipped = ({ status }) => status === 'skipped' || status === 'pending'

/**
 * Prints the numbers of skipped tests in vitest's results of test files, and returns whether they count as a
 * failure. With CI=true they do, unless FIRN_EXCUSED lists their tags (such as `FIRN_EXCUSED=redis,go`).
 */
export const reportSkipped = (files, { CI, FIRN_EXCUSED = '' }) => {
  const excused = FIRN_EXCUSED.split(',')
  const missing = []
  for (const [tag, inPackages] of countSkipped(files)) {
    const where = [...inPackages].map(([name, count]) => `${count} in ${name}`).join(', ')
    const isExcused = excused.includes(tag)
    console.log(`not run (${tag}${isExcused ? ', excused' : ''}): ${where}`)
    if (!isExcused) missing.push(tag)
  }
  if (!CI || missing.length === 0) return false
  console.log(`CI runs every test. Install what is missing, or set FIRN_EXCUSED=${missing.join(',')}.`)
  return true
}
