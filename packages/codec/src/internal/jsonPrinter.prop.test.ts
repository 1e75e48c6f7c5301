import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as ofNode from './jsonPrinter.node.ts'
import * as portable from './jsonPrinter.portable.ts'

const pieces = fc.array(
  fc.oneof(
    fc.record({ token: fc.string({ unit: 'grapheme-ascii' }) }),
    fc.record({ integer: fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.integer({ min: -20, max: 20 })) }),
    fc.record({ string: fc.string({ unit: 'binary', maxLength: 5_000 }) }),
    fc.record({ string: fc.string({ unit: fc.constantFrom(...'a "\\<>&\x7f\n') }) }),
  ),
)
// The mark shows which strings an implementation does not print as they are.
const quote = (text: string) => `*${JSON.stringify(text)}`

it('prints the same JSON in the Node.js and the portable implementation', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      const [printedByNode, printed] = [ofNode, portable].map(({ JsonPrinter }) => {
        const printers = [new JsonPrinter(), new JsonPrinter()] as const
        for (const printer of printers) {
          for (const piece of pieces) {
            if ('token' in piece) printer.token(piece.token)
            else if ('integer' in piece) printer.integer(piece.integer)
            else printer.string(piece.string, quote)
          }
        }
        return { text: printers[0].text(), bytes: [...printers[1].bytes()] }
      })
      expect(printedByNode).toEqual(printed)
    }),
  )
})
