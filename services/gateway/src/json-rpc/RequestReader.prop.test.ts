import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isGatewayError } from '../GatewayError.ts'
import { readCalls } from './RequestReader.ts'

const encode = (text: string) => new TextEncoder().encode(text)

const codeOf = (text: string | Uint8Array): string => {
  try {
    readCalls(typeof text === 'string' ? encode(text) : text, 10)
    return 'none'
  } catch (error) {
    if (isGatewayError(error)) return error.code
    throw error
  }
}

const call = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    method: fc.stringMatching(/^[a-z]{1,8}_[A-Za-z]{1,20}$/),
    id: fc.oneof(fc.integer(), fc.string({ maxLength: 10 })),
    params: fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>,
  },
  { requiredKeys: ['method'] },
)
const blanks = fc.constantFrom(undefined, 1, '\t')

test('parses the same calls regardless of white space, escapes and batching', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(call, { minLength: 1, maxLength: 8, selector: ({ id }) => id ?? {} }),
      blanks,
      (calls, space) => {
        const expected = calls.map(({ method, id }) => ({
          method,
          id: id === undefined ? undefined : JSON.stringify(id),
          key: id === undefined ? undefined : JSON.stringify(id),
          subscription: undefined,
        }))
        const batch = encode(`\n ${JSON.stringify(calls, null, space)}\r\n`)
        expect(readCalls(batch, 10)).toEqual({ isBatch: true, calls: expected })
        const single = encode(JSON.stringify(calls[0], null, space))
        expect(readCalls(single, 10)).toEqual({ isBatch: false, calls: expected.slice(0, 1) })
      },
    ),
  )
})

test('rejects bodies that are not valid JSON, and reports no parse error for valid JSON', () => {
  const broken = fc
    .tuple(
      fc.jsonValue({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '\\', 'e', '\0', ' '),
    )
    .map(([value, at, sign]) => {
      const text = JSON.stringify({ method: 'a', params: value })
      const place = at % text.length
      return text.slice(0, place) + sign + text.slice(place + 1)
    })
  fc.assert(
    fc.property(broken, (text) => {
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      expect(codeOf(text)).not.toBe(isJson ? 'GATEWAY_PARSE' : 'none')
    }),
    { numRuns: 2_000 },
  )
})

describe('bodies that nodes might parse differently', () => {
  test.each([
    ['a member name in a different case', '{"Method":"eth_call"}', 'GATEWAY_REQUEST'],
    ['an escaped member name', '{"m\\u0065thod":"eth_call","method":"net_version"}', 'GATEWAY_REQUEST'],
    ['a repeated member', '{"method":"eth_call","method":"admin_peers"}', 'GATEWAY_REQUEST'],
    ['a member name with a long s', '{"method":"a","param\u017f":[]}', 'GATEWAY_REQUEST'],
    ['a second value', '{"method":"eth_call"}{"method":"admin_peers"}', 'GATEWAY_PARSE'],
    ['a number as an id in two forms', '[{"method":"a","id":1},{"method":"b","id":1.0}]', 'GATEWAY_REQUEST'],
    [
      'a number as an id with an exponent',
      '[{"method":"a","id":10},{"method":"b","id":1e1}]',
      'GATEWAY_REQUEST',
    ],
    [
      'a text as an id in two forms',
      '[{"method":"a","id":"a"},{"method":"b","id":"\\u0061"}]',
      'GATEWAY_REQUEST',
    ],
    ['a repeated id', '[{"method":"a","id":1},{"method":"b","id":1}]', 'GATEWAY_REQUEST'],
    ['an id that is an object', '{"method":"a","id":{}}', 'GATEWAY_REQUEST'],
    ['an overlong id', `{"method":"a","id":"${'x'.repeat(200)}"}`, 'GATEWAY_REQUEST'],
    ['a method that is not a string', '{"method":1}', 'GATEWAY_REQUEST'],
    ['a method with a NUL', '{"method":"a\\u0000"}', 'GATEWAY_REQUEST'],
    ['no method', '{"id":1}', 'GATEWAY_REQUEST'],
    ['a number instead of a call', '1', 'GATEWAY_REQUEST'],
    ['an empty body', '', 'GATEWAY_PARSE'],
    ['an empty list', '[]', 'GATEWAY_REQUEST'],
    ['a list of lists', '[[{"method":"a"}]]', 'GATEWAY_REQUEST'],
    ['too many calls', `[${Array(11).fill('{"method":"a"}').join(',')}]`, 'GATEWAY_TOO_LARGE'],
    ['too deep nesting', `{"method":"a","params":${'['.repeat(100)}${']'.repeat(100)}}`, 'GATEWAY_PARSE'],
    ['unterminated deep nesting', '['.repeat(1_000_000), 'GATEWAY_PARSE'],
    ['a byte order mark', '\ufeff{"method":"a"}', 'GATEWAY_PARSE'],
    ['NaN', '{"method":"a","params":[NaN]}', 'GATEWAY_PARSE'],
  ])('rejects %s', (_, text, code) => expect(codeOf(text)).toBe(code))

  test('rejects invalid UTF-8', () => {
    expect(codeOf(Buffer.concat([encode('{"method":"a'), Uint8Array.of(0xff), encode('"}')]))).toBe(
      'GATEWAY_PARSE',
    )
  })
})

test('decodes escapes in a method name', () => {
  const { calls } = readCalls(encode('{"method":"eth\\u005fcall","id":null}'), 10)
  expect(calls).toMatchObject([{ method: 'eth_call', id: 'null' }])
})

test.each([
  ['["logs",{}]', 'logs'],
  [' [ "\\u006cogs" ] ', 'logs'],
  [`["${'x'.repeat(500)}"]`, 'x'.repeat(128)],
  ['[]', undefined],
  ['[["logs"]]', undefined],
  ['{"0":"logs"}', undefined],
  ['"logs"', undefined],
])('reads what a subscription with the parameters %s is for', (params, subscription) => {
  const body = `{"method":"eth_subscribe","id":1,"params":${params}}`
  expect(readCalls(encode(body), 10).calls[0]?.subscription).toBe(subscription)
})

test('decodes at most 64 member names of a call', () => {
  const members = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":0`).join()
  expect(codeOf(`{"method":"a","id":1,${members(62)}}`)).toBe('none')
  const parse = vi.spyOn(JSON, 'parse')
  expect(codeOf(`{"method":"a","id":1,${members(100_000)}}`)).toBe('GATEWAY_REQUEST')
  expect(parse.mock.calls.length).toBeLessThan(70)
  parse.mockRestore()
})
