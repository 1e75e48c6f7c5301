import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Result of testing a mutant. `noticed`: a test failed. `timed out`: the tests did not finish in time.
 * `survived`: all tests passed. `untested`: no test of the package imports the file.
 */
export type Verdict = 'noticed' | 'timed out' | 'survived' | 'untested'

const CONFIG = fileURLToPath(new URL('../vitest.config.ts', import.meta.url))
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/**
 * Runs the tests of a package that import `file` until the first failure, and returns the verdict. `mutant`
 * replaces the text of the file, if given. A run that exceeds `limitMs`, for example because of an endless
 * loop, is killed with its child processes.
 */
export async function run(
  folder: string,
  file: string,
  mutant: string | undefined,
  limitMs: number,
): Promise<Verdict> {
  const env = {
    ...process.env,
    ...(mutant === undefined ? {} : { FIRN_MUTANT_FILE: file, FIRN_MUTANT: mutant }),
  }
  const temporary = mkdtempSync(join(tmpdir(), 'firn-mutant-'))
  const results = join(temporary, 'results.json')
  const selection = ['related', file, '--run', '--bail=1', '--root', '.']
  const args = [VITEST, ...selection, '--config', CONFIG, '--outputFile', results]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore', detached: true })
  return new Promise<Verdict>((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve('timed out')
      process.kill(-(child.pid as number), 'SIGKILL')
    }, limitMs)
    child.on('error', reject)
    child.on('exit', (code) => {
      clearTimeout(timer)
      if (code !== 0) resolve('noticed')
      else resolve(countTests(results) === 0 ? 'untested' : 'survived')
    })
  }).finally(() => rmSync(temporary, { recursive: true, force: true }))
}

/** Returns the number of tests in a report of Vitest, which succeeds if it finds no tests. */
function countTests(report: string): number {
  const { numTotalTests } = JSON.parse(readFileSync(report, 'utf8')) as { readonly numTotalTests: number }
  return numTotalTests
}
