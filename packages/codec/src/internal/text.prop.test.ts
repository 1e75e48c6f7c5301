import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as ofNode from './text.node.ts'
import * as portable from './text.portable.ts'

it('returns the same result in the Node.js and the portable implementation', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), fc.nat(300), (value, one, other) => {
      // Decoded byte strings are views into a larger buffer, so a view is tested here too.
      const part = value.subarray(Math.min(one, value.length))
      expect(ofNode.hex(part)).toBe(portable.hex(part))
      const end = Math.min(other, part.length)
      const start = Math.min(one, end)
      expect(ofNode.latin1(part, start, end)).toBe(portable.latin1(part, start, end))
    }),
  )
})

const digits = fc.uint8Array({ maxLength: 200, size: 'max' }).map((bytes) => ofNode.hex(bytes))
const other = fc.constantFrom('', 'F', 'g', ' ', '\u00b0', '\u0130')

it('decodes the same bytes in the Node.js and the portable implementation', () => {
  fc.assert(
    fc.property(digits, other, digits, fc.constantFrom(0, 2), (before, other, after, start) => {
      const text = before + other + after
      const decode = ({ unhex }: Pick<typeof portable, 'unhex'>) => {
        const bytes = new Uint8Array(Math.max(Math.floor((text.length - start) / 2), 0))
        return Buffer.from(bytes.subarray(0, unhex(text, start, bytes))).toString('hex')
      }
      expect(decode(ofNode)).toBe(decode(portable))
    }),
  )
})

it('writes the same code units in the Node.js and the portable implementation', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
      (text, start, size) => {
        fc.pre(start <= text.length)
        const write = ({ codeUnits }: Pick<typeof portable, 'codeUnits'>) => {
          const units = new Uint16Array(size)
          return [...units.subarray(0, codeUnits(text, start, units))]
        }
        expect(write(ofNode)).toEqual(write(portable))
      },
    ),
  )
})
