import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The result of testing a mutant. It is noticed if a test fails, and timed out if the tests do not finish in
 * time.
 */
export type Verdict = 'noticed' | 'timed out' | 'survived'

const CONFIG = fileURLToPath(new URL('../vitest.config.ts', import.meta.url))
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/**
 * Runs the tests of a package that import `file`, with `mutant` as its text if given, until the first one
 * fails. A run that exceeds `limitMs`, for example because of an endless loop, is killed with its child
 * processes.
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
