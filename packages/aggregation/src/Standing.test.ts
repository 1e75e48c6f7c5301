import { PublicKey } from '@firn/bls'
import { expect, it } from 'vitest'
import * as Standing from './Standing.ts'
import * as Keys from './testing/Keys.ts'

const [first, second] = [0, 1].map((key) => PublicKey.decode(Keys.publicKey(key))) as [
  PublicKey.PublicKey,
  PublicKey.PublicKey,
]

const silent = { outcome: 'timed-out' } as const

it('lowers the standing of one key on one chain until the given time', () => {
  const standing = Standing.create()
  standing.lower(first, 'c', silent, 100)
  expect(standing.misconduct(first, 'c', 99)).toBe(silent)
  expect(standing.misconduct(first, 'c', 100)).toBeUndefined()
  expect(standing.misconduct(first, 'p', 50)).toBeUndefined()
  expect(standing.misconduct(second, 'c', 50)).toBeUndefined()
})

it('restores the standing of a validator that signs again', () => {
  const standing = Standing.create()
  standing.lower(first, 'c', silent, 100)
  standing.restore(first, 'c')
  expect(standing.misconduct(first, 'c', 50)).toBeUndefined()
})

it("returns a validator's latest failure on any chain", () => {
  const standing = Standing.create()
  standing.lower(first, 'c', silent, 200)
  standing.lower(first, 'p', { outcome: 'bad-signature' }, 100)
  expect(standing.latest(first, 50)).toEqual({ outcome: 'bad-signature' })
  expect(standing.latest(first, 150)).toBe(silent)
  expect([standing.latest(first, 200), standing.latest(second, 50)]).toEqual([undefined, undefined])
})

it('remembers only the most recent chains of a validator', () => {
  const standing = Standing.create()
  for (let chain = 0; chain < 17; chain += 1) standing.lower(first, `${chain}`, silent, 100)
  expect([0, 1, 16].map((chain) => standing.misconduct(first, `${chain}`, 50))).toEqual([
    undefined,
    silent,
    silent,
  ])
})
