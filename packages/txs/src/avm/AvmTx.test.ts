import { CheckedHex, Hex, Id, isFirnError, Json } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as NodeJson from '../avax/NodeJson.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Credentials from '../fx/Credentials.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Container from '../proposervm/Container.ts'
import { cases } from '../testing/vectors.ts'
import * as AvmBlock from './AvmBlock.ts'
import * as AvmFees from './AvmFees.ts'
import * as AvmFx from './AvmFx.ts'
import * as AvmSyntax from './AvmSyntax.ts'
import * as AvmTx from './AvmTx.ts'
import * as AvmUtxo from './AvmUtxo.ts'

const [note] = cases('avm-txs', 'note')
const context = { blockchainId: Id.parse(note?.['xChainID']), avaxAssetId: Id.parse(note?.['avaxAssetID']) }
const FX_NAMES = ['secp256k1fx', 'nftfx', 'propertyfx']

describe.each(cases('avm-txs', 'valid'))('$name', (vector) => {
  const bytes = Hex.decode(vector.bytes)
  const tx = AvmTx.decode(bytes)

  it("encodes to the vector's bytes and ids", () => {
    expect(tx.unsignedTx.type).toBe(vector['txType'])
    expect(Hex.encode(AvmTx.encode(tx))).toBe(vector.bytes)
    expect(Hex.encode(AvmTx.unsignedBytes(bytes, tx))).toBe(vector['unsignedBytes'])
    expect(Hex.encode(AvmTx.encodeUnsigned(tx.unsignedTx))).toBe(vector['unsignedBytes'])
    expect(Id.format(AvmTx.id(bytes))).toBe(vector['id'])
  })

  it.each(Object.entries(vector['json'] as Record<string, string>))(
    "converts to and from the vector's JSON on network %s",
    (networkId, json) => {
      const on = NodeJson.context(Number(networkId), 'X')
      expect(Json.stringify(AvmTx.toJSON(tx, on))).toBe(json)
      expect(AvmTx.fromJSON(Json.parse(json), on)).toEqual(tx)
    },
  )

  it('spends and creates the UTXOs of the vector', () => {
    expect(AvmTx.inputIds(tx).map(Id.format).sort()).toEqual([...vector['inputIDs']].sort())
    const made = AvmUtxo.of(tx, AvmTx.id(bytes)).map((utxo) => ({
      inputID: Id.format(UtxoId.inputId(utxo)),
      bytes: Hex.encode(AvmUtxo.encode(utxo)),
    }))
    expect(made).toEqual(vector['utxos'])
  })

  it("passes the syntactic check and returns the vector's credential types and signers", () => {
    AvmSyntax.assertValid(tx, { ...context, networkId: vector['networkID'] })
    expect(vector['syntacticVerifyError']).toBe(null)
    const fxs = tx.credentials.map((credential) => FX_NAMES[AvmFx.IDS.indexOf(AvmFx.idOf(credential))])
    expect(fxs).toEqual(vector['credentialFx'])
    const signers = tx.credentials.map((credential) =>
      Credentials.recoverSigners(AvmTx.unsignedBytes(bytes, tx), credential as Secp256k1.Credential),
    )
    const expected = (vector['signers'] as string[][]).map((keys) =>
      keys.map((key) => PublicKey.address(PrivateKey.publicKey(Hex.decode(key)))),
    )
    expect(signers).toEqual(expected)
  })
})

it.each(cases('avm-txs-invalid', 'decode'))('accepts or rejects the bytes like the node: $name', (vector) => {
  const tx = attempt(() => AvmTx.decode(Hex.decode(vector.bytes)))
  expect(tx !== undefined).toBe(vector['ok'])
  if (tx === undefined) return
  expect(Id.format(AvmTx.id(AvmTx.encode(tx)))).toBe(vector['id'])
  expect(tx.unsignedTx.type).toBe(vector['parsedTxType'])
})

it.each(cases('avm-txs-invalid', 'syntactic'))(
  'passes or fails the syntactic check like the node: $name',
  (vector) => {
    const tx = AvmTx.decode(Hex.decode(vector.bytes))
    const check = () => AvmSyntax.assertValid(tx, { ...context, networkId: vector['networkID'] })
    expect(attempt(() => check() ?? true) !== undefined).toBe(vector['ok'])
  },
)

it('rejects two operations that spend the same UTXO', () => {
  const vector = cases('avm-txs', 'valid').find(({ name }) => name === 'OperationTx all operations: simple')
  const tx = AvmTx.decode(Hex.decode(vector?.bytes))
  if (tx.unsignedTx.type !== 'OperationTx') throw new TypeError('expected an OperationTx')
  const [first] = tx.unsignedTx.operations
  const operations = tx.unsignedTx.operations.map((item) => ({ ...item, inputIDs: first?.inputIDs ?? [] }))
  const twice = { ...tx, unsignedTx: { ...tx.unsignedTx, operations } }
  expect(() => AvmSyntax.assertValid(twice, { ...context, networkId: 1 })).toThrow(
    expect.objectContaining({ code: 'TXS_DOUBLE_SPEND' }),
  )
})

describe('blocks', () => {
  it.each(cases('avm-blocks', 'block'))(
    "matches the vector's encoding, id, parent and JSON: $name $height",
    (vector) => {
      const bytes = Hex.decode(vector.bytes)
      const block = AvmBlock.decode(bytes)
      const on = NodeJson.context(vector['jsonNetworkID'], 'X')
      expect(Hex.encode(AvmBlock.encode(block))).toBe(vector.bytes)
      expect(Id.format(AvmBlock.id(bytes))).toBe(vector['id'])
      expect(Id.format(block.parentID)).toBe(vector['parent'])
      expect(block.height.toString()).toBe(vector['height'])
      expect(block.time.toString()).toBe(vector['time'])
      expect(block.txs.map((tx) => Id.format(AvmTx.id(AvmTx.encode(tx))))).toEqual(vector['txIDs'])
      expect(Json.stringify(AvmBlock.toJSON(block, on))).toBe(vector['json'])
      expect(AvmBlock.fromJSON(Json.parse(vector['json']), on)).toEqual(block)
    },
  )

  it.each(cases('avm-blocks', 'blockDecode'))(
    'accepts or rejects the bytes like the node: $name',
    (vector) => {
      const block = attempt(() => AvmBlock.decode(Hex.decode(vector.bytes)))
      expect(block !== undefined).toBe(vector['ok'])
      if (block !== undefined) expect(Id.format(AvmBlock.id(AvmBlock.encode(block)))).toBe(vector['id'])
    },
  )

  it.each(cases('recorded-x-c', 'xBlock'))(
    "matches the node's bytes, id and JSON of a recorded block: $name",
    (recorded) => {
      const bytes = CheckedHex.decode(recorded.bytes)
      const block = AvmBlock.decode(bytes)
      const on = NodeJson.context(12345, 'X')
      expect(AvmBlock.encode(block)).toEqual(bytes)
      expect(Id.format(AvmBlock.id(bytes))).toBe(recorded['id'])
      expect(Json.stringify(AvmBlock.toJSON(block, on))).toBe(recorded['json'])
      expect(AvmBlock.fromJSON(Json.parse(recorded['json']), on)).toEqual(block)
      if (recorded['containerBytes'] === null) return
      const opened = Container.open(CheckedHex.decode(recorded['containerBytes']))
      expect(Id.format(opened.id)).toBe(recorded['containerID'])
      expect(opened.block).toEqual(bytes)
    },
  )
})

describe('ambiguous JSON', () => {
  const vector = cases('avm-txs', 'valid').find((item) => item.name === 'BaseTx: simple')
  const tx = AvmTx.decode(Hex.decode(vector?.bytes))
  const on = NodeJson.context(1, 'X')
  const json = AvmTx.toJSON(tx, on) as { readonly credentials: readonly Json.Json[] }

  it.each([
    ['another id', { ...json, id: Id.format(Id.EMPTY) }, 'TXS_ID'],
    [
      'an unknown fx',
      { ...json, credentials: [{ fxID: Id.format(tx.unsignedTx.blockchainID), credential: {} }] },
      'CODEC_VALUE',
    ],
    ['no credential', { ...json, credentials: [null] }, 'CODEC_VALUE'],
    ['no transaction', { ...json, unsignedTx: { networkID: 1 } }, 'CODEC_VALUE'],
  ])('rejects JSON with %s', (_what, changed, code) => {
    expect(() => AvmTx.fromJSON(changed as Json.Json, on)).toThrow(expect.objectContaining({ code }))
  })

  it('reads JSON without an id', () => {
    const { id: _, ...rest } = json as unknown as Record<string, Json.Json>
    expect(AvmTx.fromJSON(rest, on)).toEqual(tx)
  })
})

it('charges a higher fee for a new asset on Mainnet, and the same fee for every transaction type on local networks', () => {
  expect(AvmFees.required({ type: 'CreateAssetTx' })).toBe(10_000_000n)
  expect(AvmFees.required({ type: 'CreateAssetTx' }, AvmFees.LOCAL)).toBe(1_000_000n)
  expect(AvmFees.required({ type: 'OperationTx' })).toBe(1_000_000n)
})

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
