import { Id } from '@firn/codec'
import { VertexOrder, Vertices } from '@firn/ledger'
import { expect, test } from 'vitest'
import { inventedDag } from '../testing/inventedDag.ts'
import { loadDag, type RecordedDag } from '../testing/recordedDags.ts'
import { load, type Recording } from '../testing/recordings.ts'

type Network = Recording & Pick<RecordedDag, 'vertices'>

function decoded({ vertices, genesis }: Network): Vertices.Decoded[] {
  return vertices.map((bytes) => Vertices.decode(bytes, genesis.xChain.blockchainId))
}

function orderOf(network: Network, vertices = decoded(network)): VertexOrder.VertexOrder {
  return VertexOrder.ofNode(vertices, network.constants.upgrades.cortinaXChainStopVertexId)
}

const ids = (entries: readonly { readonly id: Uint8Array }[]) => entries.map(({ id }) => Id.format(id))

test('equals the order of vertices and transactions of a recorded node', () => {
  const dag = loadDag('dag')
  const order = orderOf(dag)
  expect(VertexOrder.fitsOneAnswer(order.vertices)).toBe(true)
  expect(order.vertices).toHaveLength(233)
  expect(ids(order.vertices)).toEqual(ids(dag.order?.vtx ?? []))
  expect(order.txs).toHaveLength(614)
  expect(ids(order.txs)).toEqual(ids(dag.order?.tx ?? []))
})

test('does not depend on the order of the given vertices, and leaves out what the stop vertex does not reach', () => {
  const dag = loadDag('second-dag')
  const all = decoded(dag)
  const other = decoded(inventedDag(load('local'), { transactions: 10, seed: 1 }))
  const order = orderOf(dag, [...other, ...all.toReversed()])
  expect(order).toEqual(orderOf(dag))
  expect(order.vertices).toHaveLength(488)
  expect(order.txs).toHaveLength(1_266)
})

test('exists only for vertices that fit in one answer', () => {
  const vertex = (length: number) => ({ bytes: new Uint8Array(length) })
  const { MAX_VERTICES, MAX_BYTES } = VertexOrder
  expect(VertexOrder.fitsOneAnswer(Array.from({ length: MAX_VERTICES }, () => vertex(100)))).toBe(true)
  expect(VertexOrder.fitsOneAnswer(Array.from({ length: MAX_VERTICES + 1 }, () => vertex(100)))).toBe(false)
  expect(VertexOrder.fitsOneAnswer([vertex(MAX_BYTES - 14), vertex(6)])).toBe(true)
  expect(VertexOrder.fitsOneAnswer([vertex(MAX_BYTES - 14), vertex(7)])).toBe(false)
})
