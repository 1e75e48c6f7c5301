import { Id } from '@firn/codec'
import type { Utxos } from '@firn/store'
import { describe, expect, test } from 'vitest'
import * as Balances from '../avm/Balances.ts'
import * as PlatformBalance from './PlatformBalance.ts'

const AVAX = new Uint8Array(32).fill(1)
const OTHER = new Uint8Array(32).fill(2)
const NOW = 1000n
const MAX = 2n ** 64n - 1n

function holding(fields: Partial<Utxos.Holding>): Utxos.Holding {
  return {
    id: Id.EMPTY,
    txId: new Uint8Array(32).fill(9),
    outputIndex: 0,
    assetId: AVAX,
    outputType: 7,
    amount: 5n,
    locktime: 0n,
    stakeableLocktime: undefined,
    addresses: 1,
    ...fields,
  }
}

const balanceOf = (...holdings: Utxos.Holding[]) => PlatformBalance.of(holdings, NOW, AVAX)

describe('P-chain balance', () => {
  test.each([
    ['an output without a lock as unlocked', {}, 'unlocked'],
    ['a lock that ends now as unlocked', { locktime: NOW }, 'unlocked'],
    ['a lock that ends later as locked', { locktime: NOW + 1n }, 'lockedNotStakeable'],
    ['a stakeable lock that ends now as unlocked', { stakeableLocktime: NOW }, 'unlocked'],
    ['a stakeable lock that ends later as stakeable', { stakeableLocktime: NOW + 1n }, 'lockedStakeable'],
    [
      'an output with both locks as not stakeable until the inner one ends',
      { locktime: NOW + 1n, stakeableLocktime: NOW + 2n },
      'lockedNotStakeable',
    ],
    [
      'an output whose inner lock has ended as stakeable',
      { locktime: NOW, stakeableLocktime: NOW + 2n },
      'lockedStakeable',
    ],
  ] as const)('counts %s', (_what, fields, kind) => {
    const zero = { unlocked: 0n, lockedStakeable: 0n, lockedNotStakeable: 0n }
    expect(balanceOf(holding(fields))).toMatchObject({ balance: 5n, ...zero, [kind]: 5n })
    expect(balanceOf(holding(fields))[`${kind}s`]).toEqual(new Map([[Id.format(AVAX), 5n]]))
  })

  test('reports assets other than AVAX only in the maps keyed by asset id', () => {
    const balance = balanceOf(holding({ assetId: OTHER }), holding({ assetId: OTHER, locktime: MAX }))
    expect(balance).toMatchObject({ balance: 0n, unlocked: 0n, lockedNotStakeable: 0n })
    expect(balance.balances).toEqual(new Map([[Id.format(OTHER), 10n]]))
    expect(balance.unlockeds).toEqual(new Map([[Id.format(OTHER), 5n]]))
    expect(balance.lockedStakeables).toEqual(new Map())
  })

  test('caps sums at the 64-bit maximum', () => {
    const rich = holding({ amount: MAX - 1n })
    expect(balanceOf(rich, holding({ amount: 2n }))).toMatchObject({ balance: MAX, unlocked: MAX })
    expect(balanceOf(rich, holding({ amount: 2n, locktime: MAX }))).toMatchObject({
      balance: MAX,
      unlocked: MAX - 1n,
      lockedNotStakeable: 2n,
    })
  })

  test('lists the ids of the UTXOs, or null if there are no UTXOs', () => {
    const [first, second] = [holding({ outputIndex: 3 }), holding({ outputIndex: 1 })]
    expect(balanceOf(first, second).utxoIDs?.map(({ outputIndex }) => outputIndex)).toEqual([3, 1])
    expect(balanceOf()).toMatchObject({ balance: 0n, utxoIDs: null, balances: new Map() })
  })
})

describe('X-chain balance', () => {
  test('caps the sum of each asset at the 64-bit maximum, and rejects an overflow in the balance of a single asset', () => {
    const held = [holding({ amount: MAX }), holding({ amount: 1n }), holding({ assetId: OTHER })]
    expect(Balances.sums(held)).toEqual(
      new Map([
        [Id.format(AVAX), MAX],
        [Id.format(OTHER), 5n],
      ]),
    )
    expect(() => Balances.sumOf(held.slice(0, 2))).toThrow('overflow')
    expect(Balances.sumOf([holding({ amount: MAX - 1n }), holding({ amount: 1n })])).toBe(MAX)
  })

  test.each([
    ['with one owner and no lock', {}, true, true],
    ['locked until now', { locktime: NOW }, true, true],
    ['locked until later', { locktime: NOW + 1n }, false, true],
    ['with two owners', { addresses: 2 }, false, true],
    ['without an owner', { addresses: 0 }, false, true],
    ['that is a minting right', { outputType: 6, amount: undefined }, false, false],
  ] as const)(
    'decides whether an output %s counts towards full balances and partial balances',
    (_what, fields, counts, countsInPart) => {
      const one = holding(fields)
      expect(Balances.counts(one, NOW, false)).toBe(counts)
      expect(Balances.counts(one, NOW, true)).toBe(countsInPart)
    },
  )

  test('accepts the alias or the id of an asset', () => {
    const names = new Map([['AVAX', AVAX]])
    expect(Balances.assetOf(names, 'AVAX')).toBe(AVAX)
    expect(Balances.assetOf(names, Id.format(OTHER))).toEqual(OTHER)
    expect(() => Balances.assetOf(names, 'avax')).toThrow("asset 'avax' not found")
  })
})
