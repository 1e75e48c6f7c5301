import { CodecError, Hex, Id, Json } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as NodeJson from '../avax/NodeJson.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import { cases } from '../testing/vectors.ts'
import * as PlatformUtxo from './PlatformUtxo.ts'

const ofP = (kind: string) => cases('utxos', kind).filter(({ chain }) => chain === 'P')

describe('PlatformUtxo, against the reference', () => {
  it.each(ofP('valid'))("matches the reference's bytes, ids and JSON: $name $utxoIDString", (vector) => {
    const bytes = Hex.decode(vector['bytes'])
    const utxo = PlatformUtxo.decode(bytes)
    expect(PlatformUtxo.encode(utxo)).toEqual(bytes)
    expect(Id.format(UtxoId.inputId(utxo))).toBe(vector['inputID'])
    expect(UtxoId.format(utxo)).toBe(vector['utxoIDString'])
    const context = NodeJson.context(vector['jsonNetworkID'], 'P')
    expect(Json.stringify(PlatformUtxo.codec.toJSON(utxo, context))).toBe(vector['json'])
    expect(PlatformUtxo.codec.fromJSON(Json.parse(vector['json']), context)).toEqual(utxo)
  })

  it.each(ofP('decode'))('accepts or rejects the bytes like the node: $name', (vector) => {
    const bytes = Hex.decode(vector['bytes'])
    if (!vector['ok']) return expect(() => PlatformUtxo.decode(bytes)).toThrow(CodecError)
    const utxo = PlatformUtxo.decode(bytes)
    if (vector['inputID'] !== undefined) expect(Id.format(UtxoId.inputId(utxo))).toBe(vector['inputID'])
  })
})

describe('UtxoId.parse', () => {
  it.each(cases('utxos', 'parseUTXOID'))('accepts or rejects the string like the node: $text', (vector) => {
    if (!vector['ok']) {
      return expect(() => UtxoId.parse(vector['text'])).toThrow(
        expect.objectContaining({ details: expect.anything() }),
      )
    }
    const { txID: txId, outputIndex } = UtxoId.parse(vector['text'])
    expect([Hex.encode(txId), outputIndex]).toEqual([vector['txID'], vector['outputIndex']])
  })
})
