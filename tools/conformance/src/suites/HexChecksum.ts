import { Bytes, CheckedHex, Codec, Hex, Json } from '@firn/codec'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

const ENCODINGS = ['hex', 'hexnc', 'hexc'] as const

/** Checks the node's hexadecimal texts with and without a checksum. */
export const hexChecksum = Suite.create('hexchecksum.json', {
  valid(it) {
    const bytes = Case.bytes(it, 'bytes')
    for (const encoding of ENCODINGS) {
      Case.equals(it, encoding, CheckedHex.encode(bytes, encoding))
      Case.same(`decoded ${encoding}`, bytes, CheckedHex.decode(Case.text(it, encoding), encoding))
    }
    const checked = Hex.decode(CheckedHex.encode(bytes))
    Case.equals(it, 'checksum', checked.subarray(-4))
    Case.same('checksummed bytes', bytes, Bytes.concat(checked.subarray(0, -4)))
    return undefined
  },
  decode(it) {
    const text = Case.text(it, 'text')
    for (const encoding of ENCODINGS) {
      const expected = Case.record(it, encoding)
      const decoded = Case.verdict(expected, () => CheckedHex.decode(text, encoding))
      if (decoded !== undefined) Case.equals(expected, 'bytes', decoded.value)
      // This field contains the reference's error text, which is not compared.
      Case.ignore(expected, 'error')
      Case.close(expected)
    }
    return undefined
  },
  encodingName(it) {
    const parsed = Case.verdict(it, () => {
      const json = Json.parse(Case.text(it, 'json'))
      return json === null ? null : CheckedHex.parseEncoding(Codec.string.fromJSON(json))
    })
    if (parsed === undefined) return undefined
    Case.equals(it, 'unchanged', parsed.value === null)
    if (parsed.value !== null) Case.equals(it, 'string', parsed.value)
    // This field contains the value of a Go constant that is never sent.
    Case.ignore(it, 'value')
    return undefined
  },
})
