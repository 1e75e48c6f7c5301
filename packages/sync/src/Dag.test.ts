import { Hex, Id } from '@firn/codec'
import { Vertex } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import { linkedVertices, orderedVertices } from './Dag.ts'
import * as MemoryVertexStore from './testing/MemoryVertexStore.ts'
import * as Random from './testing/Random.ts'
import * as SimulatedDag from './testing/SimulatedDag.ts'
import { cases } from './testing/vectors.ts'
import type { StoredVertex } from './VertexStore.ts'

const dag = SimulatedDag.create(Random.create(1), 40)
const other = SimulatedDag.create(Random.create(2), 5)
const answer = SimulatedDag.ancestors(dag, dag.stopVertexId, 100)

describe('linkedVertices', () => {
  it('returns all vertices of an honest answer', () => {
    const { vertices, fault } = linkedVertices(dag.stopVertexId, answer)
    expect([vertices.length, fault]).toEqual([41, undefined])
  })

  it('returns nothing if the first vertex is another one', () => {
    expect(linkedVertices(dag.stopVertexId, answer.slice(1))).toEqual({
      vertices: [],
      fault: 'wrong-container',
    })
  })

  it('returns the vertices before one that is no ancestor', () => {
    const [stranger] = SimulatedDag.ancestors(other, other.stopVertexId, 1)
    const { vertices, fault } = linkedVertices(
      dag.stopVertexId,
      answer.toSpliced(5, 0, stranger as Uint8Array),
    )
    expect([vertices.length, fault]).toEqual([5, 'wrong-container'])
  })

  it('returns a vertex that is there twice once', () => {
    const twice = [...answer.slice(0, 3), answer[2] as Uint8Array]
    expect(linkedVertices(dag.stopVertexId, twice).vertices).toHaveLength(3)
  })

  it('says to upgrade when a vertex has an unknown version', () => {
    const bytes = Uint8Array.of(0, 9, 0)
    expect(() => linkedVertices(Id.hash(bytes), [bytes])).toThrow(
      expect.objectContaining({ code: 'SYNC_UNREADABLE' }),
    )
  })

  it("takes the reference's vertices", () => {
    for (const vector of cases('avm-blocks', 'vertex')) {
      const bytes = Hex.decode(vector['bytes'] as string)
      const { vertices } = linkedVertices(Id.parse(vector['id'] as string), [bytes])
      expect(String(vertices[0]?.height)).toBe(vector['height'])
    }
  })
})

describe('orderedVertices', () => {
  const drain = async (vertices: Iterable<StoredVertex>) => {
    const disk = new Map(Array.from(vertices, (vertex) => [Hex.encodeBare(vertex.id), vertex]))
    const ids: Uint8Array[] = []
    for await (const page of orderedVertices(MemoryVertexStore.open(disk))) {
      ids.push(...page.map(({ id }) => id))
    }
    return ids
  }

  it('yields all vertices, the stop vertex last', async () => {
    const ids = await drain(dag.vertices.values())
    expect(ids).toHaveLength(41)
    expect(ids.at(-1)).toEqual(dag.stopVertexId)
  })

  it('rejects a store without a parent', async () => {
    const [, ...rest] = dag.vertices.values()
    await expect(drain(rest)).rejects.toMatchObject({ code: 'SYNC_STORE' })
  })

  it('rejects a vertex that is not higher than its parents', async () => {
    const [parent] = linkedVertices(dag.stopVertexId, answer).vertices.slice(-1)
    const bytes = Vertex.encode(
      Vertex.build({
        chainID: Id.EMPTY,
        height: (parent as StoredVertex).height,
        parentIDs: [(parent as StoredVertex).id],
        txs: [Uint8Array.of(1)],
      }),
    )
    const child = linkedVertices(Vertex.id(bytes), [bytes]).vertices
    await expect(drain([...dag.vertices.values(), ...child])).rejects.toMatchObject({ code: 'SYNC_HEIGHT' })
  })
})
