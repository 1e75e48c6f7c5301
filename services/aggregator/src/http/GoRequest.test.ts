import { Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { createMessage } from '../testing/fakes.ts'
import { parse } from './GoRequest.ts'

const message = Hex.encode(createMessage())
const subnet = Id.hash(Uint8Array.of(1))
const parseFields = (fields: object) => parse(JSON.stringify({ message, ...fields }))
const refusal = (run: () => unknown) => {
  try {
    return run()
  } catch (error) {
    const { code, message: text, details } = error as { code: string; message: string; details: object }
    return { code, text, ...details }
  }
}

describe('parse', () => {
  it('reads the fields in kebab case', () => {
    const fields = {
      'signing-subnet-id': Id.format(subnet),
      'quorum-percentage': 60,
      'quorum-percentage-buffer': 3,
      'something-else': 1,
    }
    expect(parseFields({ ...fields, 'pchain-height': 9 }).request).toEqual({
      message: createMessage(),
      justification: undefined,
      signingSubnetId: subnet,
      quorumPercentage: 60,
      bufferPercentage: 3,
      height: 9n,
      deadlineMs: undefined,
      waitMs: 0,
    })
    expect(parseFields({ ...fields, 'p-chain-height': 9 }).request.height).toBe(9n)
    expect(parseFields({ 'pchain-height': 8, 'p-chain-height': 9 }).request.height).toBe(8n)
    expect(parseFields({ 'pchain-height': 0, 'p-chain-height': 9 }).request.height).toBe(9n)
  })

  it('treats null and an empty subnet as absent, and 0 and 2^64 − 1 as the proposed height', () => {
    const absent = { 'signing-subnet-id': '', justification: null, 'quorum-percentage': null }
    const { request } = parseFields(absent)
    expect(request).toMatchObject({
      signingSubnetId: undefined,
      justification: undefined,
      quorumPercentage: 67,
    })
    for (const zeros of [Id.format(Id.EMPTY), Hex.encode(Id.EMPTY)]) {
      expect(parseFields({ 'signing-subnet-id': zeros }).request.signingSubnetId).toBeUndefined()
    }
    for (const height of ['0', '18446744073709551615', 'null']) {
      const { height: found } = parse(`{"message":"${message}","pchain-height":${height}}`).request
      expect(found).toBe('proposed')
    }
  })

  it('keeps the exact value of a height beyond 2^53', () => {
    const text = `{"message":"${message}","pchain-height":9007199254740993}`
    expect(parse(text).request.height).toBe(9_007_199_254_740_993n)
  })

  it.each(['0x01', 'zz'])(
    'rejects the justification %j without a message, as the Go service does',
    (justification) => {
      expect(() => parse(JSON.stringify({ justification }))).toThrow(
        expect.objectContaining({
          code: 'AGGREGATOR_MESSAGE',
          details: { goText: 'Error unpacking warp message' },
          message: expect.stringContaining('accepts a justification alone'),
        }),
      )
    },
  )

  it('returns the names of the fields as the caller has spelled them', () => {
    expect(parseFields({}).spelling).toEqual({
      signingSubnetId: 'signing-subnet-id',
      pChainHeight: 'pchain-height',
    })
    const { spelling } = parseFields({ 'P-Chain-Height': 9, 'Signing-Subnet-ID': Id.format(subnet) })
    expect(spelling).toEqual({ signingSubnetId: 'Signing-Subnet-ID', pChainHeight: 'P-Chain-Height' })
  })

  it.each([
    ['{', 'AGGREGATOR_BODY', /^body: expected a JSON object; /],
    ['', 'AGGREGATOR_BODY', /^body: expected a JSON object; got nothing$/],
    ['[]', 'AGGREGATOR_BODY', /^body: expected a JSON object; /],
    ['{"Message":5}', 'AGGREGATOR_FIELD', /^Message: expected text, got 5$/],
    [
      '{"p-chain-height":-1}',
      'AGGREGATOR_FIELD',
      /^p-chain-height: expected an integer from 0 to 18446744073709551615, got -1$/,
    ],
  ])('rejects %s as the Go service rejects a body', (text, code, says) => {
    expect(refusal(() => parse(text))).toEqual({
      code,
      text: expect.stringMatching(says),
      goText: 'Could not decode request body',
    })
  })

  it('rejects a buffer that exceeds 100 percent with the quorum', () => {
    expect(refusal(() => parseFields({ 'quorum-percentage-buffer': 34 }))).toEqual({
      code: 'AGGREGATOR_FIELD',
      text: 'quorum-percentage and quorum-percentage-buffer: expected a sum of at most 100, got 67 + 34 = 101',
      goText: 'Invalid quorum buffer number',
    })
    expect(refusal(() => parseFields({ 'Quorum-Percentage-Buffer': 101 }))).toMatchObject({
      text: 'Quorum-Percentage-Buffer: expected an integer from 0 to 100, got 101',
      goText: 'Invalid quorum buffer number',
    })
  })
})
