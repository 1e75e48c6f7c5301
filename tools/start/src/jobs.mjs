// What each npm script runs.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './BundleManifest.mjs'

/**
 * `direct` are arguments of Node.js. It runs in the folder from which npm was called, without turbo, because the results
 * cannot be cached and it may need the terminal. `tasks` run through turbo, with its `flags`. `paths`: arguments may be paths
 * relative to the folder from which npm was called.
 * @typedef {{ direct: string[] } | { tasks: string[], flags?: string[], paths?: true }} Job
 */

/**
 * Returns the arguments with which Node.js runs a program from its sources.
 * @param {string} path
 */
const source = (path) => ['--conditions=source', join(ROOT, path)]

/**
 * Returns the arguments with which Node.js runs a program from its bundle, or from its sources if they have changed since.
 * @param {string} path
 */
const bundled = (path) => [
  '--conditions=source',
  `--import=${pathToFileURL(join(ROOT, 'tools/start/src/bundled.mjs'))}`,
  join(ROOT, path),
]

const firn = bundled('tools/cli/src/main.ts')

/** @type {Readonly<Record<string, Job>>} */
export const JOBS = {
  start: { direct: [...firn, 'start'] },
  firn: { direct: firn },
  openapi: { direct: source('tools/openapi/src/writeClientSource.ts') },
  observability: { direct: source('tools/deploy/src/observability/writeFiles.ts') },
  options: { direct: source('tools/cli/src/writeOptionTables.ts') },
  relayer: { direct: bundled('examples/relayer/src/main.ts') },
  tour: { direct: bundled('examples/tour/src/main.ts') },
  test: { direct: [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', ROOT] },
  check: { tasks: ['types', 'lint', 'check'], flags: ['--continue'] },
  build: { tasks: ['types', 'bundle'] },
  bench: { tasks: ['bench'], flags: ['--filter=@firn/bench', '--log-prefix=none'] },
  api: { direct: [...source('tools/check/src/main.ts'), '--write-api'] },
  diagrams: { direct: [...source('tools/check/src/main.ts'), '--write-diagrams'] },
  structure: { direct: [...source('tools/check/src/main.ts'), '--structure'] },
  installs: { tasks: ['installs'], flags: ['--log-prefix=none'] },
  conformance: { tasks: ['conformance'], flags: ['--log-prefix=none'], paths: true },
  fuzz: { tasks: ['fuzz'], flags: ['--log-prefix=none'] },
  mutants: { direct: source('tools/mutants/src/main.ts') },
  node: { direct: ['--conditions=source'] },
  docs: { direct: source('docs/src/main.ts') },
  soak: { direct: source('tools/bench/src/soak/main.ts') },
  rehearse: { direct: source('tools/deploy/src/main.ts') },
  release: { direct: source('tools/release/src/main.ts') },
  readmes: { tasks: ['readmes'], flags: ['--log-prefix=none'] },
}

/** Commands that `npm start --` accepts as its first argument, to start another service instead of the aggregator. */
const SERVICES = ['demo', 'node', 'data-api', 'up', 'evm']

/**
 * Returns the job of an npm script with the given arguments, or undefined if there is no such script.
 * @param {string} name
 * @param {readonly string[]} given
 * @returns {Job | undefined}
 */
export const find = (name, given) => {
  const isOther = name === 'start' && SERVICES.includes(given[0] ?? '')
  return Object.hasOwn(JOBS, name) ? JOBS[isOther ? 'firn' : name] : undefined
}

/**
 * Returns the program of a job, from `node_modules/.bin`, and its arguments. `toPath` makes the paths among them absolute.
 * @param {Job} job
 * @param {readonly string[]} given
 * @param {(argument: string) => string} toPath
 * @returns {{ program: string, argv: string[] }}
 */
export const toCommand = (job, given, toPath) =>
  'direct' in job
    ? { program: 'node', argv: [...job.direct, ...given] }
    : {
        program: 'turbo',
        argv: ['run', ...job.tasks, ...(job.flags ?? []), '--', ...(job.paths ? given.map(toPath) : given)],
      }
