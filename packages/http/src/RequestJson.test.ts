import { describe, expect, it } from 'vitest'
import * as RequestJson from './RequestJson.ts'

describe('RequestJson', () => {
  it.each([
    ['depth', '['.repeat(100_000)],
    ['depth', '{"":'.repeat(100_000)],
    ['values', `[${'1,'.repeat(100_000)}1]`],
    ['keys', `{${Array.from({ length: 20_001 }, (_, i) => `"${i}":1`).join()}}`],
    ['digits', `{"message":${'9'.repeat(5_000_000)}}`],
  ])('refuses a request beyond the limit of %s', (bound, text) => {
    const error = expect.objectContaining({ code: 'CODEC_JSON', details: expect.objectContaining({ bound }) })
    expect(() => RequestJson.parse(text)).toThrow(error)
    expect(() => RequestJson.assertBounds(text)).toThrow(error)
  })

  it('parses a large string and exact integers', () => {
    const message = 'f'.repeat(5_000_000)
    expect(RequestJson.parse(`{"message":"${message}","height":18446744073709551615}`)).toEqual({
      message,
      height: 18446744073709551615n,
    })
  })

  it('checks only the bounds on request', () => {
    RequestJson.assertBounds('{"a":1} rest')
  })
})
