import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerpt } from './excerpt.ts'

describe('excerpt', () => {
  it.each<[string, unknown]>([
    ['"aval…"', 'avalanche'],
    ['"\\"a\\""', '"a"'],
    ['nothing', undefined],
    ['null', null],
    ['12', 12n],
    ['-9999', -9999n],
    ['an integer of more than 4 digits', -10_000n],
    ['an integer of more than 4 digits', 10n ** 5_000_000n],
    ['1234…', 123456],
    ['[1,2…', [1, 2]],
    ['[1]', [1]],
    ['{"ab…', { abcdef: 1 }],
    ['{"a"…', { a: 'bcd' }],
    ['9 by…', new Uint8Array(9)],
    ['a fu…', () => 1],
  ])('prints %s', (text, value) => {
    expect(excerpt(value, 4)).toBe(text)
  })

  it('looks like JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(40), (value, length) => {
        fc.pre(typeof value === 'object')
        const text = JSON.stringify(value)
        const cut = text.length > length ? `${text.slice(0, length)}…` : text
        expect(excerpt(value, length)).toBe(cut)
      }),
    )
  })

  it('reads no more of a value than it prints', () => {
    let reads = 0
    const counted = (target: object): object =>
      new Proxy(target, {
        get: (from, name) => {
          reads++
          const value = Reflect.get(from, name)
          return typeof value === 'object' && value !== null ? counted(value) : value
        },
      })
    let nested: unknown[] = []
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    expect(excerpt(counted(nested), 10)).toBe(`${'['.repeat(10)}…`)
    expect(excerpt(counted(Array.from({ length: 100_000 }, () => 1)), 10)).toBe('[1,1,1,1,1…')
    expect(excerpt(counted({ a: 'x'.repeat(1_000_000), b: 1 }), 10)).toBe('{"a":"xxxx…')
    expect(reads).toBeLessThan(200)
  })
})
