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
  source,
  stranger,
  token,
} from '../../testing/coins.ts'
import type * as Coins from '../Coins.ts'
import * as Selection from '../Selection.ts'
import * as Wallet from '../Wallet.ts'

const cover = (coins: readonly Coins.Coin[], request: Partial<Selection.Request> = {}) =>
  Selection.cover({
    ...source,
    ...{ coins, meter: meter(), order: 'largest-first', burn: [], stake: [], received: 0n },
    changeOwners: mine,
    ...request,
  })
const burn = (amount: bigint, assetId = avax) => ({ burn: [{ assetID: assetId, amount }] })
const stake = (amount: bigint, assetId = avax) => ({ stake: [{ assetID: assetId, amount }] })
const error = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) })

describe('cover', () => {
  it('takes no coin more than the amount and the fee need', () => {
    // 10 for the transaction and 5 for the input
    expect(cover([coin(115n), coin(50n)], burn(100n))).toMatchObject({ change: [], fee: 15n })
    expect(amounts(cover([coin(115n), coin(50n)], burn(100n)).inputs)).toEqual([115n])
    expect(amounts(cover([coin(114n), coin(50n)], burn(100n)).inputs)).toEqual([114n, 50n])
  })

  it('burns a remainder that cannot pay for its own output', () => {
    expect(cover([coin(118n)], burn(100n))).toMatchObject({ change: [], fee: 18n })
    expect(cover([coin(119n)], burn(100n))).toMatchObject({ change: [{ amount: 1n }], fee: 18n })
  })

  it('returns exactly the rest of other assets, and takes no coin of them without need', () => {
    const coins = [coin(50n), coin(30n, { assetID: token }), coin(20n, { assetID: token })]
    const exact = cover(coins, burn(30n, token))
    expect(amounts(exact.inputs)).toEqual([30n, 50n])
    expect(exact.change).toMatchObject([{ assetID: avax }])
    const more = cover(coins, burn(31n, token))
    expect(amounts(more.inputs)).toEqual([30n, 20n, 50n])
    expect(more.change).toMatchObject([
      { assetID: token, amount: 19n, lock: 0n },
      { assetID: avax, lock: 0n },
    ])
    expect(amounts(cover([coin(50n), coin(9n, { assetID: token })], burn(9n, token)).inputs)).toEqual([
      9n,
      50n,
    ])
    expect(() => cover(coins, burn(51n, token))).toThrow(
      error('TXS_FUNDS', { needed: 51n, available: 50n, missing: 1n, fee: 0n }),
    )
  })

  it('adds up several amounts of an asset', () => {
    const coins = [coin(60n), coin(60n)]
    const two = { burn: [20n, 30n, 10n].map((amount) => ({ assetID: avax, amount })) }
    expect(amounts(cover(coins, two).inputs)).toEqual([60n, 60n])
    const both = cover([coin(200n)], { ...burn(50n), ...stake(60n) })
    expect(amounts(both.stake)).toEqual([60n])
    expect(amounts(both.change)).toEqual([200n - 110n - both.fee])
  })

  it('prefers the coin that is worth more after the fee for its signatures', () => {
    const shared = { owners: Wallet.owners(2, [me, friend]) }
    expect(amounts(cover([coin(101n, shared), coin(100n)], burn(50n)).inputs)).toEqual([100n])
    expect(amounts(cover([coin(103n, shared), coin(100n)], burn(50n)).inputs)).toEqual([103n])
    // Equal worth: by id.
    const [a, b] = [coin(102n, shared), coin(100n)]
    expect(amounts(cover([b, a], burn(50n)).inputs)).toEqual([102n])
    // Coins of other assets are ranked by their amounts.
    const tokens = [coin(101n, { ...shared, assetID: token }), coin(100n, { assetID: token })]
    expect(amounts(cover([...tokens, coin(90n)], burn(50n, token)).inputs)[0]).toBe(101n)
  })

  it('keeps the given order on request, also of locked coins', () => {
    const coins = [coin(60n), coin(100n)]
    expect(amounts(cover(coins, { ...burn(20n), order: 'given' }).inputs)).toEqual([60n])
    const locked = [coin(30n, { lock: 110n }), coin(30n, { lock: 120n }), coin(90n)]
    const given = cover(locked, { ...stake(10n), order: 'given' })
    expect(given.stake).toMatchObject([{ lock: 110n }])
    expect(cover(locked, stake(10n)).stake).toMatchObject([{ lock: 120n }])
  })

  it('skips coins that cost more than they bring', () => {
    expect(amounts(cover([coin(5n), coin(6n), coin(30n)], { ...burn(1n), order: 'given' }).inputs)).toEqual([
      6n,
      30n,
    ])
    expect(() => cover([coin(5n), coin(5n), coin(5n)])).toThrow(error('TXS_FUNDS', { available: 0n }))
  })

  it('never spends a coin before its lock ends, and stakes only with locks', () => {
    expect(() => cover([coin(200n, { lock: NOW + 1n })], burn(1n))).toThrow(
      error('TXS_LOCKED', { unlockTime: NOW + 1n, locked: 200n }),
    )
    expect(amounts(cover([coin(200n, { lock: NOW })], burn(1n)).inputs)).toEqual([200n])
    const at = cover([coin(200n, { lock: NOW })], stake(1n))
    expect(at.stake).toMatchObject([{ lock: 0n, owners: mine }])
  })

  it('stakes locked coins first, keeps their owners, and covers the rest with others', () => {
    const owners = Wallet.soleOwner(friend)
    const coins = [coin(40n, { lock: 150n, owners }), coin(200n), coin(10n, { lock: 160n, assetID: token })]
    const spent = cover(coins, stake(25n))
    expect(spent.stake).toEqual([{ assetID: avax, amount: 25n, owners, lock: 150n }])
    expect(spent.change).toMatchObject([{ amount: 15n, owners, lock: 150n }, { lock: 0n }])
    const more = cover(coins, stake(60n))
    expect(amounts(more.stake)).toEqual([40n, 20n])
    expect(more.stake[1]).toMatchObject({ owners: mine, lock: 0n })
    expect(amounts(more.inputs)).toEqual([40n, 200n])
    const exact = cover(coins, stake(40n))
    expect(amounts(exact.stake)).toEqual([40n])
    // Enough is staked, so that no further locked coin is taken.
    const two = cover([coin(40n, { lock: 150n }), coin(41n, { lock: 149n }), coin(90n)], stake(40n))
    expect(amounts(two.inputs)).toEqual([40n, 90n])
    // 10, two inputs, the stake and the change
    expect(two).toMatchObject({ change: [{ amount: 64n, lock: 0n }], fee: 26n })
  })

  it('leaves locked coins that are worth no more than the fee for staking them', () => {
    const staked = (amount: bigint, fee: Selection.Meter['fee']) =>
      cover([coin(amount, { lock: 150n }), coin(300n)], { ...stake(100n), meter: { ...meter(), fee } }).stake
        .length
    // 5 for an input and 3 for an output
    expect(staked(8n, (gas) => gas)).toBe(1)
    expect(staked(9n, (gas) => gas)).toBe(2)
    expect(staked(8n, (gas) => 100n + gas)).toBe(1)
    expect(staked(9n, (gas) => 100n + gas)).toBe(2)
    expect(staked(1n, () => 18n)).toBe(2)
  })

  it('pays with what is received, whose remainder goes to the receiver', () => {
    const receivedOwners = Wallet.soleOwner(stranger)
    const paid = cover([coin(90n)], { received: 50n, receivedOwners })
    expect(paid).toMatchObject({ inputs: [], change: [{ amount: 37n, owners: receivedOwners }], fee: 13n })
    const short = cover([coin(90n)], { received: 9n, receivedOwners })
    expect(short).toMatchObject({ change: [{ owners: mine }], fee: 18n })
    expect(cover([], { received: 10n })).toMatchObject({ inputs: [], change: [], fee: 10n })
    expect(cover([], { received: 20n })).toMatchObject({ change: [{ amount: 7n, owners: mine }] })
  })

  it('spends required coins once and in any case', () => {
    const [a, b, c] = [coin(40n), coin(30n), coin(90n)]
    const required = [a, b].map((one) => ({ ...one, signatureIndices: [0] }))
    const merged = cover([a, b, c], { required })
    expect(amounts(merged.inputs)).toEqual([40n, 30n])
    expect(merged).toMatchObject({ change: [{ amount: 47n }], fee: 23n })
    // The required coins do not suffice, so another one is taken, but none of them again.
    const paying = cover([a, b, c], { required, ...burn(60n) })
    expect(amounts(paying.inputs)).toEqual([40n, 30n, 90n])
    // A required coin that is worth more than the others is not taken again either.
    const most = cover([a, c], { required: [{ ...c, signatureIndices: [0] }], ...burn(100n) })
    expect(amounts(most.inputs)).toEqual([90n, 40n])
    const tokens = [coin(4n, { assetID: token }), coin(5n, { assetID: token })]
    const ofToken = cover([...tokens, c], {
      required: tokens.map((one) => ({ ...one, signatureIndices: [0] })),
    })
    expect(ofToken.change).toMatchObject([{ assetID: token, amount: 9n }, { assetID: avax }])
    const more = cover([...tokens, c], {
      required: tokens.slice(0, 1).map((one) => ({ ...one, signatureIndices: [0] })),
      ...burn(9n, token),
    })
    expect(amounts(more.inputs)).toEqual([4n, 5n, 90n])
  })

  it('gives change of an asset to the receiver, unless coins of the wallet add to it', () => {
    const receivedOwners = Wallet.soleOwner(stranger)
    const [a, b] = [4n, 5n].map((amount) => ({ ...coin(amount, { assetID: token }), signatureIndices: [0] }))
    const request = { required: [a as Coins.Chosen], receivedOwners }
    const change = (amount: bigint) =>
      cover([b as Coins.Coin, coin(90n)], { ...request, ...burn(amount, token) }).change[0]
    expect(change(3n)).toMatchObject({ amount: 1n, owners: receivedOwners })
    expect(change(6n)).toMatchObject({ amount: 3n, owners: mine })
  })

  it('spends a repeated coin once', () => {
    const one = coin(60n)
    expect(() => cover([one, one, one], burn(100n))).toThrow(
      error('TXS_FUNDS', { available: 60n, needed: 115n, fee: 15n }),
    )
  })

  it('reports the coins that do not count by why they do not', () => {
    const coins = [
      coin(30n),
      coin(40n, { lock: NOW + 9n }),
      coin(70n, { owners: Wallet.soleOwner(stranger) }),
    ]
    expect(() => cover(coins, burn(500n))).toThrow(
      error('TXS_FUNDS', { available: 30n, locked: 40n, unsigned: 70n }),
    )
    // Exactly what is missing: 115 for the amount, the transaction and an input
    const locked = (amount: bigint) => coin(amount, { lock: NOW + 9n })
    const unsigned = (amount: bigint) => coin(amount, { owners: Wallet.soleOwner(stranger) })
    expect(() => cover([coin(30n), locked(85n)], burn(100n))).toThrow(error('TXS_LOCKED', { missing: 85n }))
    expect(() => cover([coin(30n), locked(40n), unsigned(45n)], burn(100n))).toThrow(error('TXS_SIGNERS'))
    expect(() => cover([coin(30n), locked(40n), unsigned(44n)], burn(100n))).toThrow(error('TXS_FUNDS'))
    expect(() => cover([coin(30n, { lock: NOW })], burn(100n))).toThrow(error('TXS_FUNDS', { locked: 0n }))
    // A locked coin that pays the stake is not reported as locked.
    expect(() => cover(coins.slice(0, 2), { ...stake(40n), ...burn(500n) })).toThrow(
      error('TXS_FUNDS', { locked: 0n }),
    )
  })

  it('accepts a transaction of exactly the limit, and says how many coins fit into a smaller one', () => {
    const coins = [20n, 20n, 20n, 20n].map((amount) => coin(amount))
    const gas = { gas: 30n, bytes: 1_000n }
    expect(amounts(cover(coins, { ...burn(50n), meter: meter(gas) }).inputs)).toHaveLength(4)
    const less = { ...burn(50n), meter: meter({ ...gas, gas: 29n }) }
    expect(() => cover(coins, less)).toThrow(
      error('TXS_LIMIT', { inputs: 4, fit: 3, worth: 60n, fee: 25n, cost: { gas: 30n, bytes: 180n } }),
    )
    const bytes = { ...burn(50n), meter: meter({ gas: 30n, bytes: 179n }) }
    expect(() => cover(coins, bytes)).toThrow(error('TXS_LIMIT', { fit: 3 }))
    expect(() => cover(coins, { ...burn(50n), meter: meter({ gas: 9n, bytes: 179n }) })).toThrow(
      error('TXS_LIMIT', { fit: 0, worth: 0n }),
    )
  })

  it('says that the last coin does not fit together with the change', () => {
    const coins = [coin(40n), coin(40n)]
    // Two inputs need 20, the change 3 more.
    const request = { ...burn(40n), meter: meter({ gas: 22n, bytes: 1_000n }) }
    expect(() => cover(coins, request)).toThrow(error('TXS_LIMIT', { inputs: 2, fit: 1, worth: 40n }))
    expect(() => cover([], { received: 50n, meter: meter({ gas: 12n, bytes: 1_000n }) })).toThrow(
      error('TXS_LIMIT', { inputs: 0, fit: 0, worth: 0n }),
    )
  })

  it('leaves a locked coin that does not fit if unlocked coins suffice', () => {
    const staked = (
      gas: bigint,
      [amount, ...others]: readonly bigint[],
      request = stake(40n),
      bytes = 1_000n,
    ) =>
      cover([coin(amount as bigint, { lock: 150n }), ...others.map((other) => coin(other))], {
        ...request,
        meter: meter({ gas, bytes }),
      }).stake.map(({ lock }) => lock)
    // 10, the locked input, its stake, the input that pays and its change
    expect(staked(26n, [40n, 200n])).toEqual([150n])
    expect(staked(25n, [40n, 200n])).toEqual([0n])
    // The rest of the locked coin, too
    expect(staked(29n, [41n, 200n])).toEqual([150n])
    expect(staked(28n, [41n, 200n])).toEqual([0n])
    // The stake from an unlocked coin
    expect(staked(29n, [39n, 200n])).toEqual([150n, 0n])
    expect(staked(28n, [39n, 200n])).toEqual([0n])
    expect(staked(1_000n, [39n, 200n], stake(40n), 168n)).toEqual([150n, 0n])
    expect(staked(1_000n, [39n, 200n], stake(40n), 167n)).toEqual([0n])
    // What is burned
    expect(staked(25n, [40n, 300n], { ...stake(40n), ...burn(60n) })).toEqual([0n])
    // As many unlocked coins as are needed: two beside the locked one, or three without it
    expect(staked(34n, [30n, 30n, 30n, 30n])).toEqual([150n, 0n])
    expect(staked(33n, [30n, 30n, 30n, 30n])).toEqual([0n])
    // Without enough unlocked coins: 10, an input and the stake
    expect(staked(25n, [40n, 58n])).toEqual([0n])
    expect(() => staked(25n, [40n, 57n])).toThrow(error('TXS_LIMIT'))
  })

  it('stakes locked coins of another asset first, even if unlocked ones would suffice', () => {
    const coins = [coin(10n, { assetID: token, lock: 150n }), coin(1_000n, { assetID: token }), coin(23n)]
    // 10, two inputs and the stake. Nothing remains of the AVAX.
    const spent = cover(coins, { ...stake(10n, token), meter: meter({ gas: 23n, bytes: 1_000n }) })
    expect(amounts(spent.inputs)).toEqual([10n, 23n])
  })

  it('counts only coins of the asset of which too many are needed', () => {
    const tokens = [5n, 5n, 5n].map((amount) => coin(amount, { assetID: token }))
    const request = { ...burn(15n, token), meter: meter({ gas: 20n, bytes: 1_000n }) }
    expect(() => cover([...tokens, coin(90n)], request)).toThrow(
      error('TXS_LIMIT', { inputs: 4, fit: 2, worth: 10n, fee: 20n }),
    )
  })
})
