import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { native, type ParseNumbers, portable } from './numberSources.ts'

/** Returns the value in which each number is replaced by its text. */
const sources = (parse: ParseNumbers, text: string): unknown =>
  parse(text, (value, source) => (source === undefined ? value : `number ${source}`))

describe.each([
  ['native', native],
  ['portable', portable],
])('%s parsing of numbers in JSON', (_, parse) => {
  it('passes the text of each number, and no digits of strings', () => {
    const text = '{"a":[18446744073709551615,-1.50,2e3],"7":"8","\\"9":"\\\\","b":0}'
    expect(sources(parse, text)).toEqual({
      a: ['number 18446744073709551615', 'number -1.50', 'number 2e3'],
      7: '8',
      '"9': '\\',
      b: 'number 0',
    })
  })

  it.each(['01', '1.', '-', '.5', '1 2', '[1,]', '"1', '+1', '1e'])('rejects %s', (text) => {
    expect(() => sources(parse, text)).toThrow(SyntaxError)
  })
})

it('parses every JSON text alike natively and portably', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(sources(portable, text)).toEqual(sources(native, text))
    }),
  )
})
