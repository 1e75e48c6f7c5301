import { Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import type { TxsErrorCode } from '../TxsError.ts'
import { cases } from '../testing/vectors.ts'
import * as PlatformSyntax from './PlatformSyntax.ts'
import * as PlatformTx from './PlatformTx.ts'
import type { Of, UnsignedTx } from './UnsignedTx.ts'

const [note] = cases('platform-txs', 'note')
const avaxAssetId = Id.parse(note?.['avaxAssetID'])

/** Maps the reference's error texts to codes. The first entry whose text occurs in the error applies. */
const CODES: readonly (readonly [text: string, code: TxsErrorCode])[] = [
  ['wrong network ID', 'TXS_NETWORK_ID'],
  ['wrong chain ID', 'TXS_BLOCKCHAIN_ID'],
  ['memo exceeds', 'TXS_MEMO'],
  ['outputs not sorted', 'TXS_OUTPUTS_ORDER'],
  ['address indices not sorted', 'TXS_INDICES_ORDER'],
  ['addresses not sorted', 'TXS_ADDRESSES_ORDER'],
  ['inputs not sorted', 'TXS_INPUTS_ORDER'],
  ['empty asset ID', 'TXS_ASSET_ID'],
  ['has no value', 'TXS_NO_VALUE'],
  ['unspendable', 'TXS_OUTPUT_UNSPENDABLE'],
  ['optimized', 'TXS_OUTPUT_UNOPTIMIZED'],
  ['locktime', 'TXS_LOCKTIME'],
  ['nodeID cannot be empty', 'TXS_NODE_ID'],
  ['invalid hash length', 'TXS_NODE_ID'],
  ['no stake', 'TXS_NO_STAKE'],
  ['shares', 'TXS_SHARES'],
  ['weight mismatch', 'TXS_STAKE_WEIGHT'],
  ['weight of this validator is too low', 'TXS_NO_VALUE'],
  ['signer', 'TXS_SIGNER'],
  ['proof of possession', 'TXS_SIGNER'],
  ['staked asset', 'TXS_ASSET_ID'],
  ['overflow', 'TXS_OVERFLOW'],
  ['address is too long', 'TXS_MANAGER_ADDRESS'],
  ['at least one validator', 'TXS_EMPTY'],
  ['sorted and unique', 'TXS_ORDER'],
  ['must be non-zero', 'TXS_NO_VALUE'],
  ['name', 'TXS_NAME'],
  ['invalid VM ID', 'TXS_VM_ID'],
  ['no imported inputs', 'TXS_EMPTY'],
  ['no export outputs', 'TXS_EMPTY'],
  ["can't be AVAX", 'TXS_ASSET_ID'],
  ['less than or equal', 'TXS_PARAMETERS'],
  ['missing period', 'TXS_NO_VALUE'],
  ['missing tx id', 'TXS_TX_ID'],
  ['primary network', 'TXS_SUBNET_ID'],
  ['permissionless subnet', 'TXS_SUBNET_ID'],
  ['balance must be', 'TXS_NO_VALUE'],
]

const codeOf = (text: string) => CODES.find(([part]) => text.includes(part))?.[1]
const check = (tx: UnsignedTx, networkId: number) =>
  PlatformSyntax.assertValid(tx, { networkId, avaxAssetId })

describe('PlatformSyntax, against the reference', () => {
  it.each(cases('platform-txs', 'valid'))(
    'passes or fails the syntactic check like the node: $name $id',
    (vector) => {
      const { unsignedTx } = PlatformTx.decode(Hex.decode(vector['bytes']))
      const error: string | null = vector['syntacticVerifyError']
      if (error === null) check(unsignedTx, vector['networkID'])
      else
        expect(() => check(unsignedTx, vector['networkID'])).toThrow(
          expect.objectContaining({ code: codeOf(error) }),
        )
    },
  )

  it.each(cases('platform-txs-invalid', 'syntactic'))(
    'passes or fails the syntactic check like the node, $txType: $name',
    (vector) => {
      const { unsignedTx } = PlatformTx.decode(Hex.decode(vector['bytes']))
      if (vector['ok']) return check(unsignedTx, vector['networkID'])
      expect(() => check(unsignedTx, vector['networkID'])).toThrow(
        expect.objectContaining({ code: codeOf(vector['error']) }),
      )
    },
  )
})

const valid = (type: UnsignedTx['type']) => {
  const [vector] = cases('platform-txs', 'valid').filter(({ name }) => name === `${type}: minimal`)
  return { tx: PlatformTx.decode(Hex.decode(vector?.['bytes'])).unsignedTx, networkID: vector?.['networkID'] }
}

describe('PlatformSyntax, for cases without a vector', () => {
  it.each<[string, keyof Of<'TransformSubnetTx'>, unknown]>([
    ['no supply', 'initialSupply', 0n],
    ['a supply above its maximum', 'maximumSupply', 0n],
    ['a minimum rate above the maximum', 'minConsumptionRate', 2n ** 64n - 1n],
    ['a rate above 100 %', 'maxConsumptionRate', 1_000_001n],
    ['no minimum stake', 'minValidatorStake', 0n],
    ['a maximum stake below the minimum', 'maxValidatorStake', 0n],
    ['a maximum stake above the supply', 'maxValidatorStake', 2n ** 64n - 1n],
    ['no minimum duration', 'minStakeDuration', 0],
    ['a maximum duration below the minimum', 'maxStakeDuration', 0],
    ['a delegation fee above 100 %', 'minDelegationFee', 1_000_001],
    ['no minimum delegation', 'minDelegatorStake', 0n],
    ['no weight factor', 'maxValidatorWeightFactor', 0],
  ])('rejects a subnet with %s', (_what, name, value) => {
    const { tx, networkID: networkId } = valid('TransformSubnetTx')
    check(tx, networkId)
    expect(() => check({ ...tx, [name]: value } as UnsignedTx, networkId)).toThrow(
      expect.objectContaining({ code: 'TXS_PARAMETERS' }),
    )
  })

  it.each<[string, UnsignedTx, string]>([
    [
      'a reward without a transaction',
      { type: 'RewardAutoRenewedValidatorTx', txID: Id.EMPTY, timestamp: 1n },
      'TXS_TX_ID',
    ],
    [
      'a reward without a time',
      { type: 'RewardAutoRenewedValidatorTx', txID: avaxAssetId, timestamp: 0n },
      'TXS_NO_VALUE',
    ],
  ])('rejects an invalid transaction: %s', (_what, tx, code) => {
    expect(() => check(tx, 1)).toThrow(expect.objectContaining({ code }))
  })

  it.each([
    [{ type: 'Input', signatureIndices: [1, 1] }, 'TXS_INDICES_ORDER'],
    [{ type: 'TransferInput', amount: 0n, signatureIndices: [] }, 'TXS_NO_VALUE'],
    [{ type: 'TransferOutput', amount: 0n, locktime: 0n, threshold: 0, addresses: [] }, 'TXS_NO_VALUE'],
    [{ type: 'OutputOwners', locktime: 0n, threshold: 1, addresses: [] }, 'TXS_OUTPUT_UNSPENDABLE'],
    [
      { type: 'LockIn', locktime: 0n, input: { type: 'TransferInput', amount: 1n, signatureIndices: [] } },
      'TXS_LOCKTIME',
    ],
    [
      {
        type: 'LockOut',
        locktime: 1n,
        output: { type: 'TransferOutput', amount: 1n, locktime: 0n, threshold: 1, addresses: [] },
      },
      'TXS_OUTPUT_UNSPENDABLE',
    ],
    [{ type: 'Empty' }, undefined],
    [{ type: 'Credential', signatures: [] }, undefined],
    [
      { type: 'ProofOfPossession', publicKey: new Uint8Array(48), proofOfPossession: new Uint8Array(96) },
      'TXS_SIGNER',
    ],
  ] as const)('checks an authorization by the rules of its type', (subnetAuthorization, code) => {
    const { tx, networkID: networkId } = valid('RemoveSubnetValidatorTx')
    const work = () => check({ ...tx, subnetAuthorization } as UnsignedTx, networkId)
    if (code === undefined) work()
    else expect(work).toThrow(expect.objectContaining({ code }))
  })
})
