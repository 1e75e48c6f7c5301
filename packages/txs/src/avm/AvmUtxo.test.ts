import { CheckedHex, type Codec, Hex, Id, isFirnError, Json } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as AtomicUtxo from '../atomic/AtomicUtxo.ts'
import * as NodeJson from '../avax/NodeJson.ts'
import type * as Utxo from '../avax/Utxo.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import { cases } from '../testing/vectors.ts'
import * as AvmUtxo from './AvmUtxo.ts'

type AnyUtxo = Utxo.Utxo<{ readonly type: string }>

describe.each([
  ['X', AvmUtxo.codec as Codec.Codec<unknown> as Codec.Codec<AnyUtxo>, AvmUtxo.assertValid],
  ['C', AtomicUtxo.codec as Codec.Codec<unknown> as Codec.Codec<AnyUtxo>, AtomicUtxo.assertValid],
])('UTXOs of the %s-chain', (chain, codec, assertValid) => {
  const ofChain = (kind: string) => cases('utxos', kind).filter((vector) => vector['chain'] === chain)

  it.each(ofChain('valid'))("matches the vector's bytes, ids and JSON: $name", (vector) => {
    const bytes = Hex.decode(vector.bytes)
    const utxo = codec.decode(bytes)
    expect(Hex.encode(codec.encode(utxo))).toBe(vector.bytes)
    expect(CheckedHex.encode(bytes)).toBe(vector['hexChecksum'])
    expect(Id.format(UtxoId.inputId(utxo))).toBe(vector['inputID'])
    const fxIndex = vector.name.includes('property') ? 2 : 0
    const context = { ...NodeJson.context(vector['jsonNetworkID'], chain), fxIndex }
    expect(Json.stringify(codec.toJSON(utxo, context))).toBe(vector['json'])
    assertValid(utxo as never)
    // JSON does not distinguish an owned property from the right to mint one.
    const type = utxo.output.type.replace('Owned', 'Mint')
    expect(codec.fromJSON(Json.parse(vector['json']), context)).toEqual({
      ...utxo,
      output: { ...utxo.output, type },
    })
  })

  it.each(ofChain('decode'))('accepts or rejects the bytes like the node: $name', (vector) => {
    const utxo = attempt(() => codec.decode(Hex.decode(vector.bytes)))
    expect(utxo !== undefined).toBe(vector['ok'])
    if (utxo === undefined || vector['inputID'] === undefined) return
    expect(Id.format(UtxoId.inputId(utxo))).toBe(vector['inputID'])
    const isValid = attempt(() => assertValid(utxo as never) ?? true) !== undefined
    expect(isValid).toBe(vector['verifyError'] === null)
  })
})

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
