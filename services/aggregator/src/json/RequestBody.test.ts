import { Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { parse } from './RequestBody.ts'

const message = '0x00aa'

describe('parse', () => {
  it('fills in default values', () => {
    expect(parse({ message })).toEqual({
      message: Uint8Array.of(0, 0xaa),
      justification: undefined,
      signingSubnetId: undefined,
      quorumPercentage: 67,
      bufferPercentage: 0,
      height: 'proposed',
    })
  })

  it('accepts hex in uppercase or lowercase, with or without a prefix, and subnet ids in hex or CB58', () => {
    const subnet = Id.hash(Uint8Array.of(1))
    const hex = Buffer.from(subnet).toString('hex')
    for (const signingSubnetId of [hex, `0x${hex}`, hex.toUpperCase(), Id.format(subnet)]) {
      expect(parse({ message: '00AA', signingSubnetId })).toMatchObject({
        message: Uint8Array.of(0, 0xaa),
        signingSubnetId: subnet,
      })
    }
  })

  it('keeps a waitMs of 0, and rejects a negative one', () => {
    expect(parse({ message }).waitMs).toBeUndefined()
    expect(parse({ message, waitMs: 0 }).waitMs).toBe(0)
    expect(() => parse({ message, waitMs: -1 })).toThrow(/^waitMs: expected an integer from 0 .*, got -1$/)
  })

  it('accepts a justification without a message, and treats a quorum or height of 0 as the default', () => {
    expect(parse({ justification: '01', quorumPercentage: 0, pChainHeight: 0 })).toMatchObject({
      message: undefined,
      justification: Uint8Array.of(1),
      quorumPercentage: 67,
      height: 'proposed',
    })
    expect(
      parse({ message, quorumPercentage: 80, quorumPercentageBuffer: 20, pChainHeight: 7 }),
    ).toMatchObject({
      quorumPercentage: 80,
      bufferPercentage: 20,
      height: 7n,
    })
  })
})

/**
 * Invalid bodies, each with the expected error code and a pattern of the expected message, which contains the
 * field, the allowed values and the input.
 */
const REFUSED: readonly (readonly [name: string, body: unknown, code: string, says: RegExp])[] = [
  ['no body', undefined, 'AGGREGATOR_BODY', /^body: expected a JSON object with message, .*, got nothing$/],
  ['a body that is null', null, 'AGGREGATOR_BODY', /^body: .* got null$/],
  ['a body that is a list', [], 'AGGREGATOR_BODY', /^body: .* got \[\]$/],
  ['a body that is a string', 'message', 'AGGREGATOR_BODY', /^body: .* got "message"$/],
  [
    'neither message nor justification',
    {},
    'AGGREGATOR_MESSAGE',
    /^message: expected a message, a justification, or both, got neither$/,
  ],
  [
    'empty message and justification',
    { message: '', justification: '0x' },
    'AGGREGATOR_MESSAGE',
    /^message: .* got neither$/,
  ],
  [
    'an odd number of hex digits',
    { message: '0x123' },
    'AGGREGATOR_MESSAGE',
    /^message: expected an even number of hex digits, got 3/,
  ],
  [
    'characters that are not hex',
    { message: '0xzz' },
    'AGGREGATOR_MESSAGE',
    /^message: expected a hex digit, got "z"/,
  ],
  ['the prefix 0X', { message: '0X00' }, 'AGGREGATOR_MESSAGE', /^message: expected a hex digit, got "X"/],
  ['a message that is a number', { message: 5 }, 'AGGREGATOR_FIELD', /^message: expected text, got 5$/],
  ['a message that is null', { message: null }, 'AGGREGATOR_FIELD', /^message: expected text, got null$/],
  [
    'an odd number of hex digits in the justification',
    { message, justification: '123' },
    'AGGREGATOR_MESSAGE',
    /^justification: expected an even/,
  ],
  [
    'characters that are not hex in the justification',
    { message, justification: 'hello!' },
    'AGGREGATOR_MESSAGE',
    /^justification: expected a hex digit/,
  ],
  [
    'a subnet of 31 bytes',
    { message, signingSubnetId: '00'.repeat(31) },
    'AGGREGATOR_FIELD',
    /^signingSubnetId: expected a subnet id in 64 hex digits or cb58, got "0{59}/,
  ],
  [
    'a subnet with a wrong checksum',
    { message, signingSubnetId: '11111111111111111111111111111111LpoYZ' },
    'AGGREGATOR_FIELD',
    /^signingSubnetId: /,
  ],
  ['an empty subnet', { message, signingSubnetId: '' }, 'AGGREGATOR_FIELD', /^signingSubnetId: /],
  [
    'a negative quorum',
    { message, quorumPercentage: -1 },
    'AGGREGATOR_FIELD',
    /^quorumPercentage: expected an integer from 0 to 100, got -1$/,
  ],
  [
    'a fractional quorum',
    { message, quorumPercentage: 67.5 },
    'AGGREGATOR_FIELD',
    /^quorumPercentage: .* got 67.5$/,
  ],
  [
    'a quorum that is a string',
    { message, quorumPercentage: '67' },
    'AGGREGATOR_FIELD',
    /^quorumPercentage: .* got "67"$/,
  ],
  [
    'a quorum over 100',
    { message, quorumPercentage: 101 },
    'AGGREGATOR_FIELD',
    /^quorumPercentage: .* got 101$/,
  ],
  [
    'a quorum beyond 2^53',
    { message, quorumPercentage: 2n ** 64n },
    'AGGREGATOR_FIELD',
    /^quorumPercentage: .* got 18446744073709551616$/,
  ],
  [
    'a quorum that is true',
    { message, quorumPercentage: true },
    'AGGREGATOR_FIELD',
    /^quorumPercentage: .* got true$/,
  ],
  [
    'a negative buffer',
    { message, quorumPercentageBuffer: -5 },
    'AGGREGATOR_FIELD',
    /^quorumPercentageBuffer: expected an integer from 0 to 100, got -5$/,
  ],
  [
    'a fractional buffer',
    { message, quorumPercentageBuffer: 0.5 },
    'AGGREGATOR_FIELD',
    /^quorumPercentageBuffer: .* got 0.5$/,
  ],
  [
    'a buffer that is a string',
    { message, quorumPercentageBuffer: '3' },
    'AGGREGATOR_FIELD',
    /^quorumPercentageBuffer: .* got "3"$/,
  ],
  [
    'a buffer over 100',
    { message, quorumPercentageBuffer: 101 },
    'AGGREGATOR_FIELD',
    /^quorumPercentageBuffer: .* got 101$/,
  ],
  [
    'a sum of quorum and buffer over 100',
    { message, quorumPercentage: 80, quorumPercentageBuffer: 21 },
    'AGGREGATOR_FIELD',
    /^quorumPercentage and quorumPercentageBuffer: expected a sum of at most 100, got 80 \+ 21 = 101$/,
  ],
  [
    'a buffer whose sum with the default quorum is over 100',
    { message, quorumPercentageBuffer: 34 },
    'AGGREGATOR_FIELD',
    /67 \+ 34 = 101$/,
  ],
  [
    'a negative height',
    { message, pChainHeight: -1 },
    'AGGREGATOR_FIELD',
    /^pChainHeight: expected an integer from 0 to \d+, got -1$/,
  ],
  ['a fractional height', { message, pChainHeight: 1.5 }, 'AGGREGATOR_FIELD', /^pChainHeight: .* got 1.5$/],
  [
    'a height that is a string',
    { message, pChainHeight: '5' },
    'AGGREGATOR_FIELD',
    /^pChainHeight: .* got "5"$/,
  ],
  [
    'a height beyond 2^53',
    { message, pChainHeight: 2n ** 64n - 1n },
    'AGGREGATOR_FIELD',
    /^pChainHeight: .* got 18446744073709551615$/,
  ],
  [
    'an unknown field',
    { message, pchainHeight: 5 },
    'AGGREGATOR_FIELD',
    /^pchainHeight: expected one of the fields message, .*deadlineMs, .*, got an unknown field$/,
  ],
]

describe('invalid bodies', () => {
  it.each(REFUSED)('rejects %s', (_name, body, code, says) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(says) }))
  })
})
