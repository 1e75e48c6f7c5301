import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Metadata from './Metadata.ts'

const JSON_TYPE = 'application/json'
const parse = (body: string | Uint8Array, contentType: string | undefined = JSON_TYPE) =>
  Metadata.parse(typeof body === 'string' ? new TextEncoder().encode(body) : body, contentType)
const membersOf = (body: string | Uint8Array, contentType?: string) => {
  const parsed = parse(body, contentType)
  return 'metadata' in parsed ? parsed.metadata : parsed.failure
}

test("finds every field under each of the field's names", () => {
  const body = {
    name: 'Token #1',
    symbol: 'TKN',
    description: 'A token.',
    image: 'ipfs://x/1.png',
    animation_url: 'ipfs://x/1.mp4',
    external_url: 'https://example.org/1',
    background_color: 'ff0000',
    attributes: [{ trait_type: 'Eyes', value: 'blue' }],
    decimals: 18,
    properties: { a: { b: [1, 2] } },
    more: 'unknown',
  }
  expect(membersOf(JSON.stringify(body))).toEqual({
    name: 'Token #1',
    symbol: 'TKN',
    description: 'A token.',
    imageUri: 'ipfs://x/1.png',
    animationUri: 'ipfs://x/1.mp4',
    externalUrl: 'https://example.org/1',
    background: 'ff0000',
    attributes: '[{"trait_type":"Eyes","value":"blue"}]',
    decimals: 18,
    properties: '{"a":{"b":[1,2]}}',
  })
  expect(membersOf('{"image_url":"a","background":"b","traits":[]}')).toEqual({
    imageUri: 'a',
    background: 'b',
    attributes: '[]',
  })
  expect(membersOf('{"image":"","image_url":null,"image_data":"<svg/>"}')).toEqual({ imageUri: '<svg/>' })
})

test.each([
  ['', 'not-json'],
  [' ', 'not-json'],
  ['<html>', 'not-json'],
  ['{"name":"a"', 'not-json'],
  ['{"name":"a"}}', 'not-json'],
  ['{"name":"a",}', 'not-json'],
  ["{'name':'a'}", 'not-json'],
  ['{"name":"a\0"}', 'not-json'],
  ['{"name":NaN}', 'not-json'],
  ['{"name":"a"}\0', 'not-json'],
  ['\uFEFF\uFEFF{"name":"a"}', 'not-json'],
  ['"text"', 'not-object'],
  ['1', 'not-object'],
  ['null', 'not-object'],
  ['[{"name":"a"}]', 'not-object'],
  ['{}', 'no-members'],
  ['{"error":"not found"}', 'no-members'],
  ['{"name":"","image":null,"attributes":null,"decimals":"many"}', 'no-members'],
  [`{"name":"a","x":${'['.repeat(64)}${']'.repeat(64)}}`, 'too-deep'],
  [`{"name":"a","x":${'{"x":'.repeat(64)}1${'}'.repeat(64)}}`, 'too-deep'],
  [`${'['.repeat(1_000_000)}`, 'not-json'],
  [`${'['.repeat(500_000)}${']'.repeat(500_000)}`, 'not-object'],
])('reports why a document contains no metadata: %.40s…', (body, failure) => {
  expect(membersOf(body)).toBe(failure)
})

test.each([
  ['a byte order mark', '\uFEFF{"name":"a"}', { name: 'a' }],
  [
    'surrounding blanks',
    ' \r\n\t{ "name" : "a" , "attributes" : [ 1 ] } \n',
    { name: 'a', attributes: '[ 1 ]' },
  ],
  ['names with escapes', '{"n\\u0061me":"a"}', { name: 'a' }],
  ['a duplicate field', '{"name":"a","name":"b"}', { name: 'b' }],
  ['a duplicate field whose last value is null', '{"name":"a","name":null}', 'no-members'],
  ['nested fields', '{"x":{"name":"inside"},"name":"a","y":[{"name":"b"}]}', { name: 'a' }],
  ['text that looks like JSON', '{"x":"\\"},{\\"name\\":\\"b\\"","name":"a\\\\"}', { name: 'a\\' }],
  ['a number for a name', '{"name":12345678901234567890.50}', { name: '12345678901234567890.50' }],
  ['a boolean for a name', '{"name":false}', { name: 'false' }],
  ['an object for a name', '{"name":{"en":"a"},"symbol":"b"}', { symbol: 'b' }],
  ['a list for an image', '{"image":["a"],"image_url":"b"}', { imageUri: 'b' }],
  [
    'numbers of any size',
    '{"attributes":[1e400,-0,123456789012345678901234567890,1.10]}',
    {
      attributes: '[1e400,-0,123456789012345678901234567890,1.10]',
    },
  ],
  ['attributes that are text', '{"attributes":"none"}', { attributes: '"none"' }],
  ['NULs', '{"name":"a\\u0000b","attributes":["\\u0000"]}', { name: 'a\uFFFDb', attributes: '["\\u0000"]' }],
  ['lone surrogates', '{"name":"\\ud83d","image":"x\\udc00"}', { name: '\uFFFD', imageUri: 'x\uFFFD' }],
  ['decimals as text', '{"decimals":"6"}', { decimals: 6 }],
  ['zero decimals', '{"decimals":0}', { decimals: 0 }],
  ['decimals out of range', '{"name":"a","decimals":256}', { name: 'a' }],
  ['decimals with a fraction', '{"name":"a","decimals":1.5}', { name: 'a' }],
  [
    'fields with names of object methods',
    '{"__proto__":{"name":"b"},"constructor":"c","toString":"d","name":"a"}',
    { name: 'a' },
  ],
])('parses metadata with %s', (_name, body, expected) => {
  expect(membersOf(body)).toEqual(expected)
})

test('replaces invalid UTF-8 inside JSON strings, and rejects it elsewhere', () => {
  expect(membersOf(Buffer.from('7b226e616d65223a2261ff62227d', 'hex'))).toEqual({ name: 'a\uFFFDb' })
  expect(membersOf(Buffer.from('ff7b226e616d65223a2261227d', 'hex'))).toBe('not-json')
})

test('shortens text to its limit without splitting characters, and omits URIs and JSON above the limit', () => {
  const members = membersOf(
    JSON.stringify({
      name: '😀'.repeat(1_000),
      description: 'd'.repeat(20_000),
      image: `data:,${'x'.repeat(262_138)}`,
      animation_url: 'y'.repeat(262_145),
      external_url: 'z'.repeat(8_193),
      attributes: 'a'.repeat(262_142),
      properties: 'p'.repeat(262_143),
    }),
  )
  expect(members).toEqual({
    name: '😀'.repeat(512),
    description: 'd'.repeat(16_384),
    imageUri: `data:,${'x'.repeat(262_138)}`,
    attributes: `"${'a'.repeat(262_142)}"`,
  })
})

test('applies the URI function to URI fields, and not to other text fields', () => {
  const body = new TextEncoder().encode('{"name":"{id}","image":"https://example.org/{id}.png"}')
  const parsed = Metadata.parse(body, JSON_TYPE, (uri) => uri.replace('{id}', 'abc'))
  expect(parsed).toEqual({ metadata: { name: '{id}', imageUri: 'https://example.org/abc.png' } })
})

describe('content type', () => {
  const body = '{"name":"ü"}'
  test.each([
    undefined,
    '',
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/ld+json',
    'application/problem+json',
    'application/x-json',
    'text/plain; charset="utf-8"',
    'text/html',
    'text/json',
    'application/octet-stream',
    'binary/octet-stream',
    'text/plain; charset=no-such-charset',
    'text/plain; charset=replacement',
  ])('accepts JSON served as "%s"', (contentType) => {
    expect(membersOf(body, contentType ?? '')).toEqual({ name: 'ü' })
  })

  test.each([
    'image/png',
    'image/svg+xml',
    'video/mp4',
    'application/pdf',
    'application/zip',
    'multipart/mixed',
    'text/event-stream',
    'x',
    'application/json, text/html',
  ])('rejects the content type "%.20s"', (contentType) => {
    expect(membersOf(body, contentType)).toBe('content-type')
  })

  test('decodes the body with the charset of the content type', () => {
    expect(membersOf(Buffer.from(body, 'latin1'), 'application/json; charset=iso-8859-1')).toEqual({
      name: 'ü',
    })
    expect(membersOf(Buffer.from(body, 'utf16le'), 'application/json;charset=utf-16le')).toEqual({
      name: 'ü',
    })
    expect(membersOf(body)).toEqual({ name: 'ü' })
  })
})

test('returns the same fields as JSON.parse, as text that every database can store', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5 }),
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      (value, name, pretty) => {
        const object = { x: JSON.parse(value), name, attributes: JSON.parse(value) }
        const members = membersOf(JSON.stringify(object, undefined, pretty ? 2 : undefined))
        if (typeof members === 'string') {
          expect([members, name, object.attributes]).toEqual(['no-members', '', null])
          return
        }
        const attributes = members.attributes === undefined ? null : JSON.parse(members.attributes)
        expect(attributes).toEqual(object.attributes)
        expect(members.name ?? '').toBe(name.toWellFormed().replaceAll('\0', '\uFFFD'))
        for (const text of Object.values(members))
          expect(`${text}`.includes('\0') || !`${text}`.isWellFormed()).toBe(false)
      },
    ),
    { numRuns: 2_000 },
  )
})
