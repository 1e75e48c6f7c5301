import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 as ofNode } from './sha256.node.ts'
import { sha256 as portable } from './sha256.portable.ts'

it('is the same by the platform and by the portable engine', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (value) => {
      expect(ofNode(value)).toEqual(portable(value))
    }),
  )
})
