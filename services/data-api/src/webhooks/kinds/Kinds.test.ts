import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EVENT_TYPES } from './Kinds.ts'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

test.each(EVENT_TYPES)('finds %s in the README', (type) => {
  expect(readme.includes(`\`${type}\``), `describe ${type} in services/data-api/README.md`).toBe(true)
})
