import { Bytes, Hex } from '@firn/codec'
import fc from 'fast-check'
import {
  decodeFunctionData,
  encodeFunctionData,
  parseAbi,
  parseAbiItem,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import { describe, expect, test } from 'vitest'
import * as AbiDecoder from './AbiDecoder.ts'
import * as AbiSignature from './AbiSignature.ts'
import * as ContractAbi from './ContractAbi.ts'

const word = (value: number | bigint) => Hex.decodeBare(value.toString(16).padStart(64, '0'))
const types = (...list: string[]) => list.map((type) => ({ name: '', type }))

describe('AbiDecoder.decode', () => {
  // The calldata are the examples of "Contract ABI Specification" in the documentation of Solidity.
  test.each([
    [
      'baz(uint32,bool)',
      '0xcdcd77c0' +
        '0000000000000000000000000000000000000000000000000000000000000045' +
        '0000000000000000000000000000000000000000000000000000000000000001',
      [69n, true],
    ],
    [
      'bar(bytes3[2])',
      '0xfce353f6' +
        '6162630000000000000000000000000000000000000000000000000000000000' +
        '6465660000000000000000000000000000000000000000000000000000000000',
      [[Uint8Array.of(97, 98, 99), Uint8Array.of(100, 101, 102)]],
    ],
    [
      'sam(bytes,bool,uint256[])',
      '0xa5643bf2' +
        '0000000000000000000000000000000000000000000000000000000000000060' +
        '0000000000000000000000000000000000000000000000000000000000000001' +
        '00000000000000000000000000000000000000000000000000000000000000a0' +
        '0000000000000000000000000000000000000000000000000000000000000004' +
        '6461766500000000000000000000000000000000000000000000000000000000' +
        '0000000000000000000000000000000000000000000000000000000000000003' +
        '0000000000000000000000000000000000000000000000000000000000000001' +
        '0000000000000000000000000000000000000000000000000000000000000002' +
        '0000000000000000000000000000000000000000000000000000000000000003',
      [new TextEncoder().encode('dave'), true, [1n, 2n, 3n]],
    ],
    [
      'f(uint256,uint32[],bytes10,bytes)',
      '0x8be65246' +
        '0000000000000000000000000000000000000000000000000000000000000123' +
        '0000000000000000000000000000000000000000000000000000000000000080' +
        '3132333435363738393000000000000000000000000000000000000000000000' +
        '00000000000000000000000000000000000000000000000000000000000000e0' +
        '0000000000000000000000000000000000000000000000000000000000000002' +
        '0000000000000000000000000000000000000000000000000000000000000456' +
        '0000000000000000000000000000000000000000000000000000000000000789' +
        '000000000000000000000000000000000000000000000000000000000000000d' +
        '48656c6c6f2c20776f726c642100000000000000000000000000000000000000',
      [
        0x123n,
        [0x456n, 0x789n],
        new TextEncoder().encode('1234567890'),
        new TextEncoder().encode('Hello, world!'),
      ],
    ],
  ])('decodes the documented call of %s', (signature, calldata, values) => {
    const { abi } = AbiSignature.parse(signature)
    expect(`0x${ContractAbi.selector(abi)}`).toBe(calldata.slice(0, 10))
    const data = Hex.decode(calldata).subarray(4)
    expect(AbiDecoder.decode(abi.inputs, data)).toEqual({ values, extraBytes: 0 })
  })

  test('tells the bytes after the arguments', () => {
    const data = Bytes.concat(word(7), Uint8Array.of(1, 2, 3))
    expect(AbiDecoder.decode(types('uint256'), data)).toEqual({ values: [7n], extraBytes: 3 })
  })

  test('accepts a last value without padding', () => {
    const data = Bytes.concat(word(32), word(3), Uint8Array.of(1, 2, 3))
    expect(AbiDecoder.decode(types('bytes'), data)).toEqual({
      values: [Uint8Array.of(1, 2, 3)],
      extraBytes: 0,
    })
  })

  test.each<[name: string, types: string[], data: Uint8Array, reason: string]>([
    ['missing arguments', ['address', 'uint256'], word(1), 'parameter 2: the data end before'],
    ['an offset beyond the data', ['string'], word(2n ** 255n), 'the offset is beyond the end'],
    ['a huge length', ['bytes'], Bytes.concat(word(32), word(2n ** 64n)), 'the length is beyond the end'],
    ['a huge array', ['uint256[]'], Bytes.concat(word(32), word(64)), 'an array of 64 elements does not fit'],
    ['a huge fixed array', ['bytes32[99999][99999]'], word(1), 'an array of 99999 elements does not fit'],
    ['a dirty address', ['address'], word(2n ** 160n), 'the value does not fit address'],
  ])('rejects %s with the reason', (_name, list, data, reason) => {
    expect(AbiDecoder.decode(types(...list), data)).toEqual({ reason: expect.stringContaining(reason) })
  })

  test.each(['bytes[]', 'string[]', 'uint256[][]', '(bytes)[]'])(
    'rejects %s whose elements are all the same part of the data',
    (type) => {
      const { abi } = AbiSignature.parse(`f(${type})`)
      const [count, size] = [2_000, 32_000]
      const heads = Array<Uint8Array>(count).fill(word(count * 32))
      const tail = type === '(bytes)[]' ? [word(32)] : []
      const data = Bytes.concat(
        word(32),
        word(count),
        ...heads,
        ...tail,
        word(size / (type === 'uint256[][]' ? 32 : 1)),
        new Uint8Array(size),
      )
      expect(AbiDecoder.decode(abi.inputs, data)).toEqual({
        reason: 'parameter 1: values overlap in the data',
      })
    },
  )

  test('rejects offsets that lead to themselves', () => {
    const { abi } = AbiSignature.parse('f(uint256[][][][][][][][])')
    // Each word is an offset to the next words, and a number of elements.
    const data = Bytes.concat(...Array<Uint8Array>(200).fill(word(32)))
    expect(AbiDecoder.decode(abi.inputs, data)).toEqual({ reason: 'parameter 1: values overlap in the data' })
  })

  test('returns values or a reason for any mutation of calldata', () => {
    const abi = parseAbi(['function f((address a, string b, uint8[2][] c)[] d, bytes e, int16 g)'])
    const { inputs } = AbiSignature.parse('f((address a, string b, uint8[2][] c)[] d, bytes e, int16 g)').abi
    const one = { a: `0x${'11'.repeat(20)}`, b: 'text', c: [[1, 2]] } as const
    const args = [[one, { ...one, b: 'another text of more than a single word' }], '0x1234', -5] as const
    const data = Hex.decode(encodeFunctionData({ abi, args: args as never })).subarray(4)
    expect(AbiDecoder.decode(inputs, data)).toHaveProperty('values')
    const mutation = fc.tuple(fc.nat(data.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), fc.nat(data.length), (changes, cut) => {
        const mutated = data.slice(0, cut < 32 ? data.length : cut)
        for (const [at, byte] of changes) if (at < mutated.length) mutated[at] = byte
        const decoded = AbiDecoder.decode(inputs, mutated)
        if ('reason' in decoded) return
        // What is accepted, another library accepts and reads equally.
        const full = Hex.encode(
          Bytes.concat(Hex.decode(encodeFunctionData({ abi, args: args as never })).subarray(0, 4), mutated),
        )
        const { args: [list = [], bytes, small] = [] } = decodeFunctionData({ abi, data: full }) as never as {
          args: [readonly { b: string; c: readonly unknown[] }[], string, number]
        }
        const [own, ownBytes, ownSmall] = decoded.values as [
          readonly [Uint8Array, string, readonly unknown[]][],
          Uint8Array,
          bigint,
        ]
        expect(own.map(([, text, arrays]) => [text, arrays.length])).toEqual(
          list.map(({ b, c }) => [b, c.length]),
        )
        expect([Hex.encode(ownBytes), Number(ownSmall)]).toEqual([bytes, small])
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('AbiSignature.parse', () => {
  test.each([
    'transfer(address,uint256)',
    'function transfer(address to, uint256 amount) external returns (bool)',
    'function swap((address token, uint256[2] amounts)[] steps, bytes calldata data) payable',
    'function f(((bool a)[3] b, string)[][] c, address payable d)',
    'error Short(uint256 available, uint256 needed)',
    'event Moved(bytes32 indexed id, (address,uint96)[] parts)',
    'function none()',
  ])('agrees with another library on %s', (text) => {
    const { kind, abi } = AbiSignature.parse(text)
    const item = parseAbiItem((text.startsWith('transfer') ? `function ${text}` : text) as never) as {
      type: string
    }
    expect(item.type).toBe(kind)
    expect(ContractAbi.signature(abi)).toBe(toFunctionSignature(item as never).replace('error ', ''))
    const selector = toFunctionSelector(ContractAbi.signature(abi))
    expect(`0x${ContractAbi.selector(abi)}`).toBe(selector)
  })

  test('knows which parameters are indexed only if the signature says it', () => {
    expect(AbiSignature.parse('event A(address indexed a, uint256)')).toMatchObject({ isExact: true })
    expect(AbiSignature.parse('event A(address,uint256)')).toMatchObject({ isExact: false })
  })

  test.each([
    ['', 'a signature such as'],
    ['transfer', 'a signature such as'],
    ['f(address', 'the signature ends too early'],
    ['f(uint7)', 'unknown type uint7'],
    ['f(address,)', 'unknown type'],
    ['f(())', 'a tuple with members'],
    ['f(uint256 indexed a)', 'only events'],
    ['event A(uint a, uint b) anonymous', 'unexpected text'],
    ['event A(bool indexed,bool indexed,bool indexed,bool indexed)', 'at most 3 indexed'],
    [`f(${'('.repeat(2_000)}`, 'nested tuples'],
    [`f(${'bool,'.repeat(600)}bool)`, 'fewer parameters'],
    [`f(bool${'[]'.repeat(9)})`, 'unknown type'],
    [`f(${'x'.repeat(5_000)})`, 'at most 4096 characters'],
    ['f(address a b)', 'unexpected "b"'],
  ])('rejects %.40s', (text, message) => {
    expect(() => AbiSignature.parse(text)).toThrow(expect.objectContaining({ code: 'EVM_MALFORMED' }))
    expect(() => AbiSignature.parse(text)).toThrow(message)
  })

  test('throws only errors of this package for any text', () => {
    const part = fc.constantFrom(
      'f',
      '(',
      ')',
      ',',
      '[',
      ']',
      '3',
      'uint256',
      'tuple',
      'indexed',
      ' ',
      'event',
      '\u202e',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        try {
          AbiSignature.parse(`f(${parts.join('')}`)
        } catch (error) {
          expect(error).toMatchObject({ code: 'EVM_MALFORMED' })
        }
      }),
    )
  })
})

describe('ContractAbi.parse', () => {
  const inputs = [{ name: 'to', type: 'address' }]
  test('returns functions and events by their selectors and topics', () => {
    const { functions, events, omitted } = ContractAbi.parse([
      { type: 'function', name: 'burn', inputs: [{ name: 'value', type: 'uint256' }] },
      { type: 'event', name: 'Paused', inputs: [{ name: 'account', type: 'address', indexed: false }] },
      { type: 'event', name: 'Hidden', inputs: [], anonymous: true },
      { type: 'function', name: 'store', inputs: [{ name: 'at', type: 'Library.Data storage' }] },
      { type: 'constructor', inputs },
      { type: 'error', name: 'Failed', inputs },
    ])
    expect([...functions.keys()]).toEqual(['42966c68'])
    expect([...events.keys()]).toEqual(['62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258'])
    expect(omitted).toBe(1)
  })

  test('keeps both functions of a selector that collides', () => {
    const entries = ['burn(uint256)', 'collate_propagate_storage(bytes16)'].map((text) => {
      const { abi } = AbiSignature.parse(text)
      return { type: 'function', ...abi }
    })
    const { functions } = ContractAbi.parse(entries)
    expect(functions.get('42966c68')?.map(({ name }) => name)).toEqual(['burn', 'collate_propagate_storage'])
  })

  test.each<[name: string, abi: unknown]>([
    ['text', 'abi'],
    ['entries that are no objects', [1]],
    ['too many entries', Array(10_001).fill({})],
    [
      'too many parameters',
      Array(10_000).fill({ type: 'function', name: 'f', inputs: Array(50).fill(inputs[0]) }),
    ],
  ])('rejects %s', (_name, abi) => {
    expect(() => ContractAbi.parse(abi)).toThrow(expect.objectContaining({ code: 'EVM_MALFORMED' }))
  })

  test('omits a tuple that is nested too deeply', () => {
    let deep: unknown = { name: 'x', type: 'bool' }
    for (let i = 0; i < 5_000; i++) deep = { name: 'x', type: 'tuple', components: [deep] }
    expect(ContractAbi.parse([{ type: 'function', name: 'f', inputs: [deep] }]).omitted).toBe(1)
  })
})
