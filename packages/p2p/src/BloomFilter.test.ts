import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

type Bytes = `0x${string}`

interface Bloom {
  readonly numHashes: number
  readonly numEntries: number
  readonly seeds: readonly string[]
  readonly salt: Bytes
  readonly emptyFilter: Bytes
  readonly adds: readonly { readonly key: Bytes; readonly hash: string; readonly added: boolean }[]
  readonly count: number
  readonly filter: Bytes
  readonly queries: readonly { readonly key: Bytes; readonly contains: boolean }[]
}

describe('vectors', () => {
  test.each(readVectors<Bloom>('bloom'))(
    'matches the reference vector $name with $numHashes hashes and $numEntries bytes',
    (vector) => {
      const { numHashes, numEntries } = vector
      const salt = Hex.decode(vector.salt)
      const seeds = Buffer.alloc(8 * numHashes)
      vector.seeds.forEach((seed, i) => {
        seeds.writeBigUInt64BE(BigInt(seed), 8 * i)
      })
      const filter = BloomFilter.create({ numHashes, numEntries }, (length) => seeds.subarray(0, length))
      expect(Hex.encode(BloomFilter.encode(filter))).toBe(vector.emptyFilter)
      let count = 0
      for (const { key, hash, added } of vector.adds) {
        expect(BloomFilter.hash(Hex.decode(key), salt).toString()).toBe(hash)
        expect(BloomFilter.add(filter, Hex.decode(key), salt)).toBe(added)
        if (added) count++
      }
      expect(count).toBe(vector.count)
      expect(Hex.encode(BloomFilter.encode(filter))).toBe(vector.filter)
      const decoded = BloomFilter.decode(Hex.decode(vector.filter))
      for (const { key, contains } of vector.queries) {
        expect(BloomFilter.contains(decoded, Hex.decode(key), salt)).toBe(contains)
      }
    },
  )
  test.each(readVectors<{ filter: Bytes; ok: boolean }>('bloomParse'))(
    'parses or rejects $name as the reference implementation does',
    ({ filter, ok }) => {
      const bytes = Hex.decode(filter)
      if (ok) expect(BloomFilter.encode(BloomFilter.decode(bytes))).toEqual(bytes)
      else expect(codeOf(() => BloomFilter.decode(bytes))).toBe('P2P_FILTER')
    },
  )
  test.each(
    readVectors<{
      count: number
      falsePositiveProbability: number
      numHashes: number
      numEntries: number
      estimateCount: number | string
    }>('bloomOptimal'),
  )(
    "computes the reference's filter size for $count elements at rate $falsePositiveProbability",
    (vector) => {
      const size = BloomFilter.optimalSize(vector.count, vector.falsePositiveProbability)
      expect(size).toEqual({ numHashes: vector.numHashes, numEntries: vector.numEntries })
      const estimate = BloomFilter.estimateCount(size, vector.falsePositiveProbability)
      // The reference has no infinity and returns the largest integer instead.
      expect(estimate === Number.POSITIVE_INFINITY ? '9223372036854775807' : estimate).toEqual(
        vector.estimateCount,
      )
    },
  )
  test('encodes the empty and the full constant filter as the reference does', () => {
    expect(readVectors<{ filter: Bytes }>('bloomConst').map(({ filter }) => filter)).toEqual([
      Hex.encode(BloomFilter.EMPTY),
      Hex.encode(BloomFilter.FULL),
    ])
  })
})

test('finds nothing in the empty constant filter and everything in the full one', () => {
  const key = new Uint8Array(32)
  expect(BloomFilter.contains(BloomFilter.decode(BloomFilter.EMPTY), key, key)).toBe(false)
  expect(BloomFilter.contains(BloomFilter.decode(BloomFilter.FULL), key, key)).toBe(true)
})
