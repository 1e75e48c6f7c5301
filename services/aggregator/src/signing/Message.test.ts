import { Id } from '@firn/codec'
import { Justification, L1Message, Payload, ValidationId, WarpEvent } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import { CONVERSION, createMessage, L1_SUBNET, NETWORK_ID } from '../testing/fakes.ts'
import { decode, resolve } from './Message.ts'

const context = {
  networkId: NETWORK_ID,
  subnets: {
    find: async (subnetId: Uint8Array) =>
      Id.format(subnetId) === Id.format(L1_SUBNET) ? { isL1: true, conversionId: CONVERSION } : undefined,
  },
}

describe('decode', () => {
  const bytes = createMessage()

  it('accepts an unsigned message, and event data that contains an unsigned message', () => {
    expect(decode(bytes).bytes).toEqual(bytes)
    expect(decode(WarpEvent.encodeData(bytes))).toEqual(decode(bytes))
  })

  it.each([
    ['a truncated message', bytes.subarray(0, -1), /^message: expected an unsigned Warp message or the data/],
    ['a message with trailing bytes', Uint8Array.of(...bytes, 0), /^message: /],
    ['empty event data', new Uint8Array(64), /; as event data: /],
    ['event data without its padding', WarpEvent.encodeData(bytes).subarray(0, -1), /; as event data: /],
    ['event data of a truncated message', WarpEvent.encodeData(bytes.subarray(0, 40)), /; as event data: /],
    [
      '42 bytes that are zero except for the version',
      Uint8Array.of(0, 1, ...new Uint8Array(40)),
      /^message: /,
    ],
  ])('rejects %s', (_name, input, says) => {
    expect(() => decode(input)).toThrow(
      expect.objectContaining({ code: 'AGGREGATOR_MESSAGE', message: expect.stringMatching(says) }),
    )
  })
})

describe('resolve', () => {
  it('rejects a message of another network', async () => {
    const request = { message: createMessage(undefined, 1), justification: undefined }
    await expect(resolve(request, context)).rejects.toMatchObject({
      code: 'AGGREGATOR_NETWORK_ID',
      message: 'message: expected network id 12345, got 1',
    })
  })

  it('derives the conversion message from a subnet id that is given as the justification', async () => {
    const { unsigned } = await resolve({ message: undefined, justification: L1_SUBNET }, context)
    expect([unsigned.networkID, unsigned.sourceChainID]).toEqual([NETWORK_ID, Id.EMPTY])
    const { payload, sourceAddress } = Payload.decodeAs(unsigned.payload, 'AddressedCall')
    expect(sourceAddress.length).toBe(0)
    expect(L1Message.decode(payload)).toEqual({ type: 'SubnetToL1Conversion', id: CONVERSION })
  })

  it('derives the removal message from the pre-image of a validation id', async () => {
    const justification = Justification.encode({
      type: 'ConvertSubnetToL1TxData',
      subnetId: L1_SUBNET,
      index: 2,
    })
    const { unsigned } = await resolve({ message: undefined, justification }, context)
    const { payload } = Payload.decodeAs(unsigned.payload, 'AddressedCall')
    expect(L1Message.decode(payload)).toEqual({
      type: 'L1ValidatorRegistration',
      validationID: ValidationId.initial(L1_SUBNET, 2),
      registered: false,
    })
  })

  it.each([
    ['an unknown subnet', new Uint8Array(32).fill(1), 'AGGREGATOR_SUBNET_UNKNOWN'],
    ['an empty justification', new Uint8Array(), 'AGGREGATOR_MESSAGE'],
    ['garbage', new Uint8Array(5).fill(0xff), 'AGGREGATOR_MESSAGE'],
    [
      'a pre-image with a short subnet id',
      Justification.encode({ type: 'ConvertSubnetToL1TxData', subnetId: new Uint8Array(31), index: 0 }),
      'AGGREGATOR_MESSAGE',
    ],
  ])('rejects %s as a justification without a message', async (_name, justification, code) => {
    await expect(resolve({ message: undefined, justification }, context)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^justification: /),
    })
  })
})
