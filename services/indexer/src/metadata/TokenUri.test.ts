import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as TokenUri from './TokenUri.ts'

const V0 = 'QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq'
const V1 = 'bafybeihkoviema7g3gxyt6la7vd5ho32ictqbilu3wnlo3rs7ewhnp7lly'
const AR = 'yHi8rTXJcTOfgQPOnR3BzGhSHN2rrdqgBZFyMYkAXIc'
const GATEWAYS = {
  ipfs: ['https://one.example/ipfs/', 'https://two.example/ipfs/'],
  arweave: ['https://ar.example/'],
}

const urlOf = (text: string, attempt?: number): string => {
  const location = TokenUri.locate(text, GATEWAYS, attempt)
  return 'url' in location ? location.url.href : 'bytes' in location ? 'bytes' : location.failure
}
const dataOf = (text: string): readonly [string, string] | string => {
  const location = TokenUri.locate(text, GATEWAYS)
  if (!('bytes' in location)) return 'failure' in location ? location.failure : 'url'
  return [location.contentType, new TextDecoder().decode(location.bytes)]
}

test.each([
  [`ipfs://${V0}`, V0],
  [`ipfs://${V0}/`, `${V0}/`],
  [`ipfs://${V1}/12.json`, `${V1}/12.json`],
  [`IPFS://${V1}/12.json`, `${V1}/12.json`],
  [`ipfs:${V0}/1`, `${V0}/1`],
  [`ipfs:///${V0}/1`, `${V0}/1`],
  [`ipfs://ipfs/${V0}/1`, `${V0}/1`],
  [`/ipfs/${V0}/1`, `${V0}/1`],
  [`ipfs/${V0}/1`, `${V0}/1`],
  [V0, V0],
  [`${V1}/a b/ü.json`, `${V1}/a%20b/%C3%BC.json`],
  [`ipfs://${V0}/My%20Token #1.json`, `${V0}/My%20Token%20%231.json`],
  [`ipfs://${V0}/1?format=tar`, `${V0}/1`],
  [`ipfs://${V0}/a/../b`, `${V0}/b`],
  [`ipfs://k${'2'.repeat(61)}`, `k${'2'.repeat(61)}`],
])('maps %s to a URL below the gateway', (text, path) => {
  expect(urlOf(text)).toBe(`${GATEWAYS.ipfs[0]}${path}`)
})

test.each([
  'ipfs://',
  'ipfs://name.eth/1',
  `ipfs://${V0}x`,
  `ipfs://${V0.slice(0, -1)}`,
  `ipfs://${V0}/../x`,
  `ipfs://${V0}/..`,
  `ipfs://${V0}/%2e%2e/%2E./api/v0`,
  `ipfs://${V0}\\..\\..\\x`,
  `ipfs://${V0}/../${V0}x`,
  `ipfs://user@${V0}`,
  `ipfs://../${V0}`,
  'ar://short',
  `ar://${AR}/../x`,
  '12.json',
  'hello world',
  '//example.org/1.json',
  'https://',
  'https://exa mple.org',
  'https://[::1',
  'data:application/json',
  'data:;base64,%%%',
  'data:;base64,e30=e30=',
])('rejects %s, which is malformed', (text) => {
  expect(urlOf(text)).toBe('uri-syntax')
})

test('uses the next gateway for each attempt, and rejects URIs of a scheme without a gateway', () => {
  expect([0, 1, 2].map((attempt) => urlOf(`ipfs://${V0}`, attempt))).toEqual([
    `https://one.example/ipfs/${V0}`,
    `https://two.example/ipfs/${V0}`,
    `https://one.example/ipfs/${V0}`,
  ])
  expect(urlOf(`ar://${AR}/1.json`)).toBe(`https://ar.example/${AR}/1.json`)
  expect(TokenUri.locate(`ipfs://${V0}`, { ipfs: [], arweave: [] })).toEqual({ failure: 'uri-scheme' })
})

test('appends a slash to gateway URLs', () => {
  const given = {
    ipfs: ['HTTP://LocalHost:80/ipfs', 'http://127.1:8080/a/../ipfs/'],
    arweave: ['https://ar.example'],
  }
  expect(TokenUri.gatewaysOf(given)).toEqual({
    ipfs: ['http://localhost/ipfs/', 'http://127.0.0.1:8080/ipfs/'],
    arweave: ['https://ar.example/'],
  })
  for (const text of [
    '',
    'ipfs.io',
    'ftp://ipfs.io/',
    'https://a:b@ipfs.io/',
    'https://ipfs.io/?x=',
    'https://ipfs.io/#x',
  ])
    expect(() => TokenUri.gatewaysOf({ ipfs: [text], arweave: [] })).toThrowError(
      expect.objectContaining({ code: 'INDEXER_CONFIGURATION' }),
    )
})

test('ignores blanks and NULs in a URI and the case of its scheme', () => {
  expect(urlOf(' \0\n HTTPS://Example.org/a?b=c \0\0\0')).toBe('https://example.org/a?b=c')
  expect(urlOf('http://example.org')).toBe('http://example.org/')
  expect(['', ' ', '\0', '\t\r\n\0 '].map((text) => urlOf(text))).toEqual(Array(4).fill('no-uri'))
})

test('rejects overlong URIs in constant time', () => {
  expect(urlOf(`https://example.org/${'a'.repeat(8_172)}`)).toMatch(/^https/)
  expect(urlOf(`https://example.org/${'a'.repeat(8_173)}`)).toBe('uri-too-long')
  expect(urlOf(`ipfs://${V0}/${'a'.repeat(10_000_000)}`)).toBe('uri-too-long')
  expect(urlOf(`${' '.repeat(10_000_000)}x`)).toBe('uri-syntax')
  expect(urlOf(`x${' '.repeat(10_000_000)}x`)).toBe('uri-too-long')
  expect(urlOf(`data:,${'a'.repeat(262_138)}`)).toBe('bytes')
  expect(urlOf(`data:,${'a'.repeat(262_139)}`)).toBe('too-large')
})

describe('data:', () => {
  test.each([
    ['data:application/json,{"a":1}', 'application/json', '{"a":1}'],
    ['data:application/json;utf8,{"name":"#1, 50% off"}', 'application/json;utf8', '{"name":"#1, 50% off"}'],
    [
      'data:application/json;charset=utf-8,%7B%22a%22%3A%22%C3%BC%22%7D',
      'application/json;charset=utf-8',
      '{"a":"ü"}',
    ],
    ['DATA:application/json;BASE64,eyJhIjoxfQ==', 'application/json', '{"a":1}'],
    ['data:application/json;charset=utf-8;base64,eyJhIjoxfQ', 'application/json;charset=utf-8', '{"a":1}'],
    ['data:application/json;base64,eyJh%49joxfQ%3D%3D', 'application/json', '{"a":1}'],
    ['data:application/json;base64, eyJh\n Ijox fQ==', 'application/json', '{"a":1}'],
    ['data:;base64,', '', ''],
    ['data:;base64,Pz8_-w', '', '???\uFFFD'],
    ['data:,a%2', '', 'a%2'],
    ['data:,a%zz%41', '', 'a%zzA'],
    ['data:,ü%00', '', 'ü\0'],
  ])('decodes %s', (uri, contentType, text) => {
    expect(dataOf(uri)).toEqual([contentType, text])
  })

  test('decodes any encoded content to the original bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const encoded = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        const base64 = Buffer.from(bytes).toString('base64')
        const url = Buffer.from(bytes).toString('base64url')
        for (const uri of [`data:x/y,${encoded}`, `data:x/y;base64,${base64}`, `data:x/y;base64,${url}`])
          expect(TokenUri.locate(uri, GATEWAYS)).toEqual({ bytes, contentType: 'x/y' })
      }),
    )
  })
})

test('inserts the id of an ERC-1155 token as 64 lowercase hex digits', () => {
  const id = `${'0'.repeat(59)}4cce0`
  expect(TokenUri.substituteId('https://example.org/{id}.json?{id}', 314592n)).toBe(
    `https://example.org/${id}.json?${id}`,
  )
  expect(TokenUri.substituteId('%7Bid%7D/%7bid%7d', 314592n)).toBe(`${id}/${id}`)
  expect(TokenUri.substituteId('{id}', 2n ** 256n - 1n)).toBe('f'.repeat(64))
  const long = '{id}'.repeat(100_000)
  expect(TokenUri.substituteId(long, 1n)).toBe(long)
})

test("returns no URL outside the gateway's folder for any text", () => {
  const part = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '?',
    '#',
    '@',
    ':',
    '\t',
    'x',
    V0,
    'ipfs',
  )
  fc.assert(
    fc.property(fc.constantFrom('ipfs://', 'ipfs:', '', 'ar://'), fc.array(part), (scheme, parts) => {
      const location = TokenUri.locate(`${scheme}${parts.join('')}`, GATEWAYS)
      if (!('url' in location) || location.gateway === undefined) return
      expect(location.url.href.startsWith(location.gateway)).toBe(true)
      expect(location.url.search).toBe('')
      expect(location.url.pathname.split('/')).toContain(V0)
    }),
    { numRuns: 5_000 },
  )
})
