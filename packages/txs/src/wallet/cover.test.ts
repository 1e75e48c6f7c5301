import { describe, expect, it } from 'vitest'
import type * as Coins from './Coins.ts'
import type * as Limits from './Limits.ts'
import * as Selection from './Selection.ts'
import * as Wallet from './Wallet.ts'

// Costs are small round numbers: a transaction of 10 gas, 5 for an input and its signature, 2 for each further signature,
// and 3 for an output. A unit of gas costs 1 nAVAX.

const [me, friend, stranger] = [1, 2, 3].map((byte) => new Uint8Array(20).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const [avax, token, other] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const NOW = 100n
const NO_LIMIT: Limits.Cost = { gas: 10_000n, bytes: 10_000n }
const meter = (limit: Limits.Cost = NO_LIMIT): Selection.Meter => ({
  fixed: { gas: 10n, bytes: 100n },
  input: ({ signatureIndices }) => ({
    gas: 3n + 2n * BigInt(signatureIndices.length),
    bytes: 20n,
  }),
  output: () => ({ gas: 3n, bytes: 8n }),
  fee: (gas) => gas,
  limit,
})
const mine = Wallet.soleOwner(me)
let index = 0
const coin = (amount: bigint, more: Partial<Coins.Coin> = {}): Coins.Coin => ({
  txID: new Uint8Array(32),
  outputIndex: index++,
  assetID: avax,
  amount,
  owners: mine,
  lock: 0n,
  ...more,
})
const source = { addresses: [me, friend], time: NOW, avaxAssetId: avax }
const cover = (coins: readonly Coins.Coin[], request: Partial<Selection.Request> = {}) =>
  Selection.cover({
    ...source,
    ...{ coins, meter: meter(), order: 'largest-first', burn: [], stake: [], received: 0n },
    changeOwners: mine,
    ...request,
  })
const burn = (amount: bigint, assetId = avax) => ({ burn: [{ assetID: assetId, amount }] })
const stake = (amount: bigint, assetId = avax) => ({ stake: [{ assetID: assetId, amount }] })
const amounts = (list: readonly { readonly amount: bigint }[]) => list.map(({ amount }) => amount)
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

  it('counts only coins of the asset of which too many are needed', () => {
    const tokens = [5n, 5n, 5n].map((amount) => coin(amount, { assetID: token }))
    const request = { ...burn(15n, token), meter: meter({ gas: 20n, bytes: 1_000n }) }
    expect(() => cover([...tokens, coin(90n)], request)).toThrow(
      error('TXS_LIMIT', { inputs: 4, fit: 2, worth: 10n, fee: 20n }),
    )
  })
})

describe('worth', () => {
  it('is the amount without the fee for the input', () => {
    const one = { ...coin(9n), signatureIndices: [0, 1] }
    expect(Selection.worth(one, meter())).toBe(2n)
    expect(Selection.worth(one, { ...meter(), fee: () => 5n })).toBe(9n)
  })
})

describe('gather', () => {
  const gather = (coins: readonly Coins.Coin[], request: Partial<Selection.GatherRequest> = {}) =>
    Selection.gather({
      ...{ ...source, coins, meter: meter(), purpose: 'import', isIncluded: () => true, to: mine },
      ...request,
    })
  const left = (found: Selection.Gathered) =>
    Object.fromEntries(found.left.map(({ reason, coins }) => [reason, amounts(coins)]))

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
    expect(gather(assets, { meter: meter({ gas: 39n, bytes: 1_000n }) }).chosen).toHaveLength(4)
    expect(amounts(gather(assets, { meter: meter({ gas: 38n, bytes: 1_000n }) }).chosen)).toEqual([
      40n,
      7n,
      6n,
    ])
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
    const found = gather([coin(31n), ...tokens])
    // 10, two inputs and two outputs; a further input costs 5.
    expect(amounts(found.chosen)).toEqual([31n, 7n, 6n])
    expect(left(found)).toEqual({ funds: [5n] })
    expect(amounts(gather([coin(25n), ...tokens]).chosen)).toEqual([25n])
    expect(gather([coin(31n), ...tokens], { own: [coin(10n)] }).chosen).toHaveLength(4)
    expect(() => gather(tokens)).toThrow(error('TXS_FUNDS', { needed: 18n, available: 0n }))
    expect(() => gather(tokens, { own: [coin(96n, { assetID: other })] })).toThrow(error('TXS_FUNDS'))
    expect(() => gather(tokens, { own: [coin(97n, { lock: NOW + 5n })] })).toThrow(
      error('TXS_LOCKED', { locked: 97n }),
    )
  })

  it('takes no more of an asset than an amount can hold', () => {
    const half = 2n ** 63n
    const tokens = [half, half, 5n].map((amount) => coin(amount, { assetID: token }))
    const found = gather([coin(90n), ...tokens])
    expect(amounts(found.chosen)).toEqual([90n, half, 5n])
    expect(left(found)).toEqual({ limit: [half] })
  })

  it('refuses what brings no more than its fee', () => {
    // 10, two inputs and an output
    expect(() => gather([coin(12n), coin(11n)])).toThrow(
      error('TXS_DUST', { count: 2, amount: 23n, fee: 23n }),
    )
    expect(gather([coin(12n), coin(12n)]).chosen).toHaveLength(2)
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
