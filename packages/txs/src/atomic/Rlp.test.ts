import { Hex } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TxsError } from '../TxsError.ts'
import * as Rlp from './Rlp.ts'

/**
 * A byte string or a list, encoded by a second RLP encoder written for this test from the Ethereum
 * specification.
 */
type Tree = Uint8Array | readonly Tree[]
function encode(tree: Tree): number[] {
  if (tree instanceof Uint8Array) {
    if (tree.length === 1 && (tree[0] as number) < 0x80) return [...tree]
    return [...prefix(0x80, tree.length), ...tree]
  }
  const payload = tree.flatMap(encode)
  return [...prefix(0xc0, payload.length), ...payload]
}
function prefix(base: number, length: number): number[] {
  if (length < 56) return [base + length]
  const digits = length.toString(16)
  const size = [...Hex.decodeBare(digits.length % 2 === 0 ? digits : `0${digits}`)]
  return [base + 55 + size.length, ...size]
}
function read(item: Rlp.Item): Tree {
  return item.isList ? Rlp.items(item).map(read) : item.payload
}

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 80 }),
    fc.uint8Array({ minLength: 250, maxLength: 300 }),
    fc.array(tie('tree'), { maxLength: 5 }),
  ),
}))

describe('RLP', () => {
  it('decodes the output of an independent RLP encoder', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const bytes = Uint8Array.from(encode(value))
        const item = Rlp.decode(bytes)
        expect(item.raw).toEqual(bytes)
        expect(read(item)).toEqual(value)
      }),
    )
  })

  it('rejects every strict prefix and trailing bytes, and accepts modified bytes only if they are canonical', () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        const bytes = Uint8Array.from(encode(value))
        expect(() => Rlp.decode(bytes.subarray(0, at % bytes.length))).toThrow(TxsError)
        expect(() => Rlp.decode(Uint8Array.of(...bytes, 0))).toThrow(TxsError)
        const changed = bytes.slice()
        changed[at % bytes.length] = (changed[at % bytes.length] as number) ^ change
        try {
          expect(Uint8Array.from(encode(read(Rlp.decode(changed))))).toEqual(changed)
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
