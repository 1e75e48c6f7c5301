import { SecretKey, Signer } from '@firn/bls'
import { Hex, isFirnError } from '@firn/codec'
import { L1Message, Payload, SignedMessage } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import * as AvmFees from '../avm/AvmFees.ts'
import * as AtomicBuilder from './AtomicBuilder.ts'
import * as AvmBuilder from './AvmBuilder.ts'
import type * as Coins from './Coins.ts'
import * as L1Builder from './L1Builder.ts'
import * as Operations from './Operations.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import * as StakingBuilder from './StakingBuilder.ts'
import * as Wallet from './Wallet.ts'

const AVAX = 1_000_000_000n
const NOW = 1_800_000_000n
const id = (byte: number) => new Uint8Array(32).fill(byte)
const me = new Uint8Array(20).fill(1)
const mine = Wallet.soleOwner(me)
const utxo = (outputIndex: number): Coins.AnyUtxo => ({
  txID: id(9),
  outputIndex,
  ...Wallet.out({ assetID: id(1), amount: 5_000n * AVAX, owners: mine }),
})
const common = {
  networkId: 1,
  avaxAssetId: id(1),
  addresses: [me],
  time: NOW,
  utxos: [utxo(0), utxo(1)],
  memo: new Uint8Array(2),
  changeOwners: mine,
}
const weights = { bandwidth: 1n, dbRead: 1_000n, dbWrite: 1_000n, compute: 4n }
const p = { ...common, memo: new Uint8Array(), fees: { weights, gasPrice: 1n, capacity: 1_000_000n } }
const x = { ...common, fees: AvmFees.DEFAULT, blockchainId: id(3) }
const c = { ...common, baseFee: 25n * AVAX, blockchainId: id(4), isHeliconActive: false }
const payment = { assetID: id(1), amount: AVAX, owners: mine }
const validator = { nodeID: me, start: 0n, end: NOW + 1n, weight: AVAX }
const subnetId = id(5)
const authority = mine
const made = Signer.create(SecretKey.generate(id(7)))
const [publicKey, proofOfPossession] = [Hex.decode(made.publicKey), Hex.decode(made.proofOfPossession)]
const pop = { publicKey, proofOfPossession }
const signer = { type: 'ProofOfPossession', ...pop }
const owner = { threshold: 1, addresses: [me] }
const message = (expiry: bigint) =>
  signedMessage({
    type: 'RegisterL1Validator',
    subnetID: subnetId,
    nodeID: me,
    blsPublicKey: publicKey,
    expiry,
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight: 1n,
  })
const signedMessage = (content: L1Message.L1Message) => {
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: me,
    payload: L1Message.encode(content),
  })
  const unsigned = { networkID: 1, sourceChainID: id(6), payload }
  return SignedMessage.encode(SignedMessage.create(unsigned, [0], new Uint8Array(96)))
}

const weightMessage = signedMessage({
  type: 'L1ValidatorWeight',
  validationID: id(8),
  nonce: 1n,
  weight: 2n,
})

const account = { address: me, balance: 5n * AVAX * AVAX, nonce: 0n }

const otherPayment = { ...payment, assetID: id(8) }

/** A builder with valid arguments. */
type Call = readonly [name: string, builder: (...given: never[]) => unknown, given: readonly unknown[]]

const l1Validator = {
  ...{ nodeID: me, weight: 1n, balance: 1n, signer: pop },
  ...{ remainingBalanceOwner: owner, deactivationOwner: owner },
}
const permissionless = { validator, subnetID: id(0), rewardsOwner: mine }

const CALLS: readonly Call[] = [
  ['P transfer', PlatformBuilder.transfer, [p, [payment, { ...payment, lock: NOW }]]],
  ['P importFrom', PlatformBuilder.importFrom, [p, id(4), [utxo(5)], mine]],
  ['P exportTo', PlatformBuilder.exportTo, [p, id(4), [payment]]],
  ['P consolidate', PlatformBuilder.consolidate, [p, { assetID: id(1), to: mine }]],
  ['P createSubnet', PlatformBuilder.createSubnet, [p, mine]],
  [
    'P createChain',
    PlatformBuilder.createChain,
    [p, { authority, subnetID: subnetId, chainName: 'a', vmID: id(2), fxIDs: [id(3)], genesisData: me }],
  ],
  [
    'P addSubnetValidator',
    PlatformBuilder.addSubnetValidator,
    [p, { authority, validator: { ...validator, subnetID: subnetId } }],
  ],
  [
    'P removeSubnetValidator',
    PlatformBuilder.removeSubnetValidator,
    [p, { authority, subnetID: subnetId, nodeID: me }],
  ],
  [
    'P transferSubnetOwnership',
    PlatformBuilder.transferSubnetOwnership,
    [p, { authority, subnetID: subnetId, newOwner: mine }],
  ],
  [
    'addPermissionlessValidator',
    StakingBuilder.addPermissionlessValidator,
    [
      p,
      {
        ...{ validator, subnetID: id(0), signer, shares: 20_000 },
        ...{ validationRewardsOwner: mine, delegationRewardsOwner: mine },
      },
    ],
  ],
  ['addPermissionlessDelegator', StakingBuilder.addPermissionlessDelegator, [p, permissionless]],
  [
    'addAutoRenewedValidator',
    StakingBuilder.addAutoRenewedValidator,
    [
      p,
      {
        ...{ nodeID: me, signer, weight: AVAX, period: 5n, delegationShares: 1, autoCompoundRewardShares: 2 },
        ...{ validationRewardsOwner: mine, delegationRewardsOwner: mine, validatorAuthority: mine },
      },
    ],
  ],
  [
    'setAutoRenewedValidatorConfig',
    StakingBuilder.setAutoRenewedValidatorConfig,
    [p, { authority, txID: id(2), autoCompoundRewardShares: 1, period: 5n }],
  ],
  [
    'convertSubnetToL1',
    L1Builder.convertSubnetToL1,
    [p, { authority, subnetID: subnetId, chainID: id(2), address: me, validators: [l1Validator] }],
  ],
  [
    'registerL1Validator',
    L1Builder.registerL1Validator,
    [p, { balance: 1n, message: message(NOW + 1n), proofOfPossession: pop.proofOfPossession }],
  ],
  ['setL1ValidatorWeight', L1Builder.setL1ValidatorWeight, [p, weightMessage]],
  [
    'increaseL1ValidatorBalance',
    L1Builder.increaseL1ValidatorBalance,
    [p, { validationID: id(2), balance: 1n }],
  ],
  ['disableL1Validator', L1Builder.disableL1Validator, [p, { validationID: id(2), authority }]],
  ['X transfer', AvmBuilder.transfer, [x, [payment]]],
  ['X importFrom', AvmBuilder.importFrom, [x, id(4), [utxo(5)], mine]],
  ['X exportTo', AvmBuilder.exportTo, [x, id(4), [payment]]],
  ['X consolidate', AvmBuilder.consolidate, [x, {}]],
  [
    'X createAsset',
    AvmBuilder.createAsset,
    [
      x,
      {
        ...{ name: 'name', symbol: 'ABC', denomination: 1 },
        initialStates: [{ fxIndex: 0, outputs: [{ type: 'TransferOutput', amount: 5n, ...mine }] }],
      },
    ],
  ],
  ['C importFrom', AtomicBuilder.importFrom, [c, id(3), me]],
  ['C exportTo', AtomicBuilder.exportTo, [c, id(3), [{ amount: AVAX, owners: mine }], [account]]],
]

const BAD: readonly unknown[] = [1.5, undefined, 'five', null, {}, [], -1n, 2n ** 70n, Number.NaN, 7]

/** Returns copies of a value in which one member at any depth is replaced by each bad value. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* BAD
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
  for (const [name, member] of Object.entries(value))
    for (const bad of spoiled(member))
      yield Array.isArray(value)
        ? value.map((item, i) => (String(i) === name ? bad : item))
        : { ...value, [name]: bad }
}

describe('builders called from plain JavaScript', () => {
  it.each(CALLS)('rejects missing and mistyped arguments with a typed error: %s', (_name, builder, given) => {
    const call = (all: readonly unknown[]) => builder(...(all as never[]))
    expect(() => call(given)).not.toThrow()
    let refused = 0
    for (const [i, one] of given.entries())
      for (const bad of spoiled(one)) {
        // UTXOs come from the node, decoded.
        if (
          i === 0 &&
          typeof bad === 'object' &&
          bad !== null &&
          'utxos' in bad &&
          bad.utxos !== common.utxos
        )
          continue
        try {
          call(given.with(i, bad))
        } catch (error) {
          refused++
          if (!isFirnError(error)) throw error
        }
      }
    expect(refused).toBeGreaterThan(20)
  })

  it.each([
    [
      1.5,
      /expected a bigint from 0 to 2\^64 − 1, such as 1_500_000_000n, got 1.5 \(at payments\[0\].amount\)/,
    ],
    [undefined, /got nothing \(at payments\[0\].amount\)/],
    ['1000', /got "1000" \(at payments\[0\].amount\)/],
    [-5n, /got -5n? \(at payments\[0\].amount\)/],
  ])('names the invalid amount: %s', (amount, message) => {
    const payments = [{ ...payment, amount: amount as bigint }]
    for (const transfer of [
      () => PlatformBuilder.transfer(p, payments),
      () => AvmBuilder.transfer(x, payments),
      () => AtomicBuilder.exportTo(c, id(3), payments, []),
    ]) {
      expect(transfer).toThrow(expect.objectContaining({ code: 'TXS_INPUT' }))
      expect(transfer).toThrow(message)
    }
  })
})

describe('the owners that authorize a transaction', () => {
  const authorized = CALLS.filter(([, , given]) => Object.hasOwn(given[1] as object, 'authority'))

  it.each(authorized)('requires arguments with the right types: %s', (_name, builder, [wallet, request]) => {
    for (const bad of [undefined, null, {}, { ...mine, threshold: 'x' }, { ...mine, addresses: undefined }]) {
      const work = () => builder(...([wallet, { ...(request as object), authority: bad }] as never[]))
      expect(work).toThrow(expect.objectContaining({ code: 'TXS_INPUT' }))
      expect(work).toThrow(/at authority/)
    }
  })

  it('has seven builders that require arguments', () => {
    expect(authorized).toHaveLength(7)
  })
})

describe('arguments that nodes would refuse', () => {
  const register = (expiry: bigint) =>
    L1Builder.registerL1Validator(p, {
      balance: 1n,
      message: message(expiry),
      proofOfPossession: pop.proofOfPossession,
    })

  it.each<[string, () => unknown, string]>([
    [
      'a memo of 300 bytes',
      () => PlatformBuilder.transfer({ ...p, memo: new Uint8Array(300) }, [payment]),
      'TXS_MEMO',
    ],
    [
      'a memo with dynamic fees',
      () => PlatformBuilder.transfer({ ...p, memo: new Uint8Array(1) }, [payment]),
      'TXS_MEMO',
    ],
    [
      'a memo of 300 bytes with a fixed fee',
      () => PlatformBuilder.transfer({ ...p, fees: { fixed: 1n }, memo: new Uint8Array(300) }, [payment]),
      'TXS_MEMO',
    ],
    [
      'a memo of 300 bytes on X',
      () => AvmBuilder.transfer({ ...x, memo: new Uint8Array(300) }, [payment]),
      'TXS_MEMO',
    ],
    [
      'a period that ends now',
      () =>
        StakingBuilder.addPermissionlessDelegator(p, {
          ...permissionless,
          validator: { ...validator, end: NOW },
        }),
      'TXS_TIME',
    ],
    ['a message that expires now', () => register(NOW), 'TXS_TIME'],
    ['a message that expires in more than a day', () => register(NOW + 86_401n), 'TXS_TIME'],
    [
      'a weight of 0',
      () =>
        StakingBuilder.addPermissionlessDelegator(p, {
          ...permissionless,
          validator: { ...validator, weight: 0n },
        }),
      'TXS_NO_STAKE',
    ],
    [
      'the same token twice',
      () => {
        const right = { type: 'PropertyOwnedOutput', ...mine }
        const wallet = { ...x, utxos: [utxo(0), { ...utxo(1), assetID: id(8), output: right }] }
        const burn = Operations.burnProperty(wallet, id(8))
        return AvmBuilder.operate(wallet, [burn, burn])
      },
      'TXS_DOUBLE_SPEND',
    ],
    [
      'an export of another asset from the C-chain',
      () => AtomicBuilder.exportTo(c, id(3), [otherPayment], [account]),
      'TXS_INPUT',
    ],
    [
      'an import to the C-chain from itself',
      () => AtomicBuilder.importFrom({ ...c, xChainId: id(3) }, id(4), me),
      'TXS_BLOCKCHAIN_ID',
    ],
  ])('refuses values that nodes refuse: %s', (_what, work, code) => {
    expect(work).toThrow(expect.objectContaining({ code }))
  })

  it('accepts a memo with a fixed fee', () => {
    const wallet = { ...p, fees: { fixed: 1n }, memo: new Uint8Array(256) }
    expect(() => PlatformBuilder.transfer(wallet, [payment])).not.toThrow()
  })

  it('accepts a message that expires in exactly a day', () => {
    expect(() => register(NOW + 86_400n)).not.toThrow()
  })
})
