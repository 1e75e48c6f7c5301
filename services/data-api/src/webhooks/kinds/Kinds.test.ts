import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Kind } from './Kind.ts'
import { EVENT_TYPES, KINDS } from './Kinds.ts'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

test.each(EVENT_TYPES)('finds %s in the README', (type) => {
  expect(readme.includes(`\`${type}\``), `describe ${type} in services/data-api/README.md`).toBe(true)
})

test('finds one kind for each source of an EVM chain, because one feed advances the position of a source', () => {
  const sources = Object.values<Kind>(KINDS).flatMap(({ follow }) =>
    follow.over === 'evm' ? [follow.sourceOf(1n)] : [],
  )
  expect(new Set(sources).size).toBe(sources.length)
})
