import { expect, it } from 'vitest'
import * as AcceptEncoding from './AcceptEncoding.ts'

it.each<[string | undefined, AcceptEncoding.Encoding | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', undefined],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000, gzip;q=0.0', undefined],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br ; q=0.5 , gzip ; q=0.5', 'br'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['identity;q=0', undefined],
  ['identity;q=0, *', 'br'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=2, br;q=x', undefined],
  [`gzip${',gzip'.repeat(1_000)}`, undefined],
])('chooses for %j: %s', (header, expected) => {
  expect(AcceptEncoding.choose(header)).toBe(expected)
})

it('reads repeated headers as one list', () => {
  expect(AcceptEncoding.choose(['br;q=0', 'gzip'])).toBe('gzip')
})
