// Reports the tests that were skipped because this machine lacks a program that they need.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const WITHOUT_TAG = 'no tag'

/**
 * Returns the numbers of skipped tests by tag and package, from the result files of vitest. A tag names what
 * a test needs.
 */
const countSkipped = (root) => {
  const counts = new Map()
  for (const folder of ['packages', 'services', 'tools', 'examples']) {
    for (const name of readdirSync(join(root, folder))) {
      const file = join(root, folder, name, '.firn', 'vitest.json')
      if (!existsSync(file)) continue
      const tests = JSON.parse(readFileSync(file, 'utf8')).testResults.flatMap((it) => it.assertionResults)
      for (const { tags } of tests.filter(({ status }) => status === 'skipped' || status === 'pending')) {
        const tag = tags[0] ?? WITHOUT_TAG
        const inPackages = counts.get(tag) ?? new Map()
        inPackages.set(`${folder}/${name}`, (inPackages.get(`${folder}/${name}`) ?? 0) + 1)
        counts.set(tag, inPackages)
      }
    }
  }
  return counts
}

/**
 * Prints the numbers of skipped tests, and returns whether they count as a failure. With CI=true they do,
 * unless FIRN_EXCUSED lists their tags (such as `FIRN_EXCUSED=redis,go`).
 */
export const reportSkipped = (root, { CI, FIRN_EXCUSED = '' }) => {
  const excused = FIRN_EXCUSED.split(',')
  const missing = []
  for (const [tag, inPackages] of countSkipped(root)) {
    const where = [...inPackages].map(([name, count]) => `${count} in ${name}`).join(', ')
    const isExcused = excused.includes(tag)
    console.log(`not run (${tag}${isExcused ? ', excused' : ''}): ${where}`)
    if (!isExcused) missing.push(tag)
  }
  if (!CI || missing.length === 0) return false
  console.log(`CI runs every test. Install what is missing, or set FIRN_EXCUSED=${missing.join(',')}.`)
  return true
}
