import { Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as AvmFees from '../avm/AvmFees.ts'
import * as AvmBuilder from './AvmBuilder.ts'
import type * as Coins from './Coins.ts'
import * as Operations from './Operations.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import * as Wallet from './Wallet.ts'

const [me, friend] = [1, 2].map((byte) => new Uint8Array(20).fill(byte)) as [Uint8Array, Uint8Array]
const avax = new Uint8Array(32).fill(1)
const xChainId = new Uint8Array(32).fill(3)
const mine = Wallet.soleOwner(me)
const fees = { fixed: 10n }
const utxo = (payment: Omit<Wallet.Payment, 'assetID'>, outputIndex: number): Coins.AnyUtxo => ({
  txID: new Uint8Array(32),
  outputIndex,
  ...Wallet.out({ ...payment, assetID: avax }),
})
const wallet = (...payments: readonly Omit<Wallet.Payment, 'assetID'>[]) => ({
  networkId: 1,
  avaxAssetId: avax,
  addresses: [me],
  time: 100n,
  fees,
  utxos: payments.map(utxo),
})
const pay = (amount: bigint, more: Partial<Wallet.Payment> = {}) => [
  { assetID: avax, amount, owners: mine, ...more },
]
const assetId = Id.format(avax)

describe('the error for a transfer of 100 at a fee of 10', () => {
  it.each<[string, readonly Omit<Wallet.Payment, 'assetID'>[], string, object]>([
    [
      'an empty wallet',
      [],
      'TXS_FUNDS',
      { needed: 110n, available: 0n, missing: 110n, fee: 10n, locked: 0n, unsigned: 0n },
    ],
    ['one unit too little', [{ amount: 109n, owners: mine }], 'TXS_FUNDS', { available: 109n, missing: 1n }],
    [
      'enough, but some owners can sign only later',
      [
        { amount: 60n, owners: mine },
        { amount: 30n, owners: Wallet.soleOwner(me, 300n) },
        { amount: 30n, owners: Wallet.soleOwner(me, 200n) },
        { amount: 30n, owners: Wallet.soleOwner(me, 400n) },
      ],
      'TXS_LOCKED',
      { available: 60n, missing: 50n, locked: 90n, unlockTime: 300n, time: 100n },
    ],
    [
      'enough, but only for stake',
      [{ amount: 500n, owners: mine, lock: 777n }],
      'TXS_LOCKED',
      { locked: 500n, unlockTime: 777n },
    ],
    [
      'enough, but only with another signer',
      [
        { amount: 40n, owners: mine },
        { amount: 90n, owners: Wallet.owners(2, [me, friend]) },
      ],
      'TXS_SIGNERS',
      { available: 40n, missing: 70n, unsigned: 90n },
    ],
  ])('reports the missing amount: %s', (_what, payments, code, details) => {
    expect(() => PlatformBuilder.transfer(wallet(...payments), pay(100n))).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ assetId, ...details }) }),
    )
  })
})

describe('impossible requests', () => {
  const rich = wallet({ amount: 1000n, owners: mine })
  const avm = { ...rich, blockchainId: xChainId, fees: AvmFees.LOCAL }

  it.each<[string, () => unknown, string]>([
    ['a payment of 0', () => PlatformBuilder.transfer(rich, pay(0n)), 'TXS_NO_VALUE'],
    [
      'owners out of order',
      () =>
        PlatformBuilder.transfer(
          rich,
          pay(1n, { owners: { locktime: 0n, threshold: 1, addresses: [friend, me] } }),
        ),
      'TXS_ADDRESSES_ORDER',
    ],
    [
      'an export that can only be staked',
      () => PlatformBuilder.exportTo(rich, xChainId, pay(1n, { lock: 5n })),
      'TXS_LOCKTIME',
    ],
    ['an import without UTXOs', () => PlatformBuilder.importFrom(rich, xChainId, [], mine), 'TXS_EMPTY'],
    [
      'an import of UTXOs that are still locked',
      () =>
        PlatformBuilder.importFrom(
          rich,
          xChainId,
          [utxo({ amount: 50n, owners: Wallet.soleOwner(me, 101n) }, 0)],
          mine,
        ),
      'TXS_LOCKED',
    ],
    [
      'an import of UTXOs that others own',
      () =>
        PlatformBuilder.importFrom(
          rich,
          xChainId,
          [utxo({ amount: 50n, owners: Wallet.soleOwner(friend) }, 0)],
          mine,
        ),
      'TXS_SIGNERS',
    ],
    [
      'a wallet without addresses',
      () => PlatformBuilder.transfer({ ...rich, addresses: [] }, pay(1n)),
      'TXS_SIGNERS',
    ],
    [
      'minting without the right to mint',
      () => AvmBuilder.operate(avm, [Operations.mint(avm, xChainId, { amount: 1n, owners: mine })]),
      'TXS_FUNDS',
    ],
  ])('rejects an impossible request: %s', (_what, work, code) => {
    expect(work).toThrow(expect.objectContaining({ code }))
  })
})
