import assert from 'node:assert/strict'
import { Hex, Json } from '@firn/codec'
import * as P from 'micro-packed'
import * as NodeJson from '../avax/NodeJson.ts'
import { type Engine, peer, readBy } from '../testing/engines.ts'
import { cases } from '../testing/vectors.ts'
import * as PlatformBlock from './PlatformBlock.ts'
import * as PlatformTx from './PlatformTx.ts'

const avalanchejs = peer('PVM')

const owners = { locktime: P.U64BE, threshold: P.U32BE, addresses: P.array(P.U32BE, P.bytes(20)) }
/** Codec of a signed base transaction made with the library micro-packed, for comparison. */
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
/**
 * avalanchejs verifies proofs of possession while decoding, so a benchmark of transactions with proofs would
 * measure pairings.
 */
const hasNoProof = (bytes: Uint8Array) =>
  !['AddPermissionlessValidatorTx', 'ConvertSubnetToL1Tx', 'AddAutoRenewedValidatorTx'].includes(
    PlatformTx.decode(bytes).unsignedTx.type,
  )
const readByPeer = readBy(avalanchejs, [...recorded, ...vectors].filter(hasNoProof))
const transfer = twoInTwoOut()

export const roundTrips = {
  'a base transaction of two inputs and two outputs': {
    inputs: [transfer],
    engines: { firn: signed, avalanchejs, 'micro-packed': packed },
  },
  [`${readByPeer.length} transactions without BLS keys`]: {
    inputs: readByPeer,
    engines: { firn: signed, avalanchejs },
  },
  [`all ${recorded.length + vectors.length} recorded transactions and test vectors`]: {
    inputs: [...recorded, ...vectors],
    engines: { firn: signed },
  },
}

export const benchmarks = {
  'decode a base transaction of two inputs and two outputs, with its id': {
    firn: () => [PlatformTx.decode(transfer), PlatformTx.id(transfer)],
  },
  [`decode ${recorded.length} recorded transactions to the node's JSON`]: {
    firn: () => {
      for (const bytes of recorded) Json.stringify(PlatformTx.toJSON(PlatformTx.decode(bytes), context))
    },
  },
}

const context = NodeJson.context(1, 'P')

/** Returns a recorded transfer with its first input and its first output twice, and no others. */
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
