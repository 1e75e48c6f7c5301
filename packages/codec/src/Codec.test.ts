import assert from 'node:assert/strict'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as Codec from './Codec.ts'
import { CodecError } from './CodecError.ts'
import * as Hex from './Hex.ts'
import { TYPES } from './testing/layouts.ts'
import { cases, type VectorCase } from './testing/vectors.ts'

function typeOf(vector: VectorCase, maxSize?: number): Codec.Codec<unknown> {
  const type = TYPES[vector.type]
  assert(type !== undefined, `the case ${vector.name} has the unknown type ${vector.type}`)
  return Codec.versioned(type, maxSize === undefined ? {} : { maxSize })
}

/**
 * Converts a value to the form used in the vectors: bytes as hex, 64-bit integers as strings, unions with
 * `$type` and `$typeID`.
 */
function dump(value: unknown): unknown {
  if (value instanceof Uint8Array) return Hex.encode(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(dump)
  if (typeof value !== 'object' || value === null) return value
  const { type, ...fields } = value as Record<string, unknown>
  const members = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, dump(field)]))
  return type === undefined
    ? members
    : { $type: `main.${type}`, $typeID: TYPE_IDS[type as string], ...members }
}

const TYPE_IDS: Readonly<Record<string, number>> = { Circle: 2, Square: 3, Nest: 4, EmptyT: 5 }

function numbered(kind: string): VectorCase[] {
  return cases('codec-primitive', kind).map((vector, i): VectorCase => ({ ...vector, i }))
}

describe('Codec, against reference vectors', () => {
  it.each(numbered('valid'))('decodes and encodes the value of the reference vector: $name $i', (vector) => {
    const codec = typeOf(vector)
    const value = codec.decode(Hex.decode(vector.bytes))
    expect(dump(value)).toEqual(vector.value)
    expect(Hex.encode(codec.encode(value))).toBe(vector.bytes)
    expect(codec.size(value)).toBe(vector.bytes.length / 2 - 1)
  })

  it.each(numbered('decode'))(
    'accepts or rejects the bytes like the reference, vector $i: $name',
    (vector) => {
      const codec = typeOf(vector)
      const bytes = Hex.decode(vector.bytes)
      if (!vector.ok) return expect(() => codec.decode(bytes)).toThrow(CodecError)
      const value = codec.decode(bytes)
      if (vector.value !== undefined) expect(dump(value)).toEqual(vector.value)
      expect(codec.encode(value)).toEqual(bytes)
    },
  )

  it.each(cases('codec-primitive', 'unmarshalLimit'))(
    'enforces the size limit like the reference: $name',
    (vector) => {
      const decode = () => typeOf(vector, vector.maxSize).decode(Hex.decode(vector.bytes))
      if (vector.ok) expect(decode()).toBeDefined()
      else expect(decode).toThrow(expect.objectContaining({ code: 'CODEC_SIZE' }))
    },
  )
})

describe('Codec.encode', () => {
  const nest = { type: 'Nest', Inner: { type: 'Nest', Inner: { type: 'EmptyT' } } }
  // biome-ignore lint/suspicious/noExplicitAny: codecs of different types, with values of wrong types
  it.each<[string, Codec.Codec<any>, unknown, string, string]>([
    [
      'a string over 65535 bytes',
      Codec.struct({ a: Codec.string }),
      { a: 'é'.repeat(32768) },
      'CODEC_LENGTH',
      'a',
    ],
    [
      'more bytes than the maximum size',
      Codec.versioned(Codec.bytes(), { maxSize: 32 }),
      new Uint8Array(27),
      'CODEC_SIZE',
      '',
    ],
    [
      'a missing union value',
      TYPES['Iface{V interface}'] as Codec.Codec<unknown>,
      { V: null },
      'CODEC_VALUE',
      'V',
    ],
    [
      'a union value of an unknown type',
      TYPES['Iface{V interface}'] as Codec.Codec<unknown>,
      { V: { type: 'X' } },
      'CODEC_VALUE',
      'V',
    ],
    [
      'a list with null instead of a struct',
      Codec.array(Codec.struct({ a: Codec.bytes() })),
      [{ a: new Uint8Array() }, null],
      'CODEC_VALUE',
      '[1]',
    ],
    [
      'items of zero size',
      TYPES['Empties{V []EmptyT}'] as Codec.Codec<unknown>,
      { V: [{}] },
      'CODEC_LENGTH',
      'V',
    ],
    [
      'a type nested in itself',
      TYPES['Iface{V interface}'] as Codec.Codec<unknown>,
      { V: nest },
      'CODEC_RECURSIVE',
      'V.Inner',
    ],
    [
      'a number out of range',
      Codec.struct({ a: Codec.array(Codec.u16) }),
      { a: [1, 65536] },
      'CODEC_VALUE',
      'a[1]',
    ],
    ['a number that is not an integer', Codec.u32, 1.5, 'CODEC_VALUE', ''],
    ['a number instead of a bigint', Codec.u64, 1, 'CODEC_VALUE', ''],
    ['a bigint out of range', Codec.u64, 2n ** 64n, 'CODEC_VALUE', ''],
    ['an id of 31 bytes', Codec.id, new Uint8Array(31), 'CODEC_VALUE', ''],
    ['a lone surrogate that represents no byte', Codec.string, '\ud800', 'CODEC_UTF8', ''],
    ['the last surrogate below those that represent a byte', Codec.string, '\udc7f', 'CODEC_UTF8', ''],
    ['the first surrogate above those that represent a byte', Codec.string, '\udd00', 'CODEC_UTF8', ''],
    ['a lone surrogate in a strict string', Codec.utf8, '\udc80', 'CODEC_UTF8', ''],
    [
      'map keys out of order',
      Codec.map(Codec.u8, Codec.u8),
      [
        { key: 2, value: 0 },
        { key: 1, value: 0 },
      ],
      'CODEC_ORDER',
      '',
    ],
    ['a list above its maximum length', Codec.array(Codec.u8, { max: 1 }), [1, 2], 'CODEC_LENGTH', ''],
    ['bytes above their maximum length', Codec.bytes({ max: 1 }), new Uint8Array(2), 'CODEC_LENGTH', ''],
  ])('rejects encoding %s', (_name, codec, value, code, path) => {
    expect(() => codec.encode(value)).toThrow(expect.objectContaining({ code, path }))
  })
})

describe('Codec.decode', () => {
  const Tx = Codec.struct({
    outputs: Codec.array(Codec.struct({ amount: Codec.u64, address: Codec.bytes({ max: 20 }) })),
  })
  it.each([
    ['0x', 'CODEC_TRUNCATED', 'outputs', 0],
    ['0x00000001', 'CODEC_TRUNCATED', 'outputs[0].amount', 4],
    ['0x7fffffff00000000000000010000000000', 'CODEC_TRUNCATED', 'outputs[1].amount', 16],
    ['0x000000010000000000000001ffffffff', 'CODEC_LENGTH', 'outputs[0].address', 12],
    ['0x00000001000000000000000100000014ff', 'CODEC_TRUNCATED', 'outputs[0].address', 16],
    ['0x0000000000', 'CODEC_TRAILING', '', 4],
    ['0xffffffff', 'CODEC_LENGTH', 'outputs', 0],
  ])('reports the error code, path and offset for the bytes %s', (bytes, code, path, offset) => {
    expect(() => Tx.decode(Hex.decode(bytes))).toThrow(expect.objectContaining({ code, path, offset }))
  })

  it.each([
    ['0x0000', { reading: 'length' }],
    ['0x0000000100', { reading: 'u64' }],
    ['0x000000010000000000000001000000', { reading: 'length' }],
    ['0x000000010000000000000001000000020a', {}],
    ['0x00000001000000000000000100000015', { actual: 21, maximum: 20 }],
  ])('reports details of the bytes %s', (bytes, details) => {
    expect(() => Tx.decode(Hex.decode(bytes))).toThrow(expect.objectContaining({ details }))
  })

  it.each([
    ['an unknown type id', '0x00000009', 'CODEC_TYPE_ID', 'V', 0],
    ['a type nested in itself', '0x000000040000000400000005', 'CODEC_RECURSIVE', 'V.Inner', 4],
  ])('reports the error code, path and offset for %s', (_name, bytes, code, path, offset) => {
    const codec = TYPES['Iface{V interface}']
    expect(() => codec?.decode(Hex.decode(bytes))).toThrow(expect.objectContaining({ code, path, offset }))
  })

  it('decodes and encodes a string of the maximum length', () => {
    const bytes = new Uint8Array(2 + 65_535).fill(0x61).fill(0xff, 0, 2)
    expect(Codec.string.encode('a'.repeat(65_535))).toEqual(bytes)
    expect(Codec.string.decode(bytes)).toBe('a'.repeat(65_535))
  })

  it('preserves valid characters of one to four bytes next to invalid bytes', () => {
    const text = '\0\x7f\x80\u07ff\u0800\uffff\u{10000}\u{10ffff}'
    const bytes = Hex.decode('0x001500 7f c280 dfbf e0a080 efbfbf f0908080 f48fbfbf ff'.replaceAll(' ', ''))
    expect(Codec.string.decode(bytes)).toBe(`${text}\udcff`)
    expect(Codec.string.encode(`${text}\udcff`)).toEqual(bytes)
    expect(Codec.string.decode(Hex.decode('0x0007c180f5808080bf'))).toBe(
      '\udcc1\udc80\udcf5\udc80\udc80\udc80\udcbf',
    )
  })

  it('rejects invalid UTF-8 in strict strings and preserves it in lossless strings', () => {
    const bytes = Hex.decode('0x0004fffe41c3')
    expect(() => Codec.utf8.decode(bytes)).toThrow(expect.objectContaining({ code: 'CODEC_UTF8', offset: 2 }))
    const text = Codec.string.decode(bytes)
    expect(text.toWellFormed()).toBe('\ufffd\ufffdA\ufffd')
    expect(Codec.string.encode(text)).toEqual(bytes)
  })

  it('returns plain Uint8Array views of the input, even for a slice of a Buffer', () => {
    const value = Codec.bytes().decode(Buffer.from('ff00000003010203ff', 'hex').subarray(1, -1))
    expect(Object.getPrototypeOf(value)).toBe(Uint8Array.prototype)
    expect(value).toEqual(Uint8Array.of(1, 2, 3))
  })
})

describe('Codec types and JSON', () => {
  const Output = Codec.union({
    TransferOutput: [7, Codec.struct({ amount: Codec.u64, addresses: Codec.array(Codec.nodeId) })],
    Data: [
      8,
      Codec.struct({ data: Codec.bytes({ json: 'base64' }), proof: Codec.fixed(2, { json: 'numbers' }) }),
    ],
  })
  const Tx = Codec.struct({ id: Codec.id, memo: Codec.bytes(), outputs: Codec.array(Output) })
  const tx: Codec.Infer<typeof Tx> = {
    id: new Uint8Array(32),
    memo: Uint8Array.of(1, 255),
    outputs: [
      { type: 'TransferOutput', amount: 2n ** 64n - 1n, addresses: [new Uint8Array(20)] },
      { type: 'Data', data: Uint8Array.of(1, 2), proof: Uint8Array.of(3, 4) },
    ],
  }
  const json = {
    id: '11111111111111111111111111111111LpoYY',
    memo: '0x01ff',
    outputs: [
      { amount: 18446744073709551615n, addresses: ['NodeID-111111111111111111116DBWJs'] },
      { data: 'AQI=', proof: [3, 4] },
    ],
  }

  it('infers the type from the declaration', () => {
    expectTypeOf<Codec.Infer<typeof Output>>().toEqualTypeOf<
      | {
          readonly type: 'TransferOutput'
          readonly amount: bigint
          readonly addresses: readonly Uint8Array[]
        }
      | { readonly type: 'Data'; readonly data: Uint8Array; readonly proof: Uint8Array }
    >()
  })

  it('converts a value to the declared JSON and back', () => {
    expect(Tx.toJSON(tx)).toEqual(json)
    expect(Tx.fromJSON(json)).toEqual(tx)
  })

  it.each([
    ['a member that is missing', { id: json.id, memo: '0x' }, 'outputs'],
    ['a string that is not an id', { ...json, id: 'x' }, 'id'],
    ['a union whose members match no variant', { ...json, outputs: [{ amount: 1 }] }, 'outputs[0]'],
    [
      'a number that is too large',
      { ...json, outputs: [{ amount: 2n ** 64n, addresses: [] }] },
      'outputs[0].TransferOutput.amount',
    ],
    [
      'bytes that are not base64',
      { ...json, outputs: [{ data: '*', proof: [1, 2] }] },
      'outputs[0].Data.data',
    ],
    ['a string instead of an object', 'x', ''],
  ])('rejects JSON with %s', (_name, wrong, path) => {
    expect(() => Tx.fromJSON(wrong)).toThrow(expect.objectContaining({ path, name: 'CodecError' }))
  })

  it.each([[null], [5], [[]], ['']])('rejects the JSON %j for a union that has an empty variant', (json) => {
    const empty = Codec.union({ Empty: [0, Codec.struct({})] })
    expect(empty.fromJSON({})).toEqual({ type: 'Empty' })
    expect(() => empty.fromJSON(json)).toThrow(
      expect.objectContaining({ code: 'CODEC_VALUE', message: 'expected a JSON object' }),
    )
  })

  it.each([[[null]], [['x']], [[{ key: 1 }]], [[{ key: 1, value: 'x' }]]])(
    'rejects the invalid map entries %j',
    (json) => {
      const entries = Codec.map(Codec.u8, Codec.u8)
      expect(() => entries.fromJSON(json)).toThrow(
        expect.objectContaining({ code: 'CODEC_VALUE', name: 'CodecError' }),
      )
    },
  )
})
