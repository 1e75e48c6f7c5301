import { describe, expect, it } from 'vitest'
import {
  amounts,
  avax,
  coin,
  friend,
  me,
  meter,
  mine,
  NOW,
  other,
  source,
  stranger,
  token,
} from '../../testing/coins.ts'
import type * as Coins from '../Coins.ts'
import * as Selection from '../Selection.ts'
import * as Wallet from '../Wallet.ts'

const error = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) })

const gather = (coins: readonly Coins.Coin[], request: Partial<Selection.GatherRequest> = {}) =>
  Selection.gather({
    ...{ ...source, coins, meter: meter(), purpose: 'import', isIncluded: () => true, to: mine },
    ...request,
  })
const left = (found: Selection.Gathered) =>
  Object.fromEntries(found.left.map(({ reason, coins }) => [reason, amounts(coins)]))

describe('worth', () => {
  it('is the amount without the fee for the input', () => {
    const one = { ...coin(9n), signatureIndices: [0, 1] }
    expect(Selection.worth(one, meter())).toBe(2n)
    expect(Selection.worth(one, { ...meter(), fee: () => 5n })).toBe(9n)
  })
})

describe('gather', () => {
  it('takes the most valuable first for an import, and the least valuable for a consolidation', () => {
    const coins = [coin(20n), coin(40n), coin(30n)]
    const limit = { meter: meter({ gas: 23n, bytes: 1_000n }) }
    const imported = gather(coins, limit)
    expect(amounts(imported.chosen)).toEqual([40n, 30n])
    expect(left(imported)).toEqual({ limit: [20n] })
    const merged = gather(coins, { ...limit, purpose: 'consolidate' })
    expect(amounts(merged.chosen)).toEqual([20n, 30n])
    expect(left(merged)).toEqual({ limit: [40n] })
  })

  it('takes as much as fits exactly, with one output for each asset', () => {
    const coins = [coin(40n), coin(30n)]
    expect(gather(coins, { meter: meter({ gas: 23n, bytes: 148n }) }).chosen).toHaveLength(2)
    expect(gather(coins, { meter: meter({ gas: 22n, bytes: 148n }) }).chosen).toHaveLength(1)
    expect(gather(coins, { meter: meter({ gas: 23n, bytes: 147n }) }).chosen).toHaveLength(1)
    const assets = [
      coin(40n),
      coin(5n, { assetID: token }),
      coin(6n, { assetID: token }),
      coin(7n, { assetID: other }),
    ]
    // 10, four inputs and three outputs
    const chosen = (gas: bigint) =>
      gather(assets, { meter: { ...meter({ gas, bytes: 1_000n }), fee: () => 30n } }).chosen
    expect(amounts(chosen(39n))).toEqual([40n, 7n, 6n, 5n])
    expect(amounts(chosen(38n))).toEqual([40n, 7n, 6n])
  })

  it('leaves dust, locked coins, coins of others and excluded assets', () => {
    const coins = [
      coin(5n),
      coin(6n),
      coin(90n),
      coin(91n, { lock: NOW + 1n }),
      coin(92n, { lock: NOW }),
      coin(93n, { owners: Wallet.soleOwner(me, NOW + 1n) }),
      coin(94n, { owners: Wallet.soleOwner(stranger) }),
      coin(95n, { assetID: token }),
      coin(96n, { owners: Wallet.soleOwner(stranger, NOW + 1n) }),
    ]
    const found = gather(coins, { isIncluded: ({ assetID: assetId }) => assetId === avax })
    expect(amounts(found.chosen)).toEqual([92n, 90n, 6n])
    expect(left(found)).toEqual({ dust: [5n], locked: [91n, 93n], signers: [94n, 96n], asset: [95n] })
    // Coins of other assets are never dust.
    expect(amounts(gather([coin(1n, { assetID: token })], { own: [coin(99n)] }).chosen)).toEqual([1n])
  })

  it('reserves room for the own coin that pays for other assets', () => {
    const tokens = [5n, 6n].map((amount) => coin(amount, { assetID: token }))
    const limit = (gas: bigint) => ({ meter: meter({ gas, bytes: 1_000n }) })
    // 10, one output, two inputs; 5 and 3 for the own coin and its change
    expect(gather(tokens, { ...limit(31n), own: [coin(99n)] }).chosen).toHaveLength(2)
    expect(gather(tokens, { ...limit(30n), own: [coin(99n)] }).chosen).toHaveLength(1)
    const shared = coin(98n, { owners: Wallet.owners(2, [me, friend]) })
    expect(gather(tokens, { ...limit(31n), own: [shared, coin(99n)] }).chosen).toHaveLength(2)
    expect(gather(tokens, { ...limit(30n), own: [coin(97n, { lock: NOW })] }).chosen).toHaveLength(1)
    // AVAX pays for itself.
    expect(gather([coin(50n), coin(60n)], { ...limit(23n), own: [coin(99n)] }).chosen).toHaveLength(2)
  })

  it('reserves room for as many own coins as pay the fee', () => {
    const tokens = Array.from({ length: 9 }, () => coin(5n, { assetID: token }))
    const own = [20n, 19n, 18n, 6n, 5n].map((amount) => coin(amount))
    const chosen = (gas: bigint, more: Partial<Selection.GatherRequest> = {}) =>
      gather(tokens, { meter: meter({ gas, bytes: 1_000n }), own, ...more }).chosen.length
    // 10, an output and two inputs, paid by two coins of 5 each and with a change of 3
    expect(chosen(36n)).toBe(2)
    expect(chosen(35n)).toBe(1)
    // Three coins pay for a fee above 39 − 10.
    expect(chosen(45n)).toBe(3)
    expect(chosen(46n)).toBe(3)
    expect(chosen(1_000n)).toBe(6)
    // The coins that are spent first with the order `given` pay for less.
    expect(chosen(36n, { own: own.toReversed(), order: 'given' })).toBe(1)
  })

  it('takes other assets as long as the wallet can pay for them', () => {
    const tokens = [5n, 6n, 7n].map((amount) => coin(amount, { assetID: token }))
    // 10, an output and three inputs, the last of them of the own coin; a further input costs 5.
    const found = gather(tokens, { own: [coin(28n)] })
    expect(amounts(found.chosen)).toEqual([7n, 6n])
    expect(left(found)).toEqual({ funds: [5n] })
    expect(gather(tokens, { own: [coin(33n)] }).chosen).toHaveLength(3)
    expect(() => gather(tokens)).toThrow(error('TXS_FUNDS', { needed: 18n, available: 0n }))
    expect(() => gather(tokens, { own: [coin(96n, { assetID: other })] })).toThrow(error('TXS_FUNDS'))
    expect(() => gather(tokens, { own: [coin(97n, { lock: NOW + 5n })] })).toThrow(
      error('TXS_LOCKED', { locked: 97n }),
    )
    expect(() => gather(tokens, { own: [coin(22n), coin(97n, { lock: NOW + 5n })] })).toThrow(
      error('TXS_LOCKED', { needed: 23n, available: 22n, locked: 97n }),
    )
  })

  it('refuses what brings no more than its fee', () => {
    // 10, two inputs and an output
    expect(() => gather([coin(12n), coin(11n)])).toThrow(
      error('TXS_DUST', { count: 2, amount: 23n, fee: 23n }),
    )
    expect(gather([coin(12n), coin(12n)]).chosen).toHaveLength(2)
    expect(() => gather([coin(12n), coin(5n)])).toThrow(error('TXS_DUST', { count: 2, amount: 17n }))
    expect(() => gather([coin(90n)], { isIncluded: () => false })).toThrow(error('TXS_EMPTY', { count: 1 }))
  })

  it('needs two coins for a consolidation', () => {
    expect(() => gather([coin(50n)], { purpose: 'consolidate' })).toThrow(error('TXS_EMPTY', { count: 1 }))
    expect(gather([coin(50n), coin(51n)], { purpose: 'consolidate' }).chosen).toHaveLength(2)
  })

  it('takes a repeated coin once', () => {
    const one = coin(50n)
    expect(gather([one, one]).chosen).toHaveLength(1)
  })
})

describe('gather, for an import of AVAX beside other assets', () => {
  const tokens = [5n, 7n, 6n].map((amount) => coin(amount, { assetID: token }))
  const fixed = (fee: bigint, bytes = 1_000n) => ({
    meter: { ...meter({ gas: 10_000n, bytes }), fee: () => fee },
  })

  it('leaves the assets that would raise the fee', () => {
    const found = gather([...tokens, coin(19n)], { own: [coin(99n)] })
    expect(amounts(found.chosen)).toEqual([19n])
    expect(left(found)).toEqual({ asset: [7n, 6n, 5n] })
  })

  it('takes the assets that do not raise the fee, as far as they fit', () => {
    const chosen = (bytes: bigint) => amounts(gather([...tokens, coin(31n)], fixed(30n, bytes)).chosen)
    expect(chosen(1_000n)).toEqual([31n, 7n, 6n, 5n])
    // 100, two inputs of 20 and two outputs of 8; 20 for a further input
    expect(chosen(155n)).toEqual([31n])
    expect(chosen(156n)).toEqual([31n, 7n])
    expect(chosen(176n)).toEqual([31n, 7n, 6n])
    expect(left(gather([...tokens, coin(31n)], fixed(30n, 175n)))).toEqual({ asset: [6n, 5n] })
  })

  it('takes AVAX that is not worth its room after the other assets', () => {
    const chosen = (fee: bigint, ...avax: readonly bigint[]) =>
      amounts(gather([...avax.map((amount) => coin(amount)), ...tokens.slice(0, 1)], fixed(fee)).chosen)
    // An input uses 20 of 1,000 bytes, so its share of the fee is 2.
    expect(chosen(100n, 101n, 2n, 1n)).toEqual([101n, 2n, 5n, 1n])
    // AVAX that is needed to exceed the fee comes first.
    expect(chosen(100n, 99n, 1n, 1n, 1n)).toEqual([99n, 1n, 1n, 5n, 1n])
    expect(chosen(0n, 1n)).toEqual([1n, 5n])
  })

  it('takes no more of an asset than an amount can hold', () => {
    const half = 2n ** 63n
    const huge = [half, half, 5n].map((amount) => coin(amount, { assetID: token }))
    const found = gather([coin(90n), ...huge], fixed(30n))
    expect(amounts(found.chosen)).toEqual([90n, half, 5n])
    expect(left(found)).toEqual({ asset: [half] })
    const paid = gather(huge, { own: [coin(90n)] })
    expect(amounts(paid.chosen)).toEqual([half, 5n])
    expect(left(paid)).toEqual({ limit: [half] })
    const most = [2n ** 64n - 6n, 5n].map((amount) => coin(amount, { assetID: token }))
    expect(gather([coin(90n), ...most], fixed(30n)).chosen).toHaveLength(3)
    expect(gather([coin(2n ** 64n - 1n, { assetID: token })], { own: [coin(90n)] }).chosen).toHaveLength(1)
  })
})

describe('gather, for an import of other assets', () => {
  const one = coin(5n, { assetID: token })
  const fixed = (bytes: bigint) => ({ meter: { ...meter({ gas: 10_000n, bytes }), fee: () => 100n } })

  it('takes them if the AVAX beside them does not exceed its own fee', () => {
    // 10, an input and an output
    expect(amounts(gather([coin(18n), one], { own: [coin(99n)] }).chosen)).toEqual([5n, 18n])
    expect(amounts(gather([coin(19n), one], { own: [coin(99n)] }).chosen)).toEqual([19n])
  })

  it('pays the fee with imported AVAX and with own coins', () => {
    // 10, an output and three inputs
    expect(() => gather([coin(10n), one], { own: [coin(17n)] })).toThrow(
      error('TXS_FUNDS', { needed: 28n, available: 27n, fee: 28n }),
    )
    expect(amounts(gather([coin(10n), one], { own: [coin(18n)] }).chosen)).toEqual([5n, 10n])
    expect(amounts(gather([coin(15n), one], { own: [coin(13n)] }).chosen)).toEqual([5n, 15n])
  })

  it('is not blocked by many small coins of AVAX', () => {
    const small = Array.from({ length: 50 }, () => coin(1n))
    // 100, an input and an output, the own coin of 20 and its change of 8
    const found = gather([...small, one], { ...fixed(156n), own: [...small, coin(100n)] })
    expect(amounts(found.chosen)).toEqual([5n])
    expect(left(found)).toEqual({ limit: small.map(() => 1n) })
    // A small coin adds its input and, as the change may have other owners, an output.
    expect(gather([...small, one], { ...fixed(183n), own: [coin(100n)] }).chosen).toHaveLength(1)
    expect(gather([...small, one], { ...fixed(184n), own: [coin(100n)] }).chosen).toHaveLength(2)
    // AVAX that replaces an own coin makes room: 100, three inputs and two outputs, and the own coin's change
    const replacing = (bytes: bigint) =>
      amounts(gather([coin(50n), one], { ...fixed(bytes), own: [coin(60n), coin(59n)] }).chosen)
    expect(replacing(184n)).toEqual([5n, 50n])
    expect(replacing(183n)).toEqual([5n])
    // The imported coin that pays is taken although the others do not fit.
    const paying = gather([...small, coin(60n), one], { ...fixed(176n), own: [coin(40n)] })
    expect(amounts(paying.chosen)).toEqual([5n, 60n])
  })

  it('pays in the given order with own coins, and then with imported ones', () => {
    const request = (gas: bigint) => ({
      own: [coin(20n), coin(99n)],
      meter: meter({ gas, bytes: 1_000n }),
    })
    // 10, two inputs, an output and the change; 5 for a second own coin
    expect(gather([one], request(26n)).chosen).toHaveLength(1)
    expect(() => gather([one], { ...request(30n), order: 'given' })).toThrow(error('TXS_LIMIT'))
    expect(gather([one], { ...request(31n), order: 'given' }).chosen).toHaveLength(1)
    // 10, four inputs and an output
    const given = (amount: bigint) =>
      gather([coin(amount), one], { own: [coin(14n), coin(9n)], order: 'given' }).chosen
    expect(amounts(given(10n))).toEqual([5n, 10n])
    expect(() => given(9n)).toThrow(error('TXS_FUNDS', { needed: 33n, available: 32n }))
  })

  it('counts the change with the owners who receive it', () => {
    const output: Selection.Meter['output'] = ({ owners }) => ({
      gas: 0n,
      bytes: 8n * BigInt(owners.addresses.length),
    })
    const changeOwners = Wallet.owners(1, [me, friend, stranger])
    const chosen = (bytes: bigint, coins: readonly Coins.Coin[], own: readonly Coins.Coin[]) =>
      gather([...coins, one], { meter: { ...fixed(bytes).meter, output }, own, changeOwners }).chosen
    expect(chosen(172n, [], [coin(100n)])).toHaveLength(1)
    expect(() => chosen(171n, [], [coin(100n)])).toThrow(error('TXS_LIMIT'))
    // Imported AVAX that only pays the fee
    expect(chosen(156n, [coin(100n)], [])).toHaveLength(2)
    expect(() => chosen(155n, [coin(100n)], [])).toThrow()
  })
})

describe('gather, for a consolidation without a named receiver', () => {
  const owners = Wallet.owners(1, [me, stranger])
  const merge = (coins: readonly Coins.Coin[], isReceiverNamed: boolean) =>
    gather(coins, { purpose: 'consolidate', isReceiverNamed })

  it('leaves coins with several owners', () => {
    const coins = [
      ...[coin(50n), coin(51n), coin(60n, { owners })],
      ...[coin(5n, { owners }), coin(61n, { owners, lock: NOW + 1n })],
      coin(62n, { owners: Wallet.owners(2, [me, stranger]) }),
    ]
    const found = merge(coins, false)
    expect(amounts(found.chosen)).toEqual([50n, 51n])
    expect(left(found)).toEqual({ receiver: [60n], dust: [5n], locked: [61n], signers: [62n] })
    expect(amounts(merge(coins, true).chosen)).toEqual([50n, 51n, 60n])
    expect(amounts(gather([coin(60n, { owners })]).chosen)).toEqual([60n])
  })

  it('says to name the receiver if too few coins remain', () => {
    const shared = [60n, 70n].map((amount) => coin(amount, { owners }))
    expect(() => merge([coin(50n), ...shared], false)).toThrow(error('TXS_EMPTY', { count: 2, amount: 130n }))
    expect(() => merge([coin(50n), ...shared], false)).toThrow(/2 UTXOs have several owners; pass .* as `to`/)
    expect(() => merge([coin(50n), coin(60n, { owners })], false)).toThrow(/1 UTXOs have several owners/)
  })
})
