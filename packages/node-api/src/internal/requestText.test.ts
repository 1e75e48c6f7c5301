import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRequest } from './envelope.ts'
import { splitAtId } from './requestText.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('splitAtId', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":"a.b"}', '7', '{"jsonrpc":"2.0","id":\0,"method":"a.b"}'],
    [
      '{"method":"a.b","params":{"id":1},"id" : "x{y" }',
      '"x{y"',
      '{"method":"a.b","params":{"id":1},"id" : \0 }',
    ],
    [
      '{"ID":-1.5e3,"params":["id",{"id":2}]} and more',
      '-1.5e3',
      '{"ID":\0,"params":["id",{"id":2}]} and more',
    ],
    ['{"a":"id","id":9223372036854775807}', '9223372036854775807', '{"a":"id","id":\0}'],
  ])('splits %s at the id', (text, id, key) => expect(splitAtId(bytes(text))).toEqual({ id, key }))
})

describe('splitAtId on requests that need the parser', () => {
  test.each([
    ['no id', '{"jsonrpc":"2.0","method":"a.b"}'],
    ['null', '{"id":null}'],
    ['an object', '{"id":{"a":1}}'],
    ['an invalid number', '{"id":01}'],
    ['an escape in the id', String.raw`{"id":"\n"}`],
    ['an escape elsewhere', String.raw`{"\u0069d":1,"id":2}`],
    ['characters that the response escapes', '{"id":"<"}'],
    ['two ids', '{"id":1,"Id":2}'],
    ['a list', '[{"id":1}]'],
    ['only a nested id', '{"params":{"id":1}}'],
    ['a truncated text', '{"id":1'],
    ['a truncated string', '{"id":"1'],
    ['bytes beyond ASCII', '{"id":"é"}'],
    ['a very long request', `{"id":1,"params":"${'x'.repeat(9000)}"}`],
    ['an empty text', ''],
  ])('returns undefined for %s, which only the parser can handle', (_name, text) =>
    expect(splitAtId(bytes(text))).toBeUndefined(),
  )
})

test('splits off the request id so that the rest, with any other id inserted, parses to the same request', () => {
  const member = fc.oneof(
    fc.constantFrom(
      '"method":"a.b"',
      '"jsonrpc":"2.0"',
      '"id":1',
      '"Id": "q"',
      '"params":{"id":[{"id":2}]}',
      '"id":null',
    ),
    fc.json().map((json) => `"params":${json}`),
    fc.json().map((json) => `"id":${json}`),
  )
  const request = fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(' , ')}}`)
  fc.assert(
    fc.property(request, fc.constantFrom('1', '-2', '"other"'), (text, id) => {
      const split = splitAtId(bytes(text))
      if (split === undefined) return
      const before = decodeRequest(bytes(text))
      if (before.kind === 'failure') return
      const after = decodeRequest(bytes(split.key.replace('\0', id)))
      expect(after).toEqual({ ...before, request: { ...before.request, id } })
      expect(before.request.id).toBe(split.id)
    }),
    { numRuns: 2_000 },
  )
})
