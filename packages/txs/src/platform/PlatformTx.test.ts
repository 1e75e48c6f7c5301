import { CodecError, Hex, Id, Json } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as NodeJson from '../avax/NodeJson.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Credentials from '../fx/Credentials.ts'
import { cases } from '../testing/vectors.ts'
import * as PlatformTx from './PlatformTx.ts'
import * as PlatformUtxo from './PlatformUtxo.ts'

/**
 * Returns true for vectors whose text the node's JSON does not preserve, because it prints invalid UTF-8 as U+FFFD.
 */
const isLossy = (name: string) => name.includes('invalid UTF-8') || name.includes('lone surrogate')

describe('PlatformTx, against the reference', () => {
  it.each(cases('platform-txs', 'valid'))("matches the reference's bytes and ids: $name $id", (vector) => {
    const bytes = Hex.decode(vector['bytes'])
    const tx = PlatformTx.decode(bytes)
    expect(tx.unsignedTx.type).toBe(vector['txType'])
    expect(PlatformTx.encode(tx)).toEqual(bytes)
    expect(PlatformTx.codec.size(tx)).toBe(bytes.length)
    expect(Id.format(PlatformTx.id(bytes))).toBe(vector['id'])
    expect(Hex.encode(PlatformTx.unsignedBytes(bytes, tx))).toBe(vector['unsignedBytes'])
    expect(Hex.encode(PlatformTx.encodeUnsigned(tx.unsignedTx))).toBe(vector['unsignedBytes'])
    expect(PlatformTx.inputIds(tx).map(Id.format).sort()).toEqual(vector['inputIDs'])
    const utxos = PlatformTx.utxos(tx, PlatformTx.id(bytes)).map((utxo) => ({
      inputID: Id.format(UtxoId.inputId(utxo)),
      bytes: Hex.encode(PlatformUtxo.encode(utxo)),
    }))
    expect(utxos).toEqual(vector['utxos'])
  })

  it.each(cases('platform-txs', 'valid'))("converts to and from the node's JSON: $name $id", (vector) => {
    const tx = PlatformTx.decode(Hex.decode(vector['bytes']))
    for (const [networkId, json] of Object.entries<string>(vector['json'])) {
      const context = NodeJson.context(Number(networkId), 'P')
      expect(Json.stringify(PlatformTx.toJSON(tx, context))).toBe(json)
      const back = () => PlatformTx.fromJSON(Json.parse(json), context)
      if (isLossy(vector.name)) expect(back).toThrow(expect.objectContaining({ code: 'TXS_ID' }))
      else expect(back()).toEqual(tx)
    }
  })

  it.each(cases('platform-txs', 'valid').filter((vector) => vector['signers'].flat().length > 0))(
    "produces the vector's signatures and recovers the signers: $name $id",
    (vector) => {
      const bytes = Hex.decode(vector['bytes'])
      const tx = PlatformTx.decode(bytes)
      const unsignedBytes = PlatformTx.unsignedBytes(bytes, tx)
      const signers: string[][] = vector['signers']
      const credentials = signers.map((keys) => ({
        type: 'Credential' as const,
        signatures: keys.map((key) => Signature.signMessage(unsignedBytes, Hex.decode(key))),
      }))
      expect(PlatformTx.encode({ ...tx, credentials })).toEqual(bytes)
      expect(Credentials.recoverSigners(unsignedBytes, credentials[0] ?? { signatures: [] })).toEqual(
        signers[0]?.map((key) => PublicKey.address(PrivateKey.publicKey(Hex.decode(key)))),
      )
    },
  )

  it.each(cases('platform-txs-invalid', 'decode'))(
    'accepts or rejects the bytes of $txType like the node: $name',
    (vector) => {
      const bytes = Hex.decode(vector['bytes'])
      if (!vector['ok']) return expect(() => PlatformTx.decode(bytes)).toThrow(CodecError)
      expect(PlatformTx.decode(bytes).unsignedTx.type).toBe(vector['parsedTxType'])
      expect(Id.format(PlatformTx.id(bytes))).toBe(vector['id'])
    },
  )
})

describe('invalid P-chain transactions', () => {
  const [vector] = cases('platform-txs', 'valid').filter(({ name }) => name === 'CreateChainTx: minimal')
  const tx = PlatformTx.decode(Hex.decode(vector?.['bytes']))
  const { unsignedTx } = tx as PlatformTx.PlatformTx & { unsignedTx: { type: 'CreateChainTx' } }

  it('rejects a transaction larger than 256 KiB', () => {
    const large = { ...unsignedTx, genesisData: new Uint8Array(256 * 1024) }
    expect(() => PlatformTx.encode({ ...tx, unsignedTx: large })).toThrow(
      expect.objectContaining({ code: 'CODEC_SIZE' }),
    )
  })

  it('rejects a lock inside a lock when encoding and decoding', () => {
    const transfer = { type: 'TransferOutput', amount: 1n, locktime: 0n, threshold: 0, addresses: [] }
    const lock = (output: unknown) => ({ type: 'LockOut', locktime: 1n, output })
    const withOutput = (output: unknown) => ({
      ...tx,
      unsignedTx: { ...unsignedTx, outputs: [{ assetID: new Uint8Array(32).fill(1), output }] as never },
    })
    expect(() => PlatformTx.encode(withOutput(lock(lock(transfer))))).toThrow(
      expect.objectContaining({ code: 'CODEC_VALUE', path: 'unsignedTx.outputs[0].output.output' }),
    )
    const bytes = PlatformTx.encode(withOutput(lock(transfer)))
    const at = bytes.findIndex((_, i) => Hex.encodeBare(bytes.subarray(i, i + 16)).startsWith('00000016'))
    bytes.set([0, 0, 0, 22], at + 12)
    expect(() => PlatformTx.decode(bytes)).toThrow(expect.objectContaining({ code: 'CODEC_TYPE_ID' }))
  })

  it('rejects a list of 2^32 − 1 outputs without allocating memory', () => {
    const bytes = Hex.decode(vector?.['bytes'])
    bytes.set([0x7f, 0xff, 0xff, 0xff], 42)
    expect(() => PlatformTx.decode(bytes)).toThrow(
      expect.objectContaining({ path: expect.stringMatching(/^unsignedTx\.outputs\[\d+\]/) }),
    )
    bytes.set([0xff, 0xff, 0xff, 0xff], 42)
    expect(() => PlatformTx.decode(bytes)).toThrow(expect.objectContaining({ code: 'CODEC_LENGTH' }))
  })

  it('rejects JSON with the id of another transaction', () => {
    const json = PlatformTx.toJSON(tx) as { readonly [member: string]: Json.Json }
    expect(PlatformTx.fromJSON({ ...json, id: undefined as never })).toEqual(tx)
    expect(() => PlatformTx.fromJSON({ ...json, id: Id.format(Id.EMPTY) })).toThrow(
      expect.objectContaining({ code: 'TXS_ID' }),
    )
  })
})

describe('unusual types of credentials and authorizations that the node accepts', () => {
  const [vector] = cases('platform-txs', 'valid').filter(
    ({ name }) => name === 'AddSubnetValidatorTx: minimal',
  )
  const tx = PlatformTx.decode(Hex.decode(vector?.['bytes']))

  it('decodes and encodes unusual types of credentials, but rejects a type nested in itself', () => {
    const staker = tx.unsignedTx as Extract<
      PlatformTx.PlatformTx['unsignedTx'],
      { type: 'AddSubnetValidatorTx' }
    >
    const odd = { ...tx, credentials: [staker, { type: 'Empty' as const }] }
    expect(PlatformTx.decode(PlatformTx.encode(odd))).toEqual(odd)
    const inside = { ...tx, unsignedTx: { ...staker, subnetAuthorization: staker } }
    expect(() => PlatformTx.encode(inside)).toThrow(expect.objectContaining({ code: 'CODEC_RECURSIVE' }))
  })

  it('prints unusual credentials with cb58 addresses and the zero fx id, as if the chain were not set', () => {
    const owners = {
      type: 'OutputOwners',
      locktime: 0n,
      threshold: 1,
      addresses: [new Uint8Array(20)],
    } as const
    const [output] = 'outputs' in tx.unsignedTx ? tx.unsignedTx.outputs : []
    const odd = { ...tx, credentials: [owners, { ...tx.unsignedTx, outputs: [output] } as never] }
    const context = NodeJson.context(1, 'P')
    const { credentials } = PlatformTx.toJSON(odd, context) as { readonly credentials: readonly Json.Json[] }
    expect(credentials[0]).toEqual({
      addresses: ['111111111111111111116DBWJs'],
      locktime: 0n,
      threshold: 1,
    })
    expect(credentials[1]).toMatchObject({ outputs: [{ fxID: Id.format(Id.EMPTY) }] })
    expect(PlatformTx.fromJSON(PlatformTx.toJSON(odd, context), context)).toEqual(odd)
  })
})
