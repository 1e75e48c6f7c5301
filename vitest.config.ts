import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const ROUNDS = fileURLToPath(new URL('tools/rounds.mjs', import.meta.url))
/** Folder of the tested package, in which its `test` script runs. */
const PACKAGE = process.cwd()

/** Packages whose tests mostly wait for processes and clocks. With one worker, they would take longer than all others. */
const WAITING = ['cli', 'indexer']

/**
 * Number of workers of a package. turbo tests several packages at once, so most have one worker: a second one would load
 * the modules, databases and recorded networks again.
 */
const WORKERS = process.env['TURBO_HASH'] === undefined || WAITING.includes(basename(PACKAGE)) ? 2 : 1

/**
 * One configuration for every package. Sources run without a build. Vitest's root is the root of the repository, because
 * its cache of transformed modules depends on the root: with this root, packages share what they import.
 */
export default defineConfig({
  cacheDir: join(PACKAGE, 'node_modules/.vite'),
  plugins: [
    {
      name: 'rounds',
      enforce: 'pre',
      resolveId: (id, importer) => (id === 'fast-check' && importer !== ROUNDS ? ROUNDS : undefined),
    },
  ],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    dir: PACKAGE,
    include: ['src/**/*.test.ts'],
    passWithNoTests: false,
    maxWorkers: WORKERS,
    // The files of a package share modules, databases and recorded networks: loading them takes longer than most tests.
    isolate: false,
    globalSetup: fileURLToPath(new URL('packages/store/src/testing/globalSetup.ts', import.meta.url)),
    // What a test needs of the machine. Skipped tests are counted by tag: see tools/skipped.mjs.
    tags: [
      { name: 'postgres', description: 'FIRN_TEST_DATABASE_URL, or initdb and postgres' },
      { name: 'redis', description: 'redis-server on the path' },
      { name: 'go', description: 'go on the path, and FIRN_ROUNDS=1' },
      { name: 'unix', description: 'Unix sockets and signals' },
      { name: 'linux', description: 'Linux' },
    ],
    testTimeout: 90_000,
    // Filling a database with a recorded network takes its time on a busy machine.
    hookTimeout: 120_000,
    // .ci/run adds the counts of these files up.
    reporters: ['default', ['json', { outputFile: join(PACKAGE, '.firn/vitest.json') }]],
  },
})
