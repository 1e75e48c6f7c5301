import { Hex } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Rlp from './Rlp.ts'
import { TxsError } from './TxsError.ts'

/** Examples of the Ethereum specification and of its test suite. */
const text = (value: string) => new TextEncoder().encode(value)
const LOREM = 'Lorem ipsum dolor sit amet, consectetur adipisicing elit'
const GOLDEN: readonly (readonly [string, Rlp.Value, string])[] = [
  ['an empty string', text(''), '80'],
  ['the byte 0', Uint8Array.of(0), '00'],
  ['the byte 127', Uint8Array.of(0x7f), '7f'],
  ['the byte 128', Uint8Array.of(0x80), '8180'],
  ['a short string', text('dog'), '83646f67'],
  ['a string of 56 bytes', text(LOREM), `b838${Hex.encodeBare(text(LOREM))}`],
  ['a string of 1,024 bytes', new Uint8Array(1_024).fill(7), `b90400${'07'.repeat(1_024)}`],
  ['0', Rlp.fromBigint(0n), '80'],
  ['15', Rlp.fromBigint(15n), '0f'],
  ['1,024', Rlp.fromBigint(1_024n), '820400'],
  ['2^256 - 1', Rlp.fromBigint(2n ** 256n - 1n), `a0${'ff'.repeat(32)}`],
  ['an empty list', [], 'c0'],
  ['a list of strings', [text('cat'), text('dog')], 'c88363617483646f67'],
  ['nested lists', [[], [[]], [[], [[]]]], 'c7c0c1c0c3c0c1c0'],
  ['a list of 60 bytes', Array.from({ length: 15 }, () => text('dog')), `f83c${'83646f67'.repeat(15)}`],
]

function read(item: Rlp.Item): Rlp.Value {
  return item.isList ? Rlp.items(item).map(read) : item.payload
}

const { tree } = fc.letrec<{ tree: Rlp.Value }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 80 }),
    fc.uint8Array({ minLength: 250, maxLength: 300 }),
    fc.array(tie('tree'), { maxLength: 5 }),
  ),
}))

describe('RLP', () => {
  it.each(GOLDEN)('encodes and decodes %s as the specification says', (_name, value, hex) => {
    expect(Hex.encodeBare(Rlp.encode(value))).toBe(hex)
    expect(read(Rlp.decode(Hex.decodeBare(hex)))).toEqual(value)
  })

  it('writes numbers that it reads', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        expect(Rlp.toBigint(Rlp.decode(Rlp.encode(Rlp.fromBigint(value))))).toBe(value)
      }),
    )
  })

  it('decodes what it encodes', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const bytes = Rlp.encode(value)
        const item = Rlp.decode(bytes)
        expect(item.raw).toEqual(bytes)
        expect(read(item)).toEqual(value)
      }),
    )
  })

  it('rejects every strict prefix and trailing bytes, and accepts modified bytes only if they are canonical', () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        const bytes = Rlp.encode(value)
        expect(() => Rlp.decode(bytes.subarray(0, at % bytes.length))).toThrow(TxsError)
        expect(() => Rlp.decode(Uint8Array.of(...bytes, 0))).toThrow(TxsError)
        const changed = bytes.slice()
        changed[at % bytes.length] = (changed[at % bytes.length] as number) ^ change
        try {
          expect(Rlp.encode(read(Rlp.decode(changed)))).toEqual(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(TxsError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['empty input', '0x'],
    ['a small byte with a prefix', '0x8101'],
    ['a short string in the long form', '0xb801ff'],
    ['a length with a leading zero', `0xb90038${'ff'.repeat(56)}`],
    ['a truncated list', '0xc301'],
    ['a length of 2^32 − 1', '0xbbffffffff'],
    ['a length of 8 bytes', '0xbfffffffffffffffff'],
    ['a length of 2^48 − 1', '0xfdffffffffffff'],
    ['a truncated length', '0xf9ff'],
  ])('rejects malformed RLP: %s', (_what, hex) => {
    expect(() => Rlp.decode(Hex.decode(hex))).toThrow(expect.objectContaining({ code: 'TXS_RLP' }))
  })

  it('reads numbers, strings and lists, and rejects an item of the wrong kind', () => {
    const read = (hex: string) => Rlp.decode(Hex.decode(hex))
    expect(Rlp.toBigint(read('0x80'))).toBe(0n)
    expect(Rlp.toBigint(read('0x820400'))).toBe(1024n)
    for (const refused of ['0x00', '0x820001', '0xc0', `0xa1${'ff'.repeat(33)}`]) {
      expect(() => Rlp.toBigint(read(refused))).toThrow(TxsError)
    }
    expect(() => Rlp.toBytes(read('0xc0'))).toThrow(TxsError)
    expect(() => Rlp.items(read('0x80'))).toThrow(TxsError)
  })

  it('returns plain Uint8Array views, even when decoding a Buffer', () => {
    const item = Rlp.decode(Buffer.from('c3820400', 'hex'))
    expect(item.payload.constructor).toBe(Uint8Array)
  })
})
