import { Hex } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as Der from './Der.ts'

const zeros = (length: number) => '00'.repeat(length)
const read = (hex: string, tag: number = Der.Tag.OCTET_STRING) =>
  Der.read(Der.cursor(Hex.decodeBare(hex)), tag)

describe('Der.read', () => {
  it.each([
    ['zero', '0400', 0],
    ['one octet', `047f${zeros(127)}`, 127],
    ['the smallest long form', `048180${zeros(128)}`, 128],
    ['two octets', `04820100${zeros(256)}`, 256],
    ['two octets, followed by other bytes', `0402${zeros(5)}`, 2],
  ])('reads the content of an element whose length has %s', (_name, hex, length) => {
    expect(read(hex)?.length).toBe(length)
  })

  it.each([
    ['no bytes', ''],
    ['no length', '04'],
    ['the indefinite form', '0480'],
    ['a long form below 128', `04817f${zeros(127)}`],
    ['a length of two octets with a leading zero', `04820080${zeros(128)}`],
    ['a length of three octets with a leading zero', `0483000100${zeros(256)}`],
    ['a length of five octets with leading zeros', `04850000000080${zeros(128)}`],
    ['a length of five octets', `04850100000000${zeros(128)}`],
    ['a length of 127 octets', `04ff${'ff'.repeat(127)}${zeros(128)}`],
    ['a truncated length', '048201'],
    ['a truncated length whose remaining octets are valid', '0482ff'],
    ['truncated content', '040200'],
    ['a length near 2^32', '0484ffffffff00'],
    ['another tag', '0500'],
  ])('rejects an element with %s', (_name, hex) => {
    expect(read(hex)).toBeUndefined()
  })

  it.each([0, 127, 128, 255, 256, 65_535, 65_536])(
    'round-trips an element with content of %i bytes',
    (length) => {
      const element = Der.write(Der.Tag.OCTET_STRING, new Uint8Array(length))
      const at = Der.cursor(element)
      expect(Der.read(at, Der.Tag.OCTET_STRING)?.length).toBe(length)
      expect(Der.isAtEnd(at)).toBe(true)
    },
  )
})

describe('Der.readInteger and Der.writeInteger', () => {
  it.each([
    ['020100', '00'],
    ['02017f', '7f'],
    ['02020080', '0080'],
    ['0201ff', 'ff'],
    ['0202ff7f', 'ff7f'],
  ])('parses the INTEGER %s', (hex, content) => {
    expect(Hex.encodeBare(Der.readInteger(Der.cursor(Hex.decodeBare(hex))) ?? new Uint8Array(0))).toBe(
      content,
    )
  })

  it.each(['0200', '0202007f', '0202ff80'])('rejects the malformed INTEGER %s', (hex) => {
    expect(Der.readInteger(Der.cursor(Hex.decodeBare(hex)))).toBeUndefined()
  })

  it.each([
    ['00', '020100'],
    ['0000', '020100'],
    ['007f', '02017f'],
    ['80', '02020080'],
  ])('writes the magnitude %s as an INTEGER in its shortest form', (magnitude, hex) => {
    expect(Hex.encodeBare(Der.writeInteger(Hex.decodeBare(magnitude)))).toBe(hex)
  })
})

describe('Der.readBitString', () => {
  it.each([
    ['0301 00', ''],
    ['0303 00 a5ff', 'a5ff'],
    ['0303 01 a5fe', '52ff'],
    ['0303 04 a5f0', '0a5f'],
    ['0303 07 8180', '0103'],
  ])('parses the BIT STRING %s and removes its unused bits', (hex, bits) => {
    const read = Der.readBitString(Der.cursor(Hex.decodeBare(hex.replaceAll(' ', ''))))
    expect(Hex.encodeBare(read ?? Uint8Array.of(0xee))).toBe(bits)
  })

  it.each(['0300', '030101', '0302 08 00', '0302 01 01', '0302 07 40'])(
    'rejects the malformed BIT STRING %s',
    (hex) => {
      expect(Der.readBitString(Der.cursor(Hex.decodeBare(hex.replaceAll(' ', ''))))).toBeUndefined()
    },
  )
})
