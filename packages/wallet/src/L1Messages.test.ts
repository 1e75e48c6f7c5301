import { Address, Bytes, Hex, Id, isFirnError, NodeId } from '@firn/codec'
import { L1Message } from '@firn/warp'
import { describe, expect, it, test } from 'vitest'
import { L1Messages } from './index.ts'

const SUBNET_ID = Id.format(new Uint8Array(32).fill(7))
const NODE_ID = NodeId.format(new Uint8Array(20).fill(8))
const PUBLIC_KEY = `0x${'ab'.repeat(48)}`
const addressOf = (fill: number) =>
  Address.format({ chain: 'P', hrp: 'fuji', payload: new Uint8Array(20).fill(fill) })

const REGISTRATION: L1Messages.Registration = {
  subnetId: SUBNET_ID,
  nodeId: NODE_ID,
  publicKey: PUBLIC_KEY,
  weight: 20n,
  expiry: 1_795_370_400n,
  remainingBalanceOwner: addressOf(1),
}

const codeOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return isFirnError(error) ? error.code : error
  }
  return undefined
}

describe('register', () => {
  it('encodes texts, and uses one owner for both roles', () => {
    const owner = { threshold: 1, addresses: [new Uint8Array(20).fill(1)] }
    expect(L1Message.decode(L1Messages.register(REGISTRATION))).toEqual({
      type: 'RegisterL1Validator',
      subnetID: Id.parse(SUBNET_ID),
      nodeID: NodeId.parse(NODE_ID),
      blsPublicKey: Hex.decode(PUBLIC_KEY),
      expiry: 1_795_370_400n,
      remainingBalanceOwner: owner,
      disableOwner: owner,
      weight: 20n,
    })
  })

  it('accepts bytes, addresses without a chain, and owners in any order', () => {
    const addresses = [addressOf(3), addressOf(2).replace('P-', '')]
    const message = L1Messages.register({
      ...REGISTRATION,
      subnetId: Id.parse(SUBNET_ID),
      disableOwner: { threshold: 2, addresses },
    })
    const { disableOwner } = L1Message.decodeAs(message, 'RegisterL1Validator')
    expect(disableOwner.threshold).toBe(2)
    expect(disableOwner.addresses.map((address) => address[0])).toEqual([2, 3])
    expect(Bytes.equals(message, L1Messages.register(REGISTRATION))).toBe(false)
  })

  test.each([
    ['a malformed id', { subnetId: 'x' }, 'WALLET_INPUT'],
    ['a malformed NodeID', { nodeId: 'NodeID-x' }, 'WALLET_INPUT'],
    ['a key that is not hex', { publicKey: '0xzz' }, 'WALLET_INPUT'],
    ['an X-chain address', { remainingBalanceOwner: addressOf(1).replace('P-', 'X-') }, 'WALLET_INPUT'],
    [
      'owners with a locktime',
      { disableOwner: { threshold: 1, addresses: [addressOf(1)], locktime: 1n } },
      'WALLET_INPUT',
    ],
    ['the Primary Network', { subnetId: Id.EMPTY }, 'WARP_SUBNET_ID'],
    ['weight 0', { weight: 0n }, 'WARP_ZERO_WEIGHT'],
  ])('rejects %s', (_name, change, code) => {
    expect(codeOf(() => L1Messages.register({ ...REGISTRATION, ...change }))).toBe(code)
  })
})

describe('setWeight', () => {
  it('encodes a change', () => {
    const message = L1Messages.setWeight({ validationId: SUBNET_ID, nonce: 3n, weight: 30n })
    expect(L1Message.decode(message)).toEqual({
      type: 'L1ValidatorWeight',
      validationID: Id.parse(SUBNET_ID),
      nonce: 3n,
      weight: 30n,
    })
  })

  it('rejects a malformed id, and a weight with the nonce of removals', () => {
    expect(codeOf(() => L1Messages.setWeight({ validationId: '', nonce: 1n, weight: 1n }))).toBe(
      'WALLET_INPUT',
    )
    const nonce = 2n ** 64n - 1n
    expect(codeOf(() => L1Messages.setWeight({ validationId: SUBNET_ID, nonce, weight: 1n }))).toBe(
      'WARP_NONCE',
    )
  })
})
