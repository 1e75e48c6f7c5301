import { describe, expect, it } from 'vitest'
import * as Bytes from './Bytes.ts'
import { CodecError } from './CodecError.ts'
import * as Hex from './Hex.ts'
import * as Id from './Id.ts'
import * as Network from './Network.ts'
import * as NodeId from './NodeId.ts'
import * as ShortId from './ShortId.ts'
import { cases } from './testing/vectors.ts'

describe('Id', () => {
  it.each(cases('ids', 'ID'))('formats and parses the id of the vector: $name, $string', (vector) => {
    const id = Hex.decode(vector.bytes)
    expect(Id.format(id)).toBe(vector.string)
    expect(Id.parse(vector.string)).toEqual(id)
    expect(Hex.encodeBare(id)).toBe(vector.hex)
    if (vector.prefix) {
      const prefixed = Id.prefix(id, ...vector.prefix.prefixes.map(BigInt))
      expect(Id.format(prefixed)).toBe(vector.prefix.result)
      expect(Hex.encode(prefixed)).toBe(`0x${vector.prefix.resultHex.replace(/^0x/, '')}`)
    }
    if (vector.append) expect(Id.format(Id.append(id, ...vector.append.suffixes))).toBe(vector.append.result)
    if (vector.xor) expect(Hex.encode(Id.xor(id, Hex.decode(vector.xor.other)))).toBe(vector.xor.result)
    if (vector.compare)
      expect(Bytes.compare(id, Hex.decode(vector.compare.other))).toBe(vector.compare.result)
    for (const { i, bit } of vector.bits ?? []) expect(Id.bit(id, i)).toBe(bit)
  })

  it.each(cases('ids', 'parseID'))('parses or rejects the id like the node: $name', ({ text, ok, bytes }) => {
    if (ok) expect(Hex.encode(Id.parse(text))).toBe(bytes)
    else expect(() => Id.parse(text)).toThrow(CodecError)
  })

  it.each(cases('ids', 'validationID'))(
    'computes the validation id of the L1 validator at index $index',
    (vector) => {
      expect(Id.format(Id.append(Hex.decode(vector.subnetIDBytes), vector.index))).toBe(vector.validationID)
    },
  )

  it.each(cases('ids', 'inputID'))(
    'computes the input id of the UTXO at output index $outputIndex',
    (vector) => {
      expect(Id.format(Id.prefix(Hex.decode(vector.txIDBytes), BigInt(vector.outputIndex)))).toBe(
        vector.inputID,
      )
    },
  )
})

describe('ShortId and NodeId', () => {
  it.each(cases('ids', 'ShortID'))('formats and parses the id of the vector: $name, $string', (vector) => {
    const id = Hex.decode(vector.bytes)
    expect(ShortId.format(id)).toBe(vector.string)
    expect(ShortId.parse(vector.string)).toEqual(id)
    expect(NodeId.format(id)).toBe(vector.nodeID)
    expect(NodeId.parse(vector.nodeID)).toEqual(id)
  })

  it.each(cases('ids', 'parseNodeID'))(
    'parses or rejects the id like the node: $name',
    ({ text, ok, bytes }) => {
      if (ok) expect(Hex.encode(NodeId.parse(text))).toBe(bytes)
      else expect(() => NodeId.parse(text)).toThrow(CodecError)
    },
  )
})

describe('Network', () => {
  it.each(cases('ids', 'network'))(
    'returns the name and address prefix of network $networkID: $networkName',
    ({ networkID: networkId, networkName, hrp }) => {
      expect(Network.formatName(networkId)).toBe(networkName)
      expect(Network.hrp(networkId)).toBe(hrp)
    },
  )

  it.each(cases('ids', 'networkName'))(
    'parses or rejects the network name like the node: $text',
    ({ text, ok, networkID: networkId }) => {
      if (ok) expect(Network.parseName(text)).toBe(networkId)
      else expect(() => Network.parseName(text)).toThrow(expect.objectContaining({ code: 'CODEC_NETWORK' }))
    },
  )
})
