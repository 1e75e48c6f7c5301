import { expect, it } from 'vitest'
import { byteas } from './arrays.ts'

it('formats bytes of any length, and null, as an SQL array', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const digits = Buffer.from(all).toString('hex')
  expect(byteas([])).toBe('{}')
  expect(byteas([null])).toBe('{null}')
  expect(byteas([all.subarray(10, 12), null, new Uint8Array(), all])).toBe(
    `{"\\\\x0a0b",null,"\\\\x","\\\\x${digits}"}`,
  )
})
