import assert from 'node:assert/strict'
import { CheckedHex, Hex, Json } from '@firn/codec'
import * as NodeJson from '../avax/NodeJson.ts'
import { type Engine, peer, readBy } from '../testing/engines.ts'
import { cases } from '../testing/vectors.ts'
import * as AvmBlock from './AvmBlock.ts'
import * as AvmTx from './AvmTx.ts'

const avalanchejs = peer('AVM')
const firn = AvmTx as unknown as Engine
const blocks = cases('recorded-x-c', 'xBlock').map(({ bytes }) => CheckedHex.decode(bytes))
const recorded = blocks.flatMap((bytes) => AvmBlock.decode(bytes).txs.map(AvmTx.encode))
const all = [...recorded, ...cases('avm-txs', 'valid').map(({ bytes }) => Hex.decode(bytes))]
const readByPeer = readBy(avalanchejs, all)
const context = NodeJson.context(12345, 'X')
const transfer = twoInTwoOut()

export const roundTrips = {
  'an X-chain base transaction of two inputs and two outputs': {
    inputs: [transfer],
    engines: { firn, avalanchejs },
  },
  [`${readByPeer.length} X-chain transactions that both libraries can read`]: {
    inputs: readByPeer,
    engines: { firn, avalanchejs },
  },
  [`all ${all.length} recorded X-chain transactions and test vectors`]: { inputs: all, engines: { firn } },
  [`${blocks.length} recorded X-chain blocks`]: {
    inputs: blocks,
    engines: { firn: AvmBlock as unknown as Engine },
  },
}

export const benchmarks = {
  'decode an X-chain base transaction of two inputs and two outputs, with its id': {
    firn: () => [AvmTx.decode(transfer), AvmTx.id(transfer)],
  },
  [`decode ${blocks.length} recorded X-chain blocks to the node's JSON`]: {
    firn: () => {
      for (const bytes of blocks) Json.stringify(AvmBlock.toJSON(AvmBlock.decode(bytes), context))
    },
  },
}

/** Returns a recorded transfer, cut to two inputs and two outputs. */
function twoInTwoOut(): Uint8Array {
  const tx = recorded.map(AvmTx.decode).find(({ unsignedTx: { type, inputs, outputs } }) => {
    return type === 'BaseTx' && inputs.length >= 2 && outputs.length >= 2
  })
  assert(tx !== undefined)
  const { inputs, outputs } = tx.unsignedTx
  const unsignedTx = { ...tx.unsignedTx, inputs: inputs.slice(0, 2), outputs: outputs.slice(0, 2) }
  return AvmTx.encode({ unsignedTx, credentials: tx.credentials.slice(0, 2) })
}
