import fc from 'fast-check'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createAccess } from '../admission/Access.ts'
import { restPlugin, serverOptions } from '../RestPlugin.ts'
import { behind } from './behind.ts'
import { list } from './List.ts'
import { createPageTokens } from './PageToken.ts'
import * as Parameter from './Parameter.ts'
import * as Schema from './Schema.ts'

/**
 * Serves a list of numbers that grows with the chain: at height n, it contains the numbers up to n. With `mostExamined`,
 * only even numbers are listed, and each page examines at most that many numbers.
 */
async function serve(chain: { height: bigint }, mostExamined?: number) {
  const numbers = list({
    operationId: 'getThings',
    path: '/v1/networks/{network}/numbers',
    summary: 'Numbers',
    tag: 'EVM',
    scope: 'data',
    units: 1,
    pathParameters: { network: Parameter.choice(['local', 'fuji']) },
    queryParameters: { sortOrder: Parameter.choice(['asc', 'desc'], 'desc') },
    pageSize: { fallback: 10, maximum: 100 },
    tokens: createPageTokens(new Uint8Array(32).fill(1)),
    snapshots: {
      latest: async () => chain.height,
      heights: (height) => [height],
      at: async ([height = 0n]) => {
        if (height > chain.height) throw behind('pageToken', `block ${height}`, `block ${chain.height}`)
        return height
      },
      head: (height) => ({ height, time: height }),
    },
    responseName: 'ListNumbersResponse',
    response: { numbers: Schema.list(Schema.text('A number', '7'), 'Numbers of the page') },
    read: async ({ query, at, after, limit }) => {
      const all = Array.from({ length: Number(at) }, (_, i) => BigInt(i) + 1n)
      const ordered = query.sortOrder === 'asc' ? all : all.reverse()
      const start = after === undefined ? 0 : ordered.indexOf(BigInt(String(after[0]))) + 1
      if (mostExamined === undefined) return ordered.slice(start, start + limit)
      const examined = ordered.slice(start, start + mostExamined)
      const elements = examined.filter((number) => number % 2n === 0n).slice(0, limit)
      const last = start + mostExamined < ordered.length && elements.length < limit && examined.at(-1)
      return { elements, stoppedAt: last ? [String(last)] : undefined }
    },
    keyOf: (number) => [String(number)],
    body: async (page) => ({ numbers: page.map(String) }),
  })
  const server = fastify(serverOptions)
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const access = createAccess({ keys: async () => [], counters: undefined, anonymous: none, keyed: none })
  await server.register(
    restPlugin({ title: 't', version: '0', endpoints: [numbers], access, timeoutMs: 1_000 }),
  )
  return async (query: Record<string, string>, network = 'local') => {
    const text = new URLSearchParams(query).toString()
    const answer = await server.inject(`/v1/networks/${network}/numbers?${text}`)
    return { status: answer.statusCode, headers: answer.headers, ...answer.json() }
  }
}

test("lists every item exactly once as of the first page's height, for any page size and even if blocks are added", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom('asc', 'desc'),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 }),
      fc.boolean(),
      fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      async (height, sortOrder, sizes, isTokenAlone, mostExamined) => {
        const chain = { height: BigInt(height) }
        const ask = await serve(chain, mostExamined)
        const seen: string[] = []
        let pageToken: string | undefined
        for (let i = 0; ; i++) {
          const pageSize = String(sizes[i % sizes.length])
          const filters = isTokenAlone && i > 0 ? {} : { sortOrder }
          const page = await ask({ pageSize, ...filters, ...(pageToken === undefined ? {} : { pageToken }) })
          expect(page.status).toBe(200)
          expect(page.headers['x-firn-height']).toBe(String(height))
          seen.push(...page.numbers)
          chain.height += 3n
          pageToken = page.nextPageToken
          if (pageToken === undefined) break
        }
        const all = Array.from({ length: height }, (_, i) => String(i + 1)).filter(
          (number) => mostExamined === undefined || Number(number) % 2 === 0,
        )
        expect(seen).toEqual(sortOrder === 'asc' ? all : all.reverse())
      },
    ),
    { numRuns: 30 },
  )
})

test('treats an empty token as absent, and omits the next token on the last page', async () => {
  const ask = await serve({ height: 10n })
  const page = await ask({ pageToken: '' })
  expect(page.numbers).toHaveLength(10)
  expect(page).not.toHaveProperty('nextPageToken')
})

test('rejects a page token of a different list or sort order', async () => {
  const chain = { height: 30n }
  const ask = await serve(chain)
  const { nextPageToken: pageToken } = await ask({})
  const other = await ask({ pageToken, sortOrder: 'asc' })
  expect([other.status, other.message]).toEqual([
    400,
    `pageToken: expected sortOrder as on the list's first page, got "asc"`,
  ])
  const foreign = await ask({ pageToken }, 'fuji')
  expect([foreign.status, foreign.message]).toEqual([
    400,
    'pageToken: expected a token of this list, got a token of a different list or network',
  ])
})

test("answers 503 for a token above the replica's height, and accepts the token once the replica has caught up", async () => {
  const chain = { height: 30n }
  const ask = await serve(chain)
  const { nextPageToken: pageToken } = await ask({})
  chain.height = 5n
  const early = await ask({ pageToken })
  expect([early.status, early.headers['retry-after'], early.message]).toEqual([
    503,
    '1',
    'pageToken: needs block 30, but this replica has only reached block 5; try again in a moment',
  ])
  chain.height = 31n
  const later = await ask({ pageToken })
  expect([later.status, later.numbers[0]]).toEqual([200, '20'])
})
