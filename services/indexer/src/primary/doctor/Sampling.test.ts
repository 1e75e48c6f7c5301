import { database } from '@firn/sql/testing'
import { recordedStore } from '@firn/store/testing'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../common/seeded.ts'
import * as Sampling from './Sampling.ts'

describe('heights', () => {
  it('returns distinct, ascending heights within the chain, including the newest', () => {
    const found = Sampling.heights(1_000n, 8, seeded(1))
    expect(found).toHaveLength(8)
    expect(found.at(-1)).toBe(1_000n)
    expect(found).toEqual([...new Set(found)].toSorted((a, b) => Number(a - b)))
    expect(found.every((height) => height >= 1n && height <= 1_000n)).toBe(true)
  })

  it('returns every height of a short chain, and no heights for an empty chain', () => {
    expect(Sampling.heights(2n, 9, seeded(1)).length).toBeLessThanOrEqual(2)
    expect(Sampling.heights(0n, 9, seeded(1))).toEqual([])
  })

  it('returns equal heights for equal seeds, and different heights for different seeds', () => {
    const sample = (seed: number) => Sampling.heights(1_000_000n, 5, seeded(seed)).join()
    expect(sample(7)).toBe(sample(7))
    expect(sample(7)).not.toBe(sample(8))
  })
})

describe('some', () => {
  it('chooses the requested number of items and keeps their order', () => {
    const things = Array.from({ length: 50 }, (_, at) => at)
    const found = Sampling.some(things, 10, seeded(3))
    expect(found).toHaveLength(10)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(Sampling.some(things, 99, seeded(3))).toEqual(things)
  })
})

describe('addresses', () => {
  it('returns distinct addresses that have outputs on the chain, and the same addresses for equal seeds', async () => {
    const store = await recordedStore('local')
    const sample = async (seed: number) => {
      const found = await Sampling.addresses(store, 'P', 6, seeded(seed))
      return found.map((address) => Buffer.from(address).toString('hex'))
    }
    const found = await sample(1)
    expect(found.length).toBeGreaterThan(3)
    expect(new Set(found).size).toBe(found.length)
    expect(await sample(1)).toEqual(found)
    const known = await database(store)
      .selectFrom('utxo_address')
      .select('address')
      .where('chain', '=', 'P')
      .execute()
    const all = new Set(known.map(({ address }) => Buffer.from(address).toString('hex')))
    expect(found.every((address) => all.has(address))).toBe(true)
  })
})
