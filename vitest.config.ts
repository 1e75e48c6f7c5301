import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const ROUNDS = fileURLToPath(new URL('tools/rounds.mjs', import.meta.url))

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
    globalSetup: fileURLToPath(new URL('packages/store/src/testing/globalSetup.ts', import.meta.url)),
    // What a test needs of the machine. Skipped tests are counted by tag: see tools/skipped.mjs.
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
    testTimeout: 90_000,
    // A wait of a second, the default, fails on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Filling a database with a recorded network takes its time on a busy machine.
    hookTimeout: 120_000,
    // .ci/run counts the results in this file.
    reporters: [
      'default',
      ['json', { outputFile: fileURLToPath(new URL('.firn/vitest.json', import.meta.url)) }],
    ],
  },
})
