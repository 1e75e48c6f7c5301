import { PublicKey } from '@firn/bls'
import { expect, it } from 'vitest'
import * as Standing from './Standing.ts'
import * as Keys from './testing/Keys.ts'

const [first, second] = [0, 1].map((key) => PublicKey.decode(Keys.publicKey(key))) as [
  PublicKey.PublicKey,
  PublicKey.PublicKey,
]

it('is low for a while, for one key and one chain', () => {
  const standing = Standing.create()
  standing.lower(first, 'c', 100)
  expect(standing.isLow(first, 'c', 99)).toBe(true)
  expect(standing.isLow(first, 'c', 100)).toBe(false)
  expect(standing.isLow(first, 'p', 50)).toBe(false)
  expect(standing.isLow(second, 'c', 50)).toBe(false)
})

it('is restored by a signature', () => {
  const standing = Standing.create()
  standing.lower(first, 'c', 100)
  standing.restore(first, 'c')
  expect(standing.isLow(first, 'c', 50)).toBe(false)
})

it('remembers the latest chains only', () => {
  const standing = Standing.create()
  for (let chain = 0; chain < 17; chain += 1) standing.lower(first, `${chain}`, 100)
  expect([0, 1, 16].map((chain) => standing.isLow(first, `${chain}`, 50))).toEqual([false, true, true])
})
