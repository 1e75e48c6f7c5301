import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as ofNode from './keccak.node.ts'
import * as portable from './keccak.portable.ts'

const areEqual = () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (value) => {
      expect(ofNode.keccak256(value)).toEqual(portable.keccak256(value))
    }),
  )

it('returns the same result in the Node.js and the portable implementation, also while code is compiled', async () => {
  areEqual()
  await setTimeout(100)
  areEqual()
  // Results do not share memory with later ones.
  const [one, other] = [new Uint8Array(1), new Uint8Array(2)]
  const first = ofNode.keccak256(one)
  ofNode.keccak256(other)
  expect(first).toEqual(portable.keccak256(one))
})
