import { Id } from '@firn/codec'
import type { Vertices } from '@firn/store'
import { AvmTx, Vertex as Decoded } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** A vertex of the X-chain. */
export const Vertex = Schema.object('XChainVertex', 'A vertex of the X-chain from before its first block', {
  vertexHash: Field.cb58('Id of the vertex'),
  parentHashes: Schema.list(Field.cb58('Id of a parent'), 'Ids of the parents'),
  vertexHeight: Schema.integer('Height that the vertex declares; other vertices can have the same', 1_024),
  vertexIndex: Schema.integer('Index of the vertex in the order in which the vertices were applied', 4_096),
  vertexTimestamp: Field.seconds(
    'Time at which a node accepted the vertex, or the time of the linearization of the X-chain if it is not known',
  ),
  txCount: Field.count('Number of transactions', 1),
  transactions: Schema.list(Field.cb58('Id of a transaction'), 'Ids of the transactions'),
  vertexSizeBytes: Schema.integer('Size of the vertex, in bytes', 640),
})

/**
 * Returns the time of a vertex in Unix seconds. A node that bootstrapped after the linearization has accepted vertices
 * later, which says nothing about them.
 * @param linearized time of the X-chain's linearization
 */
export function timeOf({ acceptedAt }: Pick<Vertices.Vertex, 'acceptedAt'>, linearized: bigint): bigint {
  const seconds = acceptedAt === null ? linearized : acceptedAt / 1_000_000_000n
  return seconds < linearized ? seconds : linearized
}

/** Returns a vertex in the Data API's format. `linearized` is the time of the X-chain's linearization. */
export function vertex(one: Vertices.Vertex, linearized: bigint): Body {
  const { position, id, height, bytes } = one
  const decoded = Decoded.decode(bytes)
  const transactions = decoded.type === 'Vertex' ? decoded.txs.map((tx) => Id.format(AvmTx.id(tx))) : []
  return {
    vertexHash: Id.format(id),
    parentHashes: decoded.parentIDs.map((parent) => Id.format(parent)),
    vertexHeight: height,
    vertexIndex: position,
    vertexTimestamp: timeOf(one, linearized),
    txCount: transactions.length,
    transactions,
    vertexSizeBytes: bytes.length,
  }
}
