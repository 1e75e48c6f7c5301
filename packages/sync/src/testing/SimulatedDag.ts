import { Hex } from '@firn/codec'
import { Vertex } from '@firn/txs'
import type { StoredVertex } from '../VertexStore.ts'
import { CHAIN_ID } from './SimulatedChain.ts'

/** A DAG that ends with its stop vertex. */
export interface SimulatedDag {
  readonly vertices: ReadonlyMap<string, StoredVertex>
  readonly stopVertexId: Uint8Array
}

const MAX_PARENTS = 4
/** Parents are among the vertices that were made last. */
const WIDTH = 8

/** Returns a DAG of `count` vertices and a stop vertex, which is a descendant of all. */
export function create(random: () => number, count: number): SimulatedDag {
  const vertices: StoredVertex[] = []
  const tips = new Map<string, StoredVertex>()
  const add = (parents: readonly StoredVertex[], isStop: boolean) => {
    const parentIds = parents.map(({ id }) => id)
    const height = parents.reduce((most, parent) => (parent.height >= most ? parent.height + 1n : most), 0n)
    const tx = new Uint8Array(8 + Math.floor(random() * 30)).map(() => Math.floor(random() * 256))
    const bytes = Vertex.encode(
      isStop
        ? Vertex.buildStop({ chainID: CHAIN_ID, height, parentIDs: parentIds })
        : Vertex.build({ chainID: CHAIN_ID, height, parentIDs: parentIds, txs: [tx] }),
    )
    const vertex = { id: Vertex.id(bytes), height, parentIds, bytes }
    vertices.push(vertex)
    for (const { id } of parents) tips.delete(Hex.encodeBare(id))
    tips.set(Hex.encodeBare(vertex.id), vertex)
    return vertex
  }
  for (let i = 0; i < count; i++) {
    const recent = vertices.slice(-WIDTH)
    const amount = i === 0 || random() < 0.01 ? 0 : 1 + Math.floor(random() * MAX_PARENTS)
    const parents = new Set(
      Array.from({ length: amount }, () => recent[Math.floor(random() * recent.length)] as StoredVertex),
    )
    add([...parents], false)
  }
  const { id } = add([...tips.values()], true)
  return {
    vertices: new Map(vertices.map((vertex) => [Hex.encodeBare(vertex.id), vertex])),
    stopVertexId: id,
  }
}

/** Returns a vertex and its ancestors like a node: breadth first, at most `limit`. */
export function ancestors({ vertices }: SimulatedDag, id: Uint8Array, limit: number): readonly Uint8Array[] {
  const first = vertices.get(Hex.encodeBare(id))
  if (first === undefined) return []
  const seen = new Set([first])
  for (const vertex of seen) {
    for (const parentId of vertex.parentIds) {
      if (seen.size < limit) seen.add(vertices.get(Hex.encodeBare(parentId)) as StoredVertex)
    }
  }
  return [...seen].map(({ bytes }) => bytes)
}
