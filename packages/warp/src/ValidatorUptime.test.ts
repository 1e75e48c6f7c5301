import { Hex } from '@firn/codec'
import { expect, test } from 'vitest'
import { codeOf } from './testing/vectors.ts'
import * as ValidatorUptime from './ValidatorUptime.ts'

test('encodes version, type id 0, validation id and seconds into 46 bytes', () => {
  const message = {
    type: 'ValidatorUptime' as const,
    validationID: new Uint8Array(32).fill(0xab),
    totalUptime: 2n ** 64n - 1n,
  }
  const bytes = `0x000000000000${'ab'.repeat(32)}ffffffffffffffff`
  expect(Hex.encode(ValidatorUptime.encode(message))).toBe(bytes)
  expect(ValidatorUptime.decode(Hex.decode(bytes))).toEqual(message)
})

test.each([
  ['CODEC_TRAILING', `0x000000000000${'ab'.repeat(32)}ffffffffffffffff00`],
  ['CODEC_TRUNCATED', `0x000000000000${'ab'.repeat(32)}ffffffffffffff`],
  ['CODEC_TYPE_ID', `0x000000000001${'ab'.repeat(32)}ffffffffffffffff`],
  ['CODEC_VERSION', `0x000100000000${'ab'.repeat(32)}ffffffffffffffff`],
])('rejects malformed bytes with code %s', (code, bytes) => {
  expect(codeOf(() => ValidatorUptime.decode(Hex.decode(bytes)))).toBe(code)
})
