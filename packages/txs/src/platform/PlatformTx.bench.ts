import assert from 'node:assert/strict'
import * as avalanchejs from '@avalabs/avalanchejs'
import { Bytes, Hex, Json } from '@firn/codec'
import * as P from 'micro-packed'
import * as NodeJson from '../avax/NodeJson.ts'
import { cases } from '../testing/vectors.ts'
import * as PlatformBlock from './PlatformBlock.ts'
import * as PlatformTx from './PlatformTx.ts'

/** What is used of avalanchejs, whose own types don't resolve for ES modules. */
interface Avalanchejs {
  readonly avaxSerial: { readonly SignedTx: unknown }
  readonly utils: {
    getManagerForVM(vm: string): {
      unpack(bytes: Uint8Array, type: unknown): { toBytes(codec: unknown): Uint8Array }
      getDefaultCodec(): unknown
    }
  }
}

/** One library's way from bytes to a value and back. */
interface Engine {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

const { avaxSerial, utils } = avalanchejs as unknown as Avalanchejs
const manager = utils.getManagerForVM('PVM')
const peer: Engine = {
  decode: (bytes) => manager.unpack(bytes, avaxSerial.SignedTx),
  encode: (tx: { toBytes(codec: unknown): Uint8Array }) => tx.toBytes(manager.getDefaultCodec()),
}

/** A signed base transaction with micro-packed: the same layout by another engine of combinators. */
const owners = { locktime: P.U64BE, threshold: P.U32BE, addresses: P.array(P.U32BE, P.bytes(20)) }
const packed: Engine = P.struct({
  version: P.magicBytes(new Uint8Array(2)),
  unsignedTx: P.tag(P.U32BE, {
    34: P.struct({
      networkID: P.U32BE,
      blockchainID: P.bytes(32),
      outputs: P.array(
        P.U32BE,
        P.struct({
          assetID: P.bytes(32),
          output: P.tag(P.U32BE, { 7: P.struct({ amount: P.U64BE, ...owners }) }),
        }),
      ),
      inputs: P.array(
        P.U32BE,
        P.struct({
          txID: P.bytes(32),
          outputIndex: P.U32BE,
          assetID: P.bytes(32),
          input: P.tag(P.U32BE, { 5: P.struct({ amount: P.U64BE, indices: P.array(P.U32BE, P.U32BE) }) }),
        }),
      ),
      memo: P.bytes(P.U32BE),
    }),
  }),
  credentials: P.array(
    P.U32BE,
    P.tag(P.U32BE, { 9: P.struct({ signatures: P.array(P.U32BE, P.bytes(65)) }) }),
  ),
})

const signed = PlatformTx as unknown as Engine
const blocks = cases('recorded-p', 'block').map(({ bytes }) => PlatformBlock.decode(Hex.decode(bytes)))
const recorded = blocks.flatMap(PlatformBlock.transactions).map(PlatformTx.encode)
const vectors = cases('platform-txs', 'valid').map(({ bytes }) => Hex.decode(bytes))
/** True when an engine reads a transaction, and writes it again to the byte. */
const isRead =
  ({ decode, encode }: Engine) =>
  (bytes: Uint8Array) => {
    try {
      return Bytes.equals(encode(decode(bytes) as never), bytes)
    } catch {
      return false
    }
  }
/** avalanchejs verifies proofs of possession while it decodes: those would measure pairings. */
const hasNoProof = (bytes: Uint8Array) =>
  !['AddPermissionlessValidatorTx', 'ConvertSubnetToL1Tx', 'AddAutoRenewedValidatorTx'].includes(
    PlatformTx.decode(bytes).unsignedTx.type,
  )
const readByPeer = [...recorded, ...vectors].filter(hasNoProof).filter(isRead(peer))
const transfer = twoInTwoOut()

export const benchmarks = {
  ...compare('a base transaction of two inputs and two outputs', [transfer], {
    firn: signed,
    avalanchejs: peer,
    'micro-packed': packed,
  }),
  'decode a base transaction of two inputs and two outputs, with its id': {
    firn: () => [PlatformTx.decode(transfer), PlatformTx.id(transfer)],
  },
  ...compare(`${readByPeer.length} transactions without BLS keys`, readByPeer, {
    firn: signed,
    avalanchejs: peer,
  }),
  ...compare(
    `all ${recorded.length + vectors.length} recorded transactions and vectors`,
    [...recorded, ...vectors],
    {
      firn: signed,
    },
  ),
  [`decode ${recorded.length} recorded transactions to the node's JSON`]: {
    firn: () => {
      for (const bytes of recorded) Json.stringify(PlatformTx.toJSON(PlatformTx.decode(bytes), context))
    },
  },
}

const context = NodeJson.context(1, 'P')

/** A recorded transfer with each of its inputs and outputs twice. */
function twoInTwoOut(): Uint8Array {
  const tx = recorded.map(PlatformTx.decode).find(({ unsignedTx }) => unsignedTx.type === 'BaseTx')
  assert(tx?.unsignedTx.type === 'BaseTx')
  const [output, input, credential] = [tx.unsignedTx.outputs[0], tx.unsignedTx.inputs[0], tx.credentials[0]]
  assert(output !== undefined && input !== undefined && credential !== undefined)
  const unsignedTx = {
    ...tx.unsignedTx,
    outputs: [output, output],
    inputs: [input, { ...input, outputIndex: 7 }],
  }
  return PlatformTx.encode({ unsignedTx, credentials: [credential, credential] })
}

function compare(
  title: string,
  inputs: readonly Uint8Array[],
  engines: Readonly<Record<string, Engine>>,
): Record<string, Record<string, () => void>> {
  const decode: Record<string, () => void> = {}
  const encode: Record<string, () => void> = {}
  for (const [name, engine] of Object.entries(engines)) {
    const values = inputs.map((bytes) => engine.decode(bytes) as never)
    values.forEach((value, i) => {
      assert.equal(
        Hex.encode(engine.encode(value)),
        Hex.encode(inputs[i] as Uint8Array),
        `${name}, ${title}: ${i}`,
      )
    })
    decode[name] = () => {
      for (const bytes of inputs) engine.decode(bytes)
    }
    encode[name] = () => {
      for (const value of values) engine.encode(value)
    }
  }
  return { [`decode ${title}`]: decode, [`encode ${title}`]: encode }
}
