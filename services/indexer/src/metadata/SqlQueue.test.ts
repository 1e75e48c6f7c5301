import {
  type EvmStore,
  INDEX_STATUSES,
  type IndexStatus,
  type Metadata,
  sqlTokenQueue,
} from '@firn/evm-store'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { systemClock } from '@firn/runtime'
import { expect, test } from 'vitest'
import { createMetadataWorker } from './MetadataWorker.ts'
import type { UriAnswer } from './TokenUriReader.ts'

type Row = { uri: string; status: IndexStatus; metadata: Metadata | null; retry: boolean }

const inline = (json: string): string => `data:application/json,${encodeURIComponent(json)}`

/** Answers of the contracts, in the order of the tokens, each with the row that is expected for it. */
const CASES: readonly (readonly [UriAnswer, IndexStatus, Metadata | null])[] = [
  [inline('{"name":"a"}'), 'INDEXED', { name: 'a' }],
  [
    inline('{"name":"a\\u0000\\ud800b","attributes":["\\u0000","\\ud800",1e400],"decimals":7}'),
    'INDEXED',
    { name: 'a\uFFFD\uFFFDb', attributes: '["\\u0000","\\ud800",1e400]', decimals: 7 },
  ],
  ['a\0b\uD800', 'INVALID_TOKEN_URI', null],
  ['ftp://x/', 'INVALID_TOKEN_URI_SCHEME', null],
  ['', 'MISSING_TOKEN', null],
  [{ error: 'unavailable' }, 'UNINDEXED', null],
  ['https://nowhere.test/', 'UNREACHABLE_TOKEN_URI', null],
  [`data:,${'x'.repeat(300_000)}`, 'METADATA_CONTENT_TOO_LARGE', null],
]

const ROWS = `select uri, index_status as status, metadata, retry_at is not null as retry from token_metadata`

const rowsOf = (store: EvmStore): Promise<readonly Row[]> =>
  store.driver.transaction(async (session) => (await session.query(ROWS, [])) as unknown as readonly Row[])

test('processes the tokens of a recorded chain, and stores untrusted text safely', async () => {
  const store = await recordedEvmStore('c', () => [])
  const queue = sqlTokenQueue(store)
  const { length: count } = await queue.due(10_000, 0n)
  expect(count).toBeGreaterThanOrEqual(CASES.length)
  const given: (readonly [UriAnswer, IndexStatus, Metadata | null])[] = []
  const worker = createMetadataWorker({
    queue,
    readUris: async (tokens) =>
      tokens.map(() => {
        const next = CASES[given.length % CASES.length] as (typeof CASES)[number]
        given.push(next)
        return next[0]
      }),
    fetch: async () => ({ failure: 'name-not-found' }),
    random: () => 0.5,
    clock: systemClock,
  })
  const stop = new AbortController()
  const running = worker.run(stop.signal)
  await expect.poll(async () => (await rowsOf(store)).length, { interval: 50 }).toBe(count)
  stop.abort()
  await running
  const kept = ({ status, metadata, retry }: Row) => JSON.stringify([status, metadata, retry])
  const passing: readonly IndexStatus[] = ['UNINDEXED', 'UNREACHABLE_TOKEN_URI']
  const expected = given.map(([, status, metadata]) =>
    kept({ uri: '', status, metadata, retry: passing.includes(status) }),
  )
  const rows = await rowsOf(store)
  expect(
    rows.map(({ metadata, ...row }) => kept({ ...row, metadata: metadata && sorted(metadata) })).sort(),
  ).toEqual(expected.sort())
  expect(rows.find(({ status }) => status === 'INVALID_TOKEN_URI')?.uri).toBe('a\uFFFDb\uFFFD')
  expect(rows.every(({ status }) => INDEX_STATUSES.includes(status))).toBe(true)
  await store.close()
})

/**
 * Returns metadata with sorted fields, because the database does not preserve the order of an object's
 * fields.
 */
const sorted = ({ name, attributes, decimals }: Metadata): Metadata => ({
  ...(name === undefined ? {} : { name }),
  ...(attributes === undefined ? {} : { attributes }),
  ...(decimals === undefined ? {} : { decimals }),
})
