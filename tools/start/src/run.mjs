// Runs every npm script. It requires only Node 20.19 or later: it installs missing dependencies, then runs
// the task through turbo, with the workspace's own Node and pnpm first in PATH.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { ROOT } from './BundleManifest.mjs'
import { hashManifests, install, isInstalled, markInstalled } from './install.mjs'
import { find, JOBS, toCommand } from './jobs.mjs'
import { reportSkipped } from './skipped.mjs'
import { fail, supervise, WINDOWS } from './supervise.mjs'

const BIN = join(ROOT, 'node_modules/.bin')
/** Results of the last run of the tests. */
const RESULTS = join(ROOT, '.firn/vitest.json')
/** Folder from which npm was called. npm changes to the root before it runs a script. */
const CALLED = process.env['INIT_CWD'] ?? process.cwd()

const assertNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(
    `needs Node 20.19 or later to start (this is ${process.versions.node}); get one from https://nodejs.org.`,
  )
}

/** Installs missing dependencies, and bundles the programs, so that they start quickly until a source changes. */
const prepare = async () => {
  const hash = hashManifests(ROOT)
  if (isInstalled(ROOT, hash)) return
  await install(ROOT)
  const child = spawn(join(BIN, 'node'), [join(ROOT, 'tools/start/src/bundle.mjs')], {
    stdio: 'inherit',
    shell: WINDOWS,
  })
  const code = await supervise(child).catch((error) => fail(`could not run node (${error.message}).`))
  if (code !== 0) process.exit(code)
  markInstalled(ROOT, hash)
}

/**
 * Returns the absolute path of an argument that names a file, and other arguments as they are.
 * @param {string} argument
 */
const toPath = (argument) => {
  const path = resolve(CALLED, argument)
  return !argument.startsWith('-') && existsSync(path) ? path : argument
}

/** @param {string} name @param {readonly string[]} rest */
const main = async (name, rest) => {
  assertNode()
  const given = rest[0] === '--' ? rest.slice(1) : rest
  const job =
    find(name, given) ?? fail(`unknown task ${JSON.stringify(name)}; known: ${Object.keys(JOBS).join(', ')}.`)
  await prepare()
  const { program, argv } = toCommand(job, given, toPath)
  const child = spawn(join(BIN, program), argv, {
    cwd: 'direct' in job ? CALLED : ROOT,
    stdio: 'inherit',
    shell: WINDOWS,
    env: {
      ...process.env,
      PATH: `${BIN}${delimiter}${process.env['PATH']}`,
      // Stripping the types from sources and compiling them takes half of a command's start time, so the
      // compiled code is cached.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(ROOT, 'node_modules/.node-compile-cache'),
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
    },
  })
  process.exitCode = await supervise(child).catch((error) =>
    fail(`could not run ${program} (${error.message}).`),
  )
  // Arguments select some tests. All other tests then count as skipped and are not reported.
  if (name !== 'test' || given.length > 0 || !existsSync(RESULTS)) return
  if (reportSkipped(JSON.parse(readFileSync(RESULTS, 'utf8')).testResults, process.env))
    process.exitCode ||= 1
}

await main(process.argv[2] ?? '', process.argv.slice(3))
