import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Codec } from './Codec.ts'
import { CodecError } from './CodecError.ts'
import * as Json from './Json.ts'
import { arbitrary } from './testing/arbitrary.ts'
import { BaseTx, PackedBaseTx, PackedUnsignedMessage, TYPES, UnsignedMessage } from './testing/layouts.ts'

// biome-ignore lint/suspicious/noExplicitAny: the table contains codecs of different types
const ALL: Readonly<Record<string, Codec<any>>> = { ...TYPES, BaseTx, UnsignedMessage }

describe('every codec', () => {
  it.each(Object.entries(ALL))(
    'round-trips every value and predicts its encoded size: %s',
    (_name, codec) => {
      fc.assert(
        fc.property(arbitrary(codec), (value) => {
          const bytes = codec.encode(value)
          expect(codec.size(value)).toBe(bytes.length)
          expect(codec.decode(bytes)).toEqual(value)
        }),
      )
    },
  )

  it.each(Object.entries(ALL))('round-trips every value through JSON: %s', (name, codec) => {
    fc.assert(
      fc.property(arbitrary(codec), (value) => {
        const json = codec.toJSON(value)
        expect(codec.fromJSON(json)).toEqual(value)
        if (!name.includes('Str') && name !== 'Prims')
          expect(Json.parse(Json.stringify(json))).toEqual(toComparable(json))
      }),
    )
  })

  it.each(Object.entries(ALL))(
    'decodes mutated bytes to a value that encodes back to them, or throws a CodecError: %s',
    (_name, codec) => {
      const mutated = fc
        .tuple(
          arbitrary(codec),
          fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
          fc.nat(),
        )
        .map(([value, changes, cut]) => mutate(codec.encode(value), changes, cut))
      fc.assert(
        fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 64 })), (bytes) => {
          let value: unknown
          try {
            value = codec.decode(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(CodecError)
            return
          }
          expect(codec.encode(value as never)).toEqual(bytes)
        }),
        { numRuns: 300 },
      )
    },
  )
})

describe('the same layouts in micro-packed', () => {
  it('encodes a base transaction to the same bytes as micro-packed', () => {
    fc.assert(
      fc.property(arbitrary(BaseTx), (value) => {
        const packed = PackedBaseTx.encode({
          ...value,
          outputs: value.outputs.map(({ assetID: assetId, output: { type: _, ...data } }) => ({
            assetID: assetId,
            output: { TAG: 7 as const, data: { ...data, addresses: [...data.addresses] } },
          })),
          inputs: value.inputs.map(({ input: { type: _, ...data }, ...rest }) => ({
            ...rest,
            input: { TAG: 5 as const, data: { ...data, signatureIndices: [...data.signatureIndices] } },
          })),
        })
        expect(BaseTx.encode(value)).toEqual(packed)
      }),
    )
  })

  it('encodes a Warp message to the same bytes as micro-packed', () => {
    fc.assert(
      fc.property(arbitrary(UnsignedMessage), (value) => {
        expect(UnsignedMessage.encode(value)).toEqual(PackedUnsignedMessage.encode(value))
      }),
    )
  })
})

function mutate(bytes: Uint8Array, changes: readonly (readonly [number, number])[], cut: number): Uint8Array {
  const out = bytes.slice(0, cut % 3 === 0 ? cut % (bytes.length + 1) : bytes.length)
  for (const [at, byte] of changes) if (out.length > 0) out[at % out.length] = byte
  return out
}

/**
 * Converts integers that a number can hold exactly to `number`, because JSON parsing returns them in this
 * form.
 */
function toComparable(json: unknown): unknown {
  if (typeof json === 'bigint') return json >= -(2n ** 53n) + 1n && json < 2n ** 53n ? Number(json) : json
  if (Array.isArray(json)) return json.map(toComparable)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, toComparable(member)]))
}
