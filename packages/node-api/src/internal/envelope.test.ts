import { GoJson, goQuote, MAX_QUOTED } from '@firn/http'
import { Schema } from '@firn/rpc'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createResolver, decodeRequest } from './envelope.ts'

const { GoJsonError, parseFirst } = GoJson
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('JSON syntax errors', () => {
  test.each([
    ['', 'EOF'],
    ['  \n', 'EOF'],
    ['{', 'unexpected EOF'],
    ['{"a"', 'unexpected EOF'],
    ['"abc', 'unexpected EOF'],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{1}', "invalid character '1' looking for beginning of object key string"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['nul1', "invalid character '1' in literal null (expecting 'l')"],
    ['tru ', "invalid character ' ' in literal true (expecting 'e')"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["'", "invalid character '\\'' looking for beginning of value"],
  ])("returns the node's error text for %j", (text, message) => {
    expect(() => parseFirst(bytes(text))).toThrow(new GoJsonError(message) as never)
  })
})

describe('large requests', () => {
  const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

  test('accepts requests nested 10,000 levels deep, as Go does', () => {
    expect(parseFirst(bytes(nested(10_000))).value).toBeInstanceOf(Array)
    expect(() => parseFirst(bytes(nested(10_001)))).toThrow(
      new GoJsonError("invalid character '[' exceeded max depth") as never,
    )
    expect(() => parseFirst(bytes(`{"a":${nested(10_000)}}`))).toThrow(GoJsonError)
  })

  test('keeps the contents of each nesting level of the parameters', () => {
    const decoded = decodeRequest(
      bytes(`{"id":1,"jsonrpc":"2.0","method":"a.b","params":{"x":[[],[{"y":[1]}]],"z":2}}`),
    )
    expect(decoded).toMatchObject({
      request: { params: { x: [[], [{ y: [{ text: '1' }] }]], z: { text: '2' } } },
    })
  })

  test('returns the id and the parameters of a request unchanged at any nesting depth', () => {
    const id = nested(9_000)
    const deep = `{"a":${nested(9_000, '[ ', ' ]')}}`
    const decoded = decodeRequest(bytes(`{"jsonrpc":"1.0","method":"a.b","params":${deep},"id":${id}}`))
    expect(decoded).toMatchObject({
      failure: {
        message: 'jsonrpc must be 2.0',
        data: expect.stringContaining(`{"a":${nested(9_000)}},"id":[[[`),
      },
      id,
    })
  })

  test.each([
    ['repeats a long string unchanged, including its escapes', 100_000, 'the request'],
    ['does not repeat a body of more than 1 MiB in an error', 200_000, 'null'],
  ])('%s', (_, count, data) => {
    const text = `"${'a b\\" \\n'.repeat(count)}"`
    const decoded = decodeRequest(bytes(`{"jsonrpc":"1.0","method":"a.b","params": [ ${text} ] ,"id":7}`))
    if (decoded.kind !== 'failure') throw new Error('expected a failure')
    const whole = `{"jsonrpc":"1.0","method":"a.b","params":[${text}],"id":7}`
    expect(decoded.failure.data === (data === 'null' ? 'null' : whole)).toBe(true)
    expect(decoded.id).toBe('7')
  })

  test('accepts one million JSON values in a request, including the outermost value, and rejects more', () => {
    const list = (length: number) => bytes(`[${'0,'.repeat(length - 1)}0]`)
    expect(parseFirst(list(999_999)).value).toHaveLength(999_999)
    expect(() => parseFirst(list(1_000_000))).toThrow(GoJsonError)
  })
})

test('keeps valid UTF-8 in strings and replaces invalid UTF-8 with U+FFFD', () => {
  expect(parseFirst(bytes('"é\\u00e9\\ud800"')).value).toBe('éé\ufffd')
  expect(parseFirst(Uint8Array.of(0x22, 0xff, 0x22)).value).toBe('\ufffd')
})

describe('envelopes', () => {
  test.each([
    [
      '{"jsonrpc":2,"id":7,"method":"a.b","params":[ 1 ]}',
      'json: cannot unmarshal number into Go struct field serverRequest.jsonrpc of type string',
      '{"jsonrpc":"","method":"a.b","params":[1],"id":7}',
    ],
    [
      '{"jsonrpc":"2.0","id":"x","method":{}}',
      'json: cannot unmarshal object into Go struct field serverRequest.method of type string',
      '{"jsonrpc":"2.0","method":"","params":null,"id":"x"}',
    ],
    [
      '"text"',
      'json: cannot unmarshal string into Go value of type json2.serverRequest',
      '{"jsonrpc":"","method":"","params":null,"id":null}',
    ],
    [
      'true',
      'json: cannot unmarshal bool into Go value of type json2.serverRequest',
      '{"jsonrpc":"","method":"","params":null,"id":null}',
    ],
  ])('rejects %s', (text, message, data) => {
    expect(decodeRequest(bytes(text))).toMatchObject({
      kind: 'failure',
      failure: { code: -32700, message, data },
      answered: true,
    })
  })

  test('uses the last of several members with the same name', () => {
    const decoded = decodeRequest(bytes('{"jsonrpc":"2.0","method":"a","METHOD":"b","id":1}'))
    expect(decoded).toMatchObject({ kind: 'request', request: { method: 'b', id: '1' } })
  })
})

test.each([
  ['a.b.c', 'rpc: service/method request ill-formed: "a.B.c"'],
  ['tell "me"', 'rpc: service/method request ill-formed: "tell \\"me\\""'],
  ['b.c', 'rpc: can\'t find service "b.C"'],
  ['a.c', 'rpc: can\'t find method "a.C"'],
  ['a.toString', 'rpc: can\'t find method "a.ToString"'],
])("returns the node's error text for the unknown method %s", (name, message) =>
  expect(createResolver(['a.b'])(name)).toBe(message),
)

test("escapes strings like Go's %q", () => {
  expect(goQuote('\u0000\x1b\t\\é\u200b\u{e0001}')).toBe('"\\x00\\x1b\\t\\\\é\\u200b\\U000e0001"')
  expect(goQuote('a b"')).toBe('"a b\\""')
})

test('cuts a text before it is quoted', () => {
  for (const letter of ['a', '"', 'é']) {
    expect(goQuote(letter.repeat(MAX_QUOTED))).toBe(`"${letter.replace('"', '\\"').repeat(MAX_QUOTED)}"`)
    const cut = goQuote(letter.repeat(16 * MAX_QUOTED))
    expect(cut).toBe(`"${letter.replace('"', '\\"').repeat(MAX_QUOTED - 1)}…"`)
  }
  const method = 'x'.repeat(16 * MAX_QUOTED)
  expect(createResolver(['a.b'])(method)?.length).toBeLessThan(2 * MAX_QUOTED)
})

test('never throws on any body, and never reports valid JSON as malformed', () => {
  const start = fc.constantFrom('', '{"jsonrpc":"2.0","id":', '{"method":"a.b","params":[')
  const mutated = fc
    .tuple(start, fc.uint8Array({ maxLength: 40 }))
    .map(([text, tail]) => Uint8Array.from([...bytes(text), ...tail]))
  fc.assert(fc.property(fc.oneof(mutated, fc.json().map(bytes)), (body) => void decodeRequest(body)))
  fc.assert(fc.property(fc.json(), (text) => void parseFirst(bytes(text))))
})

test('refuses a member that is no string also if a later one with the same name is', () => {
  const body = '{"jsonrpc":"2.0","method":5,"method":"info.peers","id":1}'
  const message = 'json: cannot unmarshal number into Go struct field serverRequest.method of type string'
  expect(decodeRequest(bytes(body))).toMatchObject({ failure: { message }, id: '1' })
})

test('uses the last of several members whose names differ in case, in the order of the text', () => {
  const body =
    '{"method":"a.b","METHOD":"c.d","jsonrpc":"2.0","method":"e.f","id":1,"ID":2,"id":3,"param\u017f":[7]}'
  expect(decodeRequest(bytes(body))).toMatchObject({
    request: { method: 'e.f', id: '3', params: [new Schema.NumberToken('7')] },
  })
})
