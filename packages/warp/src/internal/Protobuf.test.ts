import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../testing/vectors.ts'
import { bytesField, read, uint32Field } from './Protobuf.ts'

function fields(hex: string): unknown[] {
  const found: unknown[] = []
  read(Hex.decodeBare(hex), {
    bytes: (field, value) => found.push([field, Hex.encodeBare(value)]),
    uint32: (field, value) => found.push([field, value]),
  })
  return found
}

describe('read', () => {
  test.each<[string, string, unknown[]]>([
    ['empty input', '', []],
    ['a varint', '0801', [[1, 1]]],
    ['a long varint of a small number', '08818080808080808000', [[1, 1]]],
    ['the largest varint', '08ffffffffffffffffff01', [[1, 2 ** 32 - 1]]],
    ['bytes', '0a020304', [[1, '0304']]],
    ['no bytes', '0a00', [[1, '']]],
    ['a tag of two bytes', '82010105', [[16, '05']]],
    ['the largest field number', 'f8ffffff0f07', [[2 ** 29 - 1, 7]]],
    ['skipped fixed numbers', `09${'00'.repeat(8)}0d000000000801`, [[1, 1]]],
    ['a skipped group', '0b08050c1002', [[2, 2]]],
    ['nested groups', '0b13080114' + '0c1002', [[2, 2]]],
  ])('reads valid protobuf: %s', (_what, hex, expected) => {
    expect(fields(hex)).toEqual(expected)
  })

  test.each([
    ['a field number of 0', '0001'],
    ['a field number of 2^29', '808080801001'],
    ['a tag beyond 32 bits', '88808080807f01'],
    ['wire type 6', '0e'],
    ['wire type 7', '0f'],
    ['an unfinished tag', '80'],
    ['an unfinished varint', '08ff'],
    ['a varint of 65 bits', '08ffffffffffffffffff02'],
    ['a varint of 11 bytes', '0880808080808080808080' + '01'],
    ['bytes beyond the end', '0a0201'],
    ['a length of 2^63', '0a80808080808080808001'],
    ['an unfinished fixed64', '0900'],
    ['an unfinished fixed32', '0d00'],
    ['an unterminated group', '0b0801'],
    ['a group end without a group', '0c'],
    ['the end of another group', '0b14'],
  ])('rejects malformed protobuf: %s', (_what, hex) => {
    expect(codeOf(() => fields(hex))).toBe('WARP_PROTOBUF')
  })
})

test('encodes bytes and uint32 fields', () => {
  expect(Hex.encodeBare(bytesField(1, new Uint8Array(300)))).toBe(`0aac02${'00'.repeat(300)}`)
  expect(Hex.encodeBare(uint32Field(2, 0))).toBe('1000')
  expect(Hex.encodeBare(uint32Field(2, 2 ** 32 - 1))).toBe('10ffffffff0f')
})
