// Adds up the results of the steps of .ci/run: vitest's result files, the conformance runner's lines, and
// exit codes.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportSkipped } from '../tools/start/src/skipped.mjs'
import { slowest } from '../tools/start/src/slowest.mjs'
import { failuresOf, testFiles } from './results.mjs'

const logs = process.argv[2]
/** Result files of the tests: of the first run, if there were two, and of the last one. */
const RUNS = [join(logs, 'first.json'), '.firn/vitest.json']
const problems = []

const testResults = () => {
  const files = testFiles(RUNS)
  const passed = files.flatMap((file) => file.assertionResults.filter(({ status }) => status === 'passed'))
  return { passed: passed.length, failed: files.flatMap(failuresOf).length }
}

/**
 * Returns the sums of the lines `<file>: N cases, N passed, N failed, N skipped`. The lines of a README have
 * commands instead of cases.
 */
const fileResults = (log) => {
  const sum = { passed: 0, failed: 0 }
  const line = /([\w./-]+\.jsonl?|[\w./-]+): \d+ (?:cases|commands), (\d+) passed, (\d+) failed, \d+ skipped/g
  for (const [, file, passed, failed] of readFileSync(log, 'utf8').matchAll(line)) {
    if (/^(total|all)$/i.test(file)) continue
    sum.passed += Number(passed)
    sum.failed += Number(failed)
  }
  return sum
}

const countsOf = (step) => {
  if (step === 'test') return testResults()
  if (step === 'readmes' || step.startsWith('conformance')) return fileResults(join(logs, `${step}.log`))
  return { passed: 0, failed: 0 }
}

/** Steps that count nothing. */
const UNCOUNTED = ['install', 'check']

console.log(['slowest test files:', ...slowest(testFiles(RUNS))].join('\n'))

const total = { passed: 0, failed: 0 }
for (const file of readdirSync(logs).filter((name) => name.endsWith('.code'))) {
  const step = file.slice(0, -'.code'.length)
  const code = Number(readFileSync(join(logs, file), 'utf8'))
  const { passed, failed } = countsOf(step)
  const isCounted = !UNCOUNTED.includes(step)
  if (isCounted && passed + failed === 0) problems.push(`${step} ran no tests`)
  if (code !== 0) problems.push(`${step} exited with ${code}`)
  const isBroken = failed === 0 && (code !== 0 || (isCounted && passed === 0))
  total.passed += passed
  total.failed += isBroken ? 1 : failed
}

if (reportSkipped(testFiles(RUNS), process.env)) problems.push('tests were skipped')

const firstFailures = join(logs, 'first.failures')
if (existsSync(firstFailures)) {
  for (const line of readFileSync(firstFailures, 'utf8').trim().split('\n'))
    console.log(`failed at first: ${line}`)
}
if (problems.length > 0) execFileSync('node', ['.ci/failed.mjs', ...RUNS], { stdio: 'inherit' })
for (const problem of problems) console.log(`problem: ${problem}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = problems.length > 0 || total.failed > 0 || total.passed === 0 ? 1 : 0
