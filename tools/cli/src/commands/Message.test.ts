import { Hex, Id, NodeId } from '@firn/codec'
import { L1Message, Payload, UnsignedMessage, ValidationId } from '@firn/warp'
import { describe, expect, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'

const id = Id.format(new Uint8Array(32).fill(1))
const chainId = Id.format(new Uint8Array(32).fill(2))
const manager = `0x${'ab'.repeat(20)}`
const source = ['--source-chain', chainId, '--source-address', manager, '--network', 'fuji']
const nodeId = NodeId.format(new Uint8Array(20).fill(3))
const publicKey = `0x${'0c'.repeat(48)}`
const signer = JSON.stringify({ nodePOP: { publicKey, proofOfPossession: '0x' } })
const owner = 'P-fuji1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq2nffjl'
const register = ['--subnet-id', id, '--node-id', nodeId, '--signer', signer, '--weight', '20']

/** Runs `firn message …` and returns what it prints, by name. */
const message = async (...argv: readonly string[]) => {
  const { code, lines, notes } = startFirn(['message', ...argv, ...source])
  return { code: await code, notes, printed: Object.fromEntries(lines.map((line) => line.split(' '))) }
}

/** Decodes the unsigned message, and returns the L1 message in it. */
const decode = (hex: string): L1Message.L1Message => {
  const {
    networkID: networkId,
    sourceChainID: sourceChainId,
    payload,
  } = UnsignedMessage.decode(Hex.decodeAny(hex))
  const call = Payload.decodeAs(payload, 'AddressedCall')
  expect([networkId, Id.format(sourceChainId), Hex.encode(call.sourceAddress)]).toEqual([5, chainId, manager])
  return L1Message.decode(call.payload)
}

describe('firn message', () => {
  test('prints the message that sets a weight', async () => {
    const given = ['--validation-id', id, '--nonce', '4', '--weight', '30']
    const { printed } = await message('set-l1-validator-weight', ...given)
    const expected = {
      type: 'L1ValidatorWeight',
      validationID: Id.parse(id),
      nonce: 4n,
      weight: 30n,
    } as const
    expect(decode(printed.message)).toEqual(expected)
    expect(printed).toMatchObject({ payload: Hex.encode(L1Message.encode(expected)), validationId: id })
  })

  test('prints the message that registers a validator, with its validation id', async () => {
    const expiry = BigInt(Math.floor(Date.now() / 1_000)) + 3_600n
    const { printed } = await message(
      'register-l1-validator',
      ...register,
      '--owner',
      owner,
      '--expiry',
      `${expiry}`,
    )
    const registered = L1Message.decodeAs(Hex.decodeAny(printed.payload), 'RegisterL1Validator')
    expect(decode(printed.message)).toEqual(registered)
    expect(registered).toMatchObject({ weight: 20n, expiry, nodeID: NodeId.parse(nodeId) })
    expect(registered.disableOwner).toMatchObject({ threshold: 1, addresses: [new Uint8Array(20)] })
    expect(printed.validationId).toBe(Id.format(ValidationId.registered(registered)))
  })

  test.each([
    ['2020-01-01', '--expiry: 2020-01-01T00:00:00.000Z is in the past'],
    [
      '2999-01-01',
      '--expiry: 2999-01-01T00:00:00.000Z is too late, because the P-chain accepts at most 24 hours',
    ],
    ['+25h', 'is too late'],
  ])('rejects a registration that expires at %s', async (expiry, notes) => {
    const { code, notes: found } = await message(
      ...['register-l1-validator', ...register, '--owner', owner, '--expiry', expiry],
    )
    expect({ code, found }).toEqual({ code: 2, found: [expect.stringContaining(notes)] })
  })

  test('rejects an owner of another network', async () => {
    const other = 'P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw'
    const { code, notes } = await message('register-l1-validator', ...register, '--owner', other)
    expect({ code, notes }).toEqual({
      code: 2,
      notes: [expect.stringContaining('an address of fuji (fuji1…)')],
    })
  })
})
