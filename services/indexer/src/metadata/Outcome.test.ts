import { readFileSync } from 'node:fs'
import { INDEX_STATUSES } from '@firn/evm-store'
import { expect, test } from 'vitest'
import { type Failure, isPassing, STATUS_OF } from './Failure.ts'
import { outcomeOf, type Result } from './Outcome.ts'
import { MOST_CHARACTERS } from './TokenUri.ts'

const at = { nowMs: 1_000_500, random: () => 0.5, mostAttempts: 3 }
const row = (result: Result, attempts = 0, uri = 'u') =>
  outcomeOf({ contract: new Uint8Array(20), tokenId: 1n, kind: 721, attempts }, uri, result, at)

test('maps at least one failure to every status except INDEXED', () => {
  expect(new Set([...Object.values(STATUS_OF), 'INDEXED'])).toEqual(new Set(INDEX_STATUSES))
})

test('documents every status in the README, and whether a retry can change it', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` .*\| (yes|no) +\|$/gm)].map(([, status, again]) => [
    status,
    again,
  ])
  const expected = INDEX_STATUSES.map((status) => [status, isPassing(status) ? 'yes' : 'no'])
  expect(rows.sort()).toEqual(expected.sort())
})

test('does not retry after success or a final failure', () => {
  expect(row({ metadata: { name: 'a' } }, 2)).toEqual({
    contract: new Uint8Array(20),
    tokenId: 1n,
    uri: 'u',
    indexStatus: 'INDEXED',
    metadata: { name: 'a' },
    attempts: 0,
    retryAt: undefined,
    checkedAt: 1_000n,
  })
  for (const [failure, status] of Object.entries(STATUS_OF)) {
    const { indexStatus, metadata, retryAt } = row({ failure: failure as Failure })
    expect([indexStatus, metadata, retryAt !== undefined]).toEqual([status, undefined, isPassing(status)])
  }
})

test('retries transient failures at growing intervals, up to a maximum number of attempts', () => {
  const waits = [0, 1, 2, 3]
    .map((attempts) => row({ failure: 'timeout' }, attempts))
    .map(({ attempts, retryAt }) => [attempts, retryAt])
  expect(waits).toEqual([
    [1, 1_045n],
    [2, 1_180n],
    [3, undefined],
    [3, undefined],
  ])
})

test('does not count an attempt if the node is unavailable', () => {
  expect(row({ failure: 'no-answer' }, 3)).toMatchObject({ attempts: 3, retryAt: 1_720n })
})

test('respects the retry time that a server requests, up to a day', () => {
  expect(row({ failure: 'throttled', retryAfterSeconds: 500 })).toMatchObject({
    attempts: 1,
    retryAt: 1_545n,
  })
  expect(row({ failure: 'throttled', retryAfterSeconds: 1e9 })).toMatchObject({ retryAt: 87_445n })
})

test('retries a token of a paused host after the pause, without counting an attempt', () => {
  expect(row({ failure: 'throttled', until: 2_000_500 }, 2)).toMatchObject({ attempts: 2, retryAt: 2_045n })
  expect(row({ failure: 'host-busy', until: 0 }, 2)).toMatchObject({
    indexStatus: 'UNINDEXED',
    attempts: 2,
    retryAt: 1_045n,
  })
})

test('stores the URI unchanged, except for characters that databases cannot store', () => {
  expect(row({ failure: 'timeout' }, 0, ' a\0\uD800 ').uri).toBe(' a\uFFFD\uFFFD ')
  expect(row({ failure: 'timeout' }, 0, 'x'.repeat(MOST_CHARACTERS * 2)).uri).toHaveLength(MOST_CHARACTERS)
})
