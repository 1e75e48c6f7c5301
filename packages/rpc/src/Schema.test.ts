import { Json } from '@firn/codec'
import * as fc from 'fast-check'
import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { Schema } from './index.ts'
import { tokens } from './testing/tokens.ts'

const U64_MAX = 2n ** 64n - 1n
const refused = (path: string) => expect.objectContaining({ code: 'RPC_SCHEMA', details: { path } })

describe('Schema.parse of responses', () => {
  test.each<[string, Schema.AnySchema, unknown]>([
    ['u64 above its range', Schema.u64, '18446744073709551616'],
    ['u64 with a leading zero', Schema.u64, '01'],
    ['u64 with a sign', Schema.u64, '+1'],
    ['u64 as a number', Schema.u64, 1],
    ['u64 without digits', Schema.u64, ''],
    ['u32 above its range', Schema.u32, '4294967296'],
    ['u8 above its range', Schema.u8, '256'],
    ['a number instead of a fixed4 string', Schema.fixed4, 1.5],
    ['a fixed4 string with three decimals', Schema.fixed4, '1.500'],
    ['a fraction instead of an integer', Schema.integer, 1.5],
    ['an id of 20 bytes', Schema.id, '111111111111111111116DBWJs'],
    ['an id with a wrong letter', Schema.id, '11111111111111111111111111111111LpoYZ'],
    ['a node id without prefix', Schema.nodeId, '111111111111111111116DBWJs'],
    ['hex without prefix', Schema.hex(), 'ff'],
    ['hex of another length', Schema.hex(2), '0xff'],
    ['a word that is not allowed', Schema.oneOf('a', 'b'), 'c'],
    ['null instead of a list', Schema.array(Schema.u64), null],
    ['a time without zone', Schema.time, '2026-11-21T00:13:15'],
    ['"Proposed" with a capital letter', Schema.height, 'Proposed'],
  ])('rejects %s', (_name, schema, json) => expect(() => schema.parse(json)).toThrow(refused('$')))

  test('contains the path of the wrong value in the error', () => {
    const schema = Schema.struct({
      a: Schema.array(Schema.map(Schema.nodeId, Schema.struct({ b: Schema.u64 }))),
    })
    const json = { a: [{}, { 'NodeID-111111111111111111116DBWJs': { b: 7 } }] }
    expect(() => schema.parse(json)).toThrow(refused('$.a[1].NodeID-111111111111111111116DBWJs.b'))
    expect(() => schema.parse({ a: [{ x: { b: '7' } }] })).toThrow(refused('$.a[0].(key)'))
    expect(() => schema.parse({})).toThrow(refused('$.a'))
  })

  test.each([
    [0.03125, '0.0312'],
    [0.09375, '0.0938'],
    [-0.03125, '-0.0312'],
    [99.96875, '99.9688'],
    [98.03125, '98.0312'],
    [99.96981, '99.9698'],
    [100, '100.0000'],
  ])('formats %d with four decimals like Go', (value, text) => expect(Schema.fixed4.format(value)).toBe(text))

  test('sorts the members of a map by the bytes of their names, even if the names are numbers', () => {
    const json = Schema.map(Schema.u32, Schema.u8).format(
      new Map([
        ['24', 1],
        ['103', 2],
        ['9', 3],
      ]),
    )
    expect(Json.stringify(json)).toBe('{"103":"2","24":"1","9":"3"}')
  })

  test("ignores members of the object's prototype", () => {
    expect(() => Schema.struct({ toString: Schema.json }).parse({})).toThrow(refused('$.toString'))
  })
})

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [[1, 2], 'an array of length 2'],
  [{}, 'an object'],
  [true, 'true'],
  ['a'.repeat(80), `"${'a'.repeat(80)}"`],
  ['a'.repeat(81), `"${'a'.repeat(80)}…"`],
])('describes the rejected value %j in the error', (json, text) => {
  expect(() => Schema.u64.parse(json)).toThrow(new RegExp(`, got ${text}$`))
})

describe('Schema.accept of arguments', () => {
  test.each<[string, Schema.AnySchema, string, unknown]>([
    ['quoted', Schema.u64, '"7"', 7n],
    ['bare', Schema.u64, '18446744073709551615', U64_MAX],
    ['leading zeros', Schema.u64, '"007"', 7n],
    ['null', Schema.u64, 'null', 0n],
    ['null id', Schema.id, 'null', new Uint8Array(32)],
    ['null bool', Schema.boolean, 'null', false],
    ['encoding in any case', Schema.encoding, '"HexNC"', 'hexnc'],
    ['no encoding', Schema.encoding, 'null', 'hex'],
    ['height', Schema.height, '"proposed"', 'proposed'],
    ['optional null', Schema.optional(Schema.u64), 'null', undefined],
    ['prefers the exact member name', Schema.struct({ a: Schema.u64 }), '{"A":1,"a":2}', { a: 2n }],
    [
      'otherwise takes the last name that matches in any case',
      Schema.struct({ ab: Schema.u64 }),
      '{"AB":1,"Ab":2}',
      { ab: 2n },
    ],
    [
      'folds the long s and the Kelvin sign',
      Schema.struct({ sk: Schema.u64 }),
      '{"\u017f\u212a":2}',
      { sk: 2n },
    ],
  ])('parses an argument in the same way as the node: %s', (_name, schema, text, value) =>
    expect(schema.accept(tokens(text))).toEqual(value),
  )

  test.each([['1.0'], ['1e3'], ['-1'], ['18446744073709551616'], ['""'], ['" 1"'], ['"0x1"'], ['true']])(
    'rejects %s as a u64 argument',
    (text) => expect(() => Schema.u64.accept(tokens(text))).toThrow(refused('$')),
  )

  test('rejects the node\'s internal sentinel height for "proposed"', () => {
    expect(() => Schema.height.accept(tokens('"18446744073709551615"'))).toThrow(refused('$'))
  })
})

describe('Schema.format of invalid values', () => {
  test.each<[Schema.AnySchema, unknown]>([
    [Schema.u64, -1n],
    [Schema.u64, U64_MAX + 1n],
    [Schema.u32, 2 ** 32],
    [Schema.u32, 1.5],
    [Schema.integer, 2 ** 53],
    [Schema.id, new Uint8Array(31)],
    [Schema.hex(48), new Uint8Array(47)],
    [Schema.oneOf('a'), 'b'],
  ])('throws when a value to format does not match its schema (case %#)', (schema, value) =>
    expect(() => schema.format(value as never)).toThrow(refused('$')),
  )
})

test('infers TypeScript types from schemas', () => {
  const schema = Schema.struct({
    height: Schema.u64,
    name: Schema.optional(Schema.string),
    key: Schema.nullable(Schema.hex(48)),
  })
  expectTypeOf<Schema.Infer<typeof schema>>().toEqualTypeOf<{
    readonly height: bigint
    readonly key: Uint8Array | null
    readonly name?: string | undefined
  }>()
  const either = Schema.byMember({
    a: Schema.struct({ a: Schema.u64 }),
    '': Schema.struct({ b: Schema.u64 }),
  })
  expect(either.format(either.parse({ b: '1' }))).toEqual({ b: '1' })
  expectTypeOf<Schema.Infer<typeof either>>().toEqualTypeOf<{ readonly a: bigint } | { readonly b: bigint }>()
})

test('restores formatted values when they are parsed as responses or arguments, also through JSON text', () => {
  const schema = Schema.struct({
    amount: Schema.u64,
    raw: Schema.bigInteger,
    small: Schema.u16,
    count: Schema.integer,
    id: Schema.id,
    node: Schema.nodeId,
    bytes: Schema.hex(),
    checked: Schema.checkedHex,
    text: Schema.string,
    flag: Schema.boolean,
    list: Schema.array(Schema.nullable(Schema.u64)),
    map: Schema.map(Schema.string, Schema.u64),
  })
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
  const u64 = fc.bigInt({ min: 0n, max: U64_MAX })
  const names = fc.string({ minLength: 1 }).filter((name) => !/^\d+$/.test(name) && name !== '__proto__')
  const arbitrary = fc.record({
    amount: u64,
    raw: u64,
    small: fc.integer({ min: 0, max: 0xffff }),
    count: fc.maxSafeInteger(),
    id: bytes(32),
    node: bytes(20),
    bytes: fc.uint8Array(),
    checked: fc.uint8Array(),
    text: fc.string(),
    flag: fc.boolean(),
    list: fc.array(fc.option(u64)),
    map: fc.array(fc.tuple(names, u64)).map((entries) => new Map(entries)),
  })
  fc.assert(
    fc.property(arbitrary, (value) => {
      const text = Json.stringify(schema.format(value))
      const parsed = schema.parse(Json.parse(text))
      expect(parsed).toEqual({ ...value, count: value.count + 0 })
      expect(Json.stringify(schema.format(parsed))).toBe(text)
      if (value.count >= 0) expect({ ...schema.accept(tokens(text)), list: value.list }).toEqual(value)
    }),
    { numRuns: 200 },
  )
})

test('refuses a number of millions of digits without converting it', () => {
  const convert = vi.spyOn(globalThis, 'BigInt')
  const digits = new Schema.NumberToken('9'.repeat(5_000_000))
  expect(() => Schema.bigInteger.parse(digits)).toThrow(/^expected a u64 number at \$, got 9{80}…$/)
  expect(() => Schema.u64.accept(digits, '$')).toThrow(/got 9{80}…$/)
  expect(convert).not.toHaveBeenCalled()
  convert.mockRestore()
})
