import { Bytes, Hex } from '@firn/codec'
import fc from 'fast-check'
import { type AbiParameter, encodeAbiParameters, toEventSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import * as EventAbi from './EventAbi.ts'
import * as EventDecoder from './EventDecoder.ts'

type Sample = { readonly parameter: EventAbi.Parameter; readonly value: unknown }
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const leaf = (type: string, value: fc.Arbitrary<unknown>) =>
  value.map((one): Sample => ({ parameter: { name: 'x', type }, value: one }))

const LEAVES = fc.oneof(
  leaf('address', bytes(20)),
  leaf('bool', fc.boolean()),
  leaf('string', fc.string({ unit: 'grapheme', maxLength: 40 })),
  leaf('bytes', fc.uint8Array({ maxLength: 70 })),
  leaf('bytes7', bytes(7)),
  leaf('uint256', fc.bigInt(0n, 2n ** 256n - 1n)),
  leaf('int24', fc.bigInt(-(2n ** 23n), 2n ** 23n - 1n)),
)
/** Samples of parameters with nested arrays and tuples. */
const SAMPLES = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    LEAVES,
    fc
      .tuple(tie('sample'), fc.integer({ min: 0, max: 3 }), fc.boolean())
      .map(([{ parameter, value }, length, isFixed]) => ({
        parameter: { ...parameter, type: `${parameter.type}[${isFixed && length > 0 ? length : ''}]` },
        value: Array(length).fill(value),
      })),
    fc.array(tie('sample'), { minLength: 1, maxLength: 3 }).map((members) => ({
      parameter: {
        name: 'x',
        type: 'tuple',
        components: members.map(({ parameter }, i) => ({ ...parameter, name: `m${i}` })),
      },
      value: members.map(({ value }) => value),
    })),
  ),
})).sample

/** Returns a value as viem expects it. */
function toViem({ type, components = [], ...rest }: EventAbi.Parameter, value: unknown): unknown {
  const array = EventAbi.arrayOf(type)
  if (array !== undefined) {
    return (value as unknown[]).map((one) => toViem({ ...rest, components, type: array.type }, one))
  }
  if (type === 'tuple') {
    return Object.fromEntries(components.map((one, i) => [one.name, toViem(one, (value as unknown[])[i])]))
  }
  if (value instanceof Uint8Array) return Hex.encode(value)
  return type === 'int24' ? Number(value) : value
}

const eventOf = (samples: readonly Sample[], isIndexed: (i: number) => boolean): EventAbi.EventAbi => ({
  name: 'Happened',
  inputs: samples.map(({ parameter }, i) => ({ ...parameter, name: `p${i}`, indexed: isIndexed(i) })),
})
const encode = (parameters: readonly EventAbi.Parameter[], values: readonly unknown[]) =>
  Hex.decode(
    encodeAbiParameters(
      parameters as AbiParameter[],
      values.map((value, i) => toViem(parameters[i] as EventAbi.Parameter, value)) as never,
    ),
  )

describe('EventDecoder.decode', () => {
  test('returns the values that another library encoded', () => {
    fc.assert(
      fc.property(fc.array(SAMPLES, { maxLength: 4 }), fc.array(LEAVES, { maxLength: 3 }), (data, topics) => {
        const samples = [...data, ...topics]
        const event = eventOf(samples, (i) => i >= data.length)
        expect(Hex.encode(EventAbi.topic(event))).toBe(toEventSelector({ type: 'event', ...event } as never))
        expect(EventAbi.parse({ abi: [{ type: 'event', ...event }] })).toEqual([event])
        const hash = new Uint8Array(32).fill(9)
        const values = samples.map(({ value }, i) =>
          i >= data.length && EventDecoder.isHashed(event.inputs[i] as EventAbi.Parameter) ? hash : value,
        )
        const words = topics.map(({ parameter, value }) =>
          EventDecoder.isHashed(parameter) ? hash : encode([parameter], [value]),
        )
        const log = {
          topics: [EventAbi.topic(event), ...words],
          data: encode(event.inputs.slice(0, data.length), values.slice(0, data.length)),
        }
        expect(EventDecoder.decode(event, log)).toEqual(values)
        expect(EventDecoder.decode(event, { ...log, topics: [...log.topics, hash] })).toBeUndefined()
        if (log.data.length === 0) return
        // A log with too few data is either not an event of this kind, or only its padding is missing.
        const short = EventDecoder.decode(event, { ...log, data: log.data.subarray(0, -32) })
        expect(short === undefined || log.data.at(-1) === 0).toBe(true)
      }),
    )
  })

  test('rejects values that do not fit their types', () => {
    const word = (...tail: number[]) => Uint8Array.of(...new Uint8Array(32 - tail.length), ...tail)
    const misfits: readonly (readonly [type: string, data: Uint8Array])[] = [
      ['address', word(1, ...new Uint8Array(20))],
      ['bool', word(2)],
      ['uint8', word(1, 0)],
      ['int8', word(128)],
      ['bytes4', word(1)],
      ['string', word(64)],
      ['uint256[]', Bytes.concat(word(32), word(2), word(1))],
    ]
    for (const [type, data] of misfits) {
      const event = eventOf([{ parameter: { name: '', type }, value: 0 }], () => false)
      expect([type, EventDecoder.decode(event, { topics: [word()], data })]).toEqual([type, undefined])
    }
  })

  test('rejects arrays whose elements overlap instead of expanding them', () => {
    const word = (value: number) => Hex.decodeBare(value.toString(16).padStart(64, '0'))
    // Each of the 64 elements of each level refers to the same next level.
    const level = (next: Uint8Array) => Bytes.concat(word(64), ...Array(64).fill(word(64 * 32)), next)
    const data = Bytes.concat(word(32), level(level(level(level(word(0))))))
    const event = eventOf([{ parameter: { name: '', type: 'uint256[][][][][]' }, value: 0 }], () => false)
    expect(EventDecoder.decode(event, { topics: [word(0)], data })).toBeUndefined()
  })
})

describe('EventAbi.parse', () => {
  test.each<[name: string, abi: unknown]>([
    ['another value', 'abi'],
    [
      'an unknown type',
      [{ type: 'event', name: 'A', inputs: [{ name: 'a', type: 'uint7', indexed: false }] }],
    ],
    ['an enormous type', [{ type: 'event', name: 'A', inputs: [{ name: 'a', type: 'bytes33' }] }]],
    [
      'an empty tuple',
      [{ type: 'event', name: 'A', inputs: [{ name: 'a', type: 'tuple', components: [] }] }],
    ],
    ['a text as entry', ['event A()']],
    ['no name', [{ type: 'event', inputs: [] }]],
    [
      'four topics',
      [{ type: 'event', name: 'A', inputs: Array(4).fill({ name: 'a', type: 'bool', indexed: true }) }],
    ],
  ])('rejects %s', (_name, abi) => {
    expect(() => EventAbi.parse(abi)).toThrow(expect.objectContaining({ code: 'EVM_MALFORMED' }))
  })

  test('omits anonymous events and everything else', () => {
    const abi = [
      { type: 'function', name: 'f' },
      { type: 'event', name: 'A', inputs: [], anonymous: true },
    ]
    expect(EventAbi.parse(abi)).toEqual([])
    expect(EventAbi.parse([{ type: 'event', name: 'A' }])).toEqual([{ name: 'A', inputs: [] }])
  })
})
