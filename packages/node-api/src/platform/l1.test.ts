import { Address, Hex, Id, NodeId } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { adding, inventedStaker, inventedSubnet } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InventedPlatform, inventPlatform } from '../testing/inventedPlatform.ts'

const id = (fill: number) => new Uint8Array(32).fill(fill)
const node = (fill: number) => new Uint8Array(20).fill(fill)
const address = (fill: number) => Address.format({ chain: 'P', hrp: 'local', payload: node(fill) })

const L1 = id(0x11)
const subnetId = Id.format(L1)
const KEY = new Uint8Array(48).fill(0x85)

function l1Validator(fill: number, given: Partial<Records.L1Validator>): Records.L1Validator {
  return {
    validationId: id(fill),
    subnetId: L1,
    nodeId: node(100 - fill),
    publicKey: KEY,
    remainingBalanceOwner: { threshold: 0, addresses: [] },
    deactivationOwner: { threshold: 2, addresses: [node(7), node(8)] },
    startTime: 1_800_000_000n,
    weight: 5n,
    minNonce: 3n,
    endAccumulatedFee: 1000n,
    ...given,
  }
}

let platform: InventedPlatform
beforeAll(async () => {
  const conversion = {
    conversionId: id(2),
    managerChainId: id(3),
    managerAddress: new Uint8Array(),
    txId: id(4),
  }
  platform = await inventPlatform([
    {
      platform: { accruedFees: 400n },
      changes: [
        adding('subnet', inventedSubnet({ subnetId: L1, conversion })),
        adding(
          'staker',
          inventedStaker({ subnetId: L1, kind: 'permissioned', txId: id(9), nodeId: node(9) }),
        ),
        adding('l1Validator', l1Validator(1, {})),
        adding('l1Validator', l1Validator(2, { endAccumulatedFee: 0n, minNonce: 0n })),
      ],
    },
  ])
})
afterAll(() => platform.close())

const LEGACY = {
  txID: Id.format(id(9)),
  startTime: '1800000000',
  endTime: '1900000000',
  weight: '1',
  nodeID: NodeId.format(node(9)),
}

const entry = (fill: number, minNonce: string, balance: string) => ({
  nodeID: NodeId.format(node(100 - fill)),
  weight: '5',
  startTime: '1800000000',
  validationID: Id.format(id(fill)),
  publicKey: Hex.encode(KEY),
  remainingBalanceOwner: { locktime: '0', threshold: '0', addresses: [] },
  deactivationOwner: { locktime: '0', threshold: '2', addresses: [address(7), address(8)] },
  minNonce,
  balance,
})

describe('Avalanche L1', () => {
  test('lists stakers from before the conversion first, then L1 validators by NodeID, with balance 0 if inactive', async () => {
    const answer = await platform.ask('getCurrentValidators', { subnetID: subnetId })
    expect(answer).toEqual({ validators: [LEGACY, entry(2, '0', '0'), entry(1, '3', '600')] })
  })

  test('returns only the requested validators', async () => {
    const ask = (...fills: number[]) =>
      platform.ask('getCurrentValidators', {
        subnetID: subnetId,
        nodeIDs: fills.map((fill) => NodeId.format(node(fill))),
      })
    expect(await ask(9)).toEqual({ validators: [LEGACY] })
    expect(await ask(99, 1)).toEqual({ validators: [entry(1, '3', '600')] })
    expect(await ask(1, 2)).toEqual({ validators: [] })
  })

  test('returns an L1 validator by its validation id, with its subnet and height', async () => {
    const answer = await platform.ask('getL1Validator', { validationID: Id.format(id(2)) })
    expect(answer).toEqual({ ...entry(2, '0', '0'), subnetID: subnetId, height: '1' })
  })

  test('reports the manager contract of the L1, even if its address is empty', async () => {
    expect(await platform.ask('getSubnet', { subnetID: subnetId })).toEqual({
      isPermissioned: false,
      controlKeys: [address(9)],
      threshold: '1',
      locktime: '0',
      subnetTransformationTxID: Id.format(Id.EMPTY),
      conversionID: Id.format(id(2)),
      managerChainID: Id.format(id(3)),
      managerAddress: '0x',
    })
  })
})

test('reports validators that a new block adds and omits validators that it removes', async () => {
  const before = l1Validator(1, {})
  const after = { ...before, weight: 6n }
  const platform = await inventPlatform([
    { changes: [adding('subnet', inventedSubnet({ subnetId: L1, conversion: undefined }))] },
  ])
  const primary = async () =>
    ((await platform.ask('getCurrentValidators')) as { validators: { nodeID: string }[] }).validators.length
  expect(await primary()).toBe(5)
  await platform.add({ changes: [adding('staker', inventedStaker({ txId: id(8), nodeId: node(8) }))] })
  expect(await primary()).toBe(6)
  const staker = inventedStaker({ txId: id(8), nodeId: node(8) })
  await platform.add({ changes: [{ type: 'staker', before: staker, after: undefined, txId: undefined }] })
  expect(await primary()).toBe(5)
  await platform.add({ changes: [adding('l1Validator', before)] })
  const weight = async () => {
    const answer = await platform.ask('getL1Validator', { validationID: Id.format(before.validationId) })
    return (answer as { weight: string; height: string }).weight
  }
  expect(await weight()).toBe('5')
  await platform.add({ changes: [{ type: 'l1Validator', before, after, txId: undefined }] })
  expect(await weight()).toBe('6')
  const sample = async (subnet: Uint8Array) =>
    platform.ask('sampleValidators', { size: 1, subnetID: Id.format(subnet) })
  expect(await sample(L1)).toBe(`sampling ${subnetId} errored with missing validators`)
  await platform.add({
    changes: [adding('member', { subnetId: L1, nodeId: node(1), weight: 1n, publicKey: undefined })],
  })
  expect(await sample(L1)).toEqual({ validators: [NodeId.format(node(1))] })
  await platform.close()
})
