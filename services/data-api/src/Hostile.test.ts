import fc from 'fast-check'
import { Value } from 'typebox/value'
import { beforeAll, expect, test } from 'vitest'
import { ErrorBody } from './http/ErrorBody.ts'
import type { Endpoint } from './http/endpoint/Endpoint.ts'
import { allEndpoints } from './testing/allEndpoints.ts'
import { createEvm } from './testing/serveEvm.ts'

const REQUESTS = Number(process.env['FIRN_FUZZ_REQUESTS'] ?? 1_500)

type Server = Awaited<ReturnType<typeof createEvm>>

let server: Server
let endpoints: readonly Endpoint[]

beforeAll(async () => {
  endpoints = await allEndpoints()
  server = await createEvm(endpoints)
})

/** Parameter values: valid values, invalid values that resemble valid ones, and malicious values. */
const text = fc.oneof(
  fc.constantFrom(
    ...[
      'fuji',
      'testnet',
      'local',
      'mainnet',
      'p-chain',
      'x-chain',
      'c-chain',
      'P',
      '0',
      '1',
      '10',
      '-1',
      '1e3',
    ],
    ...[
      '100',
      '10000',
      'asc',
      'desc',
      'true',
      'false',
      'timestamp',
      'BaseTx',
      'UNKNOWN',
      'ImportTx',
      'A,B',
      ',',
      '',
    ],
    ...[
      '11111111111111111111111111111111LpoYY',
      '1795217425',
      '99999999999999999999',
      '0x',
      '0x00',
      'null',
      '[]',
    ],
    'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u',
    'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u,X-local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0',
    '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc',
    '0x789a5FDac2b37FCD290fb2924382297A6AE65860,0x95CA0a568236fC7413Cd2b794A7da24422c2BBb6',
    '0x430083d5a4b6c3993575a5186a7ea7eef7ff9504d4d48ba68d951f592ed0c251',
    ...['43112', 'total', 'failed', 'usd', 'day', 'nftIndexing', 'txCount', String(2n ** 256n - 1n)],
    'YZDVkbBGceEBQwBjYJo2czHdRmpzk1ugEqmL6CkzkQigjNQjW',
    'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
    '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW',
    'm55Z6zvexDBI92jiHKtCalsxLCJjNHZpWkU1OXBvbSIsWyI4NSIsIjM1IiwiODMiXSxbIjM1IiwiMCJdLHt9XQ',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom("' or 1=1 --", '\u0000', '%00', '../..', '\ud800', 'a'.repeat(9_000), '{"$gt":0}', 'ſ'),
)

/** Parameter values, percent-encoded. URLs cannot contain lone surrogates, so each is replaced by U+FFFD. */
const encoded = text.map((one) => encodeURIComponent(one.toWellFormed()))

function request(endpoint: Endpoint) {
  const path = fc.tuple(...Object.keys(endpoint.pathParameters).map(() => encoded)).map((values) => {
    let i = 0
    return endpoint.path.replace(/\{\w+\}/g, () => values[i++] || '-')
  })
  const names = [...Object.keys(endpoint.queryParameters), 'other', 'pagesize']
  const pair = fc.tuple(fc.constantFrom(...names), encoded).map(([name, value]) => `${name}=${value}`)
  // The query is only checked if the network and the chain in the path exist, so half of the requests use a valid
  // path.
  const good = endpoint.path
    .replace('{network}', 'fuji')
    .replace('{blockchainId}', 'p-chain')
    .replace('{chainId}', '43112')
    .replace('{address}', '0x789a5FDac2b37FCD290fb2924382297A6AE65860')
    .replace('{blockId}', '30')
    .replace('{tokenId}', '1')
    .replace('{metric}', 'txCount')
    .replace(/\{\w+\}/g, '2ZGgL8Q17xdVr5kKyPPnUZwBDSpkz8ApCU8x9YSWQQ14QtbdPM')
  return fc
    .tuple(fc.oneof(path, fc.constant(good)), fc.array(pair, { maxLength: 5 }))
    .map(([where, pairs]) => `${where}?${pairs.join('&')}`)
}

test(`answers ${REQUESTS} hostile requests with a body that matches the endpoint's schema or the error schema`, async () => {
  const statuses = new Map<number, number>()
  const each = Math.ceil(REQUESTS / endpoints.length)
  for (const endpoint of endpoints) {
    await fc.assert(
      fc.asyncProperty(request(endpoint), async (url) => {
        const answer = await server.inject({ method: endpoint.method, url })
        const schema = answer.statusCode === (endpoint.status ?? 200) ? endpoint.response : ErrorBody
        const body: unknown = answer.json()
        expect([url, answer.statusCode < 500 || answer.statusCode === 503]).toEqual([url, true])
        expect([url, [...Value.Errors(schema, body)].slice(0, 1)]).toEqual([url, []])
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
      }),
      { numRuns: each },
    )
  }
  // The generated requests must include accepted and rejected ones, so each of these statuses must occur.
  for (const status of [200, 400, 404]) expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0])
})
