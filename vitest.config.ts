import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { HangingTests } from './tools/start/src/hangingTests.mjs'

/** Limit of the run for each test, hook and wait. None has a limit of its own: how long it takes depends on the machine. */
const LIMIT_MS = Number(process.env['FIRN_TEST_MINUTES'] ?? 30) * 60_000
/** A wait ends before its test, so that the test fails with what it waited for. */
const WAIT_MS = 0.8 * LIMIT_MS

const ROUNDS = fileURLToPath(new URL('tools/start/src/rounds.mjs', import.meta.url))

/**
 * One configuration and one run for all packages, so that they share workers and what these have loaded. Sources run
 * without a build.
 */
export default defineConfig({
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
    include: ['{apps,packages,services,tools,examples}/*/src/**/*.test.ts', 'docs/src/**/*.test.ts'],
    // Many tests wait for processes and clocks, so there are more workers than processors on a small machine.
    maxWorkers: 4,
    // Test files share modules, databases and recorded networks: loading them takes longer than most tests.
    isolate: false,
    globalSetup: fileURLToPath(new URL('packages/sql/src/testing/globalSetup.ts', import.meta.url)),
    // What a test needs of the machine. Skipped tests are counted by tag: see tools/start/src/skipped.mjs.
    tags: [
      { name: 'postgres', description: 'FIRN_TEST_DATABASE_URL, or initdb and postgres' },
      { name: 'redis', description: 'redis-server on the path' },
      { name: 'citus', description: 'FIRN_CITUS_URL, see tools/citus.sh' },
      { name: 'go', description: 'go on the path, and FIRN_ROUNDS=1' },
      { name: 'unix', description: 'Unix sockets and signals' },
      { name: 'linux', description: 'Linux' },
      { name: 'systemd', description: 'systemd-analyze' },
      { name: 'promtool', description: 'promtool of Prometheus on the path' },
      { name: 'proxies', description: 'nginx, haproxy and caddy on the path' },
    ],
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: WAIT_MS } },
    env: { FIRN_WAIT_MS: String(WAIT_MS) },
    // .ci/run counts the results in this file.
    reporters: [
      'default',
      new HangingTests(LIMIT_MS),
      ['json', { outputFile: fileURLToPath(new URL('.firn/vitest.json', import.meta.url)) }],
    ],
  },
})
