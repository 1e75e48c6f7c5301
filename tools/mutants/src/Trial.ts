import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Result of testing a mutant. `noticed`: a test failed. `timed out`: the tests did not finish in time.
 * `survived`: all tests passed.
 */
export type Verdict = 'noticed' | 'timed out' | 'survived'

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
  const args = [VITEST, 'related', file, '--run', '--bail=1', '--config', CONFIG, '--root', '.']
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore', detached: true })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve('timed out')
      process.kill(-(child.pid as number), 'SIGKILL')
    }, limitMs)
    child.on('error', reject)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? 'survived' : 'noticed')
    })
  })
}
