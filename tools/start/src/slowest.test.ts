import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './BundleManifest.mjs'
import { slowest } from './slowest.mjs'

const fileOf = (name: string, ms: number, tests: number) => ({
  ...{ name: join(ROOT, name), startTime: 1_000, endTime: 1_000 + ms },
  assertionResults: Array.from({ length: tests }, () => ({})),
})

it('lists the files that took longest, and their numbers of tests', () => {
  const files = [fileOf('a.test.ts', 20, 1), fileOf('b.test.ts', 12_345, 120), fileOf('c.test.ts', 999, 2)]
  expect(slowest(files, 2)).toEqual(['   12.3 s  120 tests  b.test.ts', '    1.0 s    2 tests  c.test.ts'])
})
