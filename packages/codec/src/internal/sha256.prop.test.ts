import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as ofNode from './sha256.node.ts'
import * as portable from './sha256.portable.ts'

it('returns the same result in the Node.js and the portable implementation', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (value) => {
      const digest = portable.sha256(value)
      expect(ofNode.sha256(value)).toEqual(digest)
      const last = new DataView(digest.buffer, digest.byteOffset).getUint32(28)
      expect(portable.checksum(value)).toBe(last)
      expect(ofNode.checksum(value)).toBe(last)
    }),
  )
})
