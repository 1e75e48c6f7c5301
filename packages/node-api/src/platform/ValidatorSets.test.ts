import { PublicKey } from '@firn/bls'
import { Bytes, Hex, Id } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { Validators } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { ValidatorSet } from '@firn/warp'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import * as ValidatorSets from './ValidatorSets.ts'

const SUBNET = new Uint8Array(32).fill(1)
const node = (fill: number) => new Uint8Array(20).fill(fill)
const member = (fill: number, weight: bigint, publicKey?: Uint8Array): Records.Member => ({
  subnetId: SUBNET,
  nodeId: node(fill),
  weight,
  publicKey,
})

/**
 * Returns the compressed key of the negated point. Both points have the same x, so the compressed keys differ
 * in one bit.
 */
function negated(key: Uint8Array): Uint8Array {
  const other = key.slice()
  other[0] = (key[0] as number) ^ 0x20
  return other
}

let keys: readonly Uint8Array[]
beforeAll(async () => {
  const members = await Validators.allAt(await recordedStore('local'), 85n)
  const known = new Map(members.flatMap(({ publicKey: key }) => (key ? [[Hex.encode(key), key]] : [])))
  keys = [...known.values()].flatMap((key) => [key, negated(key)])
})

describe('canonical', () => {
  test('returns the same canonical validator sets as the Warp library, without decompressing keys', () => {
    expect(keys.length).toBeGreaterThan(10)
    const decoded = new Map(keys.map((key) => [Hex.encode(key), PublicKey.decode(key)]))
    const options = {
      decodePublicKey: (key: Uint8Array) => decoded.get(Hex.encode(key)) ?? PublicKey.decode(key),
    }
    const arbitrary = fc.uniqueArray(
      fc.tuple(
        fc.integer({ min: 0, max: 255 }),
        fc.bigInt(1n, 99n),
        fc.integer({ min: -9, max: keys.length - 1 }),
      ),
      { selector: ([fill]) => fill, maxLength: 30 },
    )
    fc.assert(
      fc.property(arbitrary, (nodes) => {
        const members = nodes.map(([fill, weight, key]) => member(fill, weight, keys[key]))
        const expected = ValidatorSet.create(
          members.map(({ nodeId, weight, publicKey = null }) => ({ nodeId, weight, publicKey })),
          options,
        )
        const set = ValidatorSets.canonical(members).get(Id.format(SUBNET))
        expect(set?.totalWeight ?? 0n).toBe(expected.totalWeight)
        expect(set?.validators ?? []).toEqual(
          expected.validators.map(({ publicKey, weight, nodeIds }) => ({
            publicKey: PublicKey.encode(publicKey),
            weight,
            nodeIDs: nodeIds,
          })),
        )
      }),
    )
  })

  test('groups validators by subnet, and omits a set whose total weight exceeds 64 bits', () => {
    const other = new Uint8Array(32).fill(2)
    const huge = [member(1, 2n ** 63n), member(2, 2n ** 63n)]
    const sets = ValidatorSets.canonical([...huge, { ...member(1, 3n), subnetId: other }])
    expect([...sets]).toEqual([[Id.format(other), { validators: [], totalWeight: 3n }]])
    const most = ValidatorSets.canonical([member(1, 2n ** 63n), member(2, 2n ** 63n - 1n)])
    expect(most.get(Id.format(SUBNET))?.totalWeight).toBe(2n ** 64n - 1n)
  })
})

/** Creates a generator of pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

describe('sample', () => {
  const sample = (members: readonly Records.Member[], size: number, random = seeded(1)) =>
    ValidatorSets.sample(SUBNET, members, size, random).map(([fill]) => fill as number)
  const few = [member(9, 3n), member(4, 1n), member(7, 2n)]

  test('returns each validator as many times as its weight if the sample size equals the total weight', () => {
    expect(sample(few, 6)).toEqual([4, 7, 7, 9, 9, 9])
  })

  test('returns a sorted sample of the requested size that contains no unit of weight twice', () => {
    const arbitrary = fc.tuple(
      fc.uniqueArray(fc.tuple(fc.nat(255), fc.bigInt(1n, 5n)), { selector: ([fill]) => fill, minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer(),
    )
    fc.assert(
      fc.property(arbitrary, ([nodes, part, seed]) => {
        const total = nodes.reduce((sum, [, weight]) => sum + Number(weight), 0)
        const size = Math.floor(part * total)
        const drawn = sample(
          nodes.map(([fill, weight]) => member(fill, weight)),
          size,
          seeded(seed),
        )
        expect(drawn.length).toBe(size)
        expect(drawn).toEqual(drawn.toSorted((a, b) => a - b))
        for (const [fill, weight] of nodes)
          expect(drawn.filter((each) => each === fill).length).toBeLessThanOrEqual(Number(weight))
      }),
    )
  })

  test('draws each validator in proportion to its weight', () => {
    const members = [member(1, 10n ** 15n), member(2, 2n * 10n ** 15n), member(3, 7n * 10n ** 15n)]
    const counts = [0, 0, 0, 0]
    const random = seeded(7)
    for (let round = 0; round < 1000; round++)
      for (const fill of sample(members, 10, random)) counts[fill] = (counts[fill] as number) + 1
    // For 10,000 draws, the standard deviations are 30, 40 and 46. The test allows five standard deviations.
    for (const [fill, expected, slack] of [
      [1, 1000, 150],
      [2, 2000, 200],
      [3, 7000, 230],
    ] as const)
      expect(Math.abs((counts[fill] as number) - expected)).toBeLessThan(slack)
  })

  test('draws all pairs of weight units with equal probability, including pairs with the last unit', () => {
    const members = [1, 2, 3, 4].map((fill) => member(fill, 1n))
    const counts = new Map<string, number>()
    const random = seeded(3)
    for (let round = 0; round < 6000; round++) {
      const pair = sample(members, 2, random).join()
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual(['1,2', '1,3', '1,4', '2,3', '2,4', '3,4'])
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  test('returns a full sample if the random number is always the minimum or always the maximum', () => {
    for (const random of [() => 0, () => 1 - 2 ** -53]) expect(sample(few, 3, random).length).toBe(3)
  })

  test('rejects a sample larger than the total weight, and accepts a sample of size 0', () => {
    const text = Id.format(SUBNET)
    expect(() => sample(few, 7)).toThrow(`sampling ${text} errored with insufficient weight`)
    expect(() => sample([], 1)).toThrow(`sampling ${text} errored with missing validators`)
    expect(sample([], 0)).toEqual([])
    expect(sample(few, 0)).toEqual([])
  })
})

test('returns the public key of each validator, or null if the validator has no key', () => {
  const [key = new Uint8Array()] = keys
  const set = ValidatorSets.byNode([member(0, 5n), member(1, 6n, key)])
  expect([...set.values()]).toEqual([
    { publicKey: null, weight: 5n },
    { publicKey: key, weight: 6n },
  ])
  expect([...set.keys()][0]).toBe('NodeID-111111111111111111116DBWJs')
  expect(Bytes.equals(key, negated(key))).toBe(false)
})
