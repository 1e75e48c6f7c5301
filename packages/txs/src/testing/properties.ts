import { Bytes, type Codec, isFirnError, Json } from '@firn/codec'
import { arbitrary } from '@firn/codec/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'

/** Options of {@link testRoundTrips}. */
interface Options<T> {
  readonly context?: Codec.JsonContext
  /**
   * Returns false for values whose JSON is ambiguous; these skip the JSON test. Default: all values are
   * tested.
   */
  readonly hasJson?: (value: T) => boolean
  readonly numRuns?: number
}

/** Defines tests that a codec round-trips random values and rejects malformed bytes. For tests only. */
export function testRoundTrips<T>(name: string, codec: Codec.Codec<T>, options: Options<T> = {}): void {
  const { context, hasJson = () => true, numRuns = 100 } = options
  const values = arbitrary(codec)

  it(`round-trips through bytes and predicts the encoded size: ${name}`, () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = codec.encode(value)
        expect(codec.size(value)).toBe(bytes.length)
        expect(codec.decode(bytes)).toEqual(value)
        expect(codec.encode(codec.decode(bytes))).toEqual(bytes)
      }),
      { numRuns },
    )
  })

  it(`round-trips through JSON text: ${name}`, () => {
    fc.assert(
      fc.property(values.filter(hasJson), (value) => {
        const json = Json.stringify(codec.toJSON(value, context))
        const back = codec.fromJSON(Json.parse(json), context)
        expect(codec.encode(back)).toEqual(codec.encode(value))
        expect(Json.stringify(codec.toJSON(back, context))).toBe(json)
      }),
      { numRuns },
    )
  })

  it(`rejects every strict prefix, and decodes modified bytes or throws a typed error: ${name}`, () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 255 }), (value, change) => {
        const bytes = codec.encode(value)
        for (let at = 0; at < bytes.length; at++) {
          if (!refusal(() => codec.decode(bytes.subarray(0, at))))
            expect.fail(`a prefix of ${at} bytes was accepted`)
          const changed = bytes.slice()
          changed[at] = (changed[at] as number) ^ change
          refusal(() => {
            const again = codec.encode(codec.decode(changed))
            if (!Bytes.equals(again, changed))
              expect.fail(
                `the value decoded after a change of byte ${at} does not encode to the changed bytes`,
              )
          })
        }
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    )
  })
}

/** Returns true if `work` throws a typed error, and false if it returns. Rethrows other errors. */
function refusal(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch (error) {
    if (isFirnError(error)) return true
    throw error
  }
}
