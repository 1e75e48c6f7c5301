import { Cb58 } from '@firn/codec'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

/** Checks cb58, which is base58 of bytes with a checksum: encoding, decoding and invalid texts. */
export const cb58 = Suite.create('cb58.json', {
  valid(it) {
    Case.equals(it, 'cb58', Cb58.encode(Case.bytes(it, 'bytes')))
    Case.equals(it, 'bytes', Cb58.decode(Case.text(it, 'cb58')))
    return undefined
  },
  decode(it) {
    const decoded = Case.verdict(it, () => Cb58.decode(Case.text(it, 'cb58')))
    if (decoded !== undefined) Case.equals(it, 'bytes', decoded.value)
    return undefined
  },
})
