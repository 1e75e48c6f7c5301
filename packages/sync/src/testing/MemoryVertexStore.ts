import { Bytes, Hex } from '@firn/codec'
import type { StoredVertex, VertexStore } from '../VertexStore.ts'

/** Vertices in memory, which stay when the store is opened again. */
export type VertexDisk = Map<string, StoredVertex>

/**
 * Returns a vertex store on a disk. `pass` is called at the begin of each operation, and a change is made when its
 * promise resolves.
 */
export function open(disk: VertexDisk, pass: () => Promise<void> = async () => undefined): VertexStore {
  return {
    async put(vertices) {
      await pass()
      for (const vertex of vertices) disk.set(Hex.encodeBare(vertex.id), vertex)
    },
    async get(ids) {
      await pass()
      return ids.map((id) => disk.get(Hex.encodeBare(id)))
    },
    async missing(limit) {
      await pass()
      const ids = new Map<string, Uint8Array>()
      for (const { parentIds } of disk.values()) {
        for (const id of parentIds) if (!disk.has(Hex.encodeBare(id))) ids.set(Hex.encodeBare(id), id)
      }
      return [...ids.values()].slice(0, limit)
    },
    async page(after, limit) {
      await pass()
      return [...disk.values()]
        .toSorted(compare)
        .filter((vertex) => after === undefined || compare(vertex, after) > 0)
        .slice(0, limit)
    },
    async count() {
      await pass()
      return disk.size
    },
  }
}

type Position = Pick<StoredVertex, 'height' | 'id'>

function compare(a: Position, b: Position): number {
  return a.height === b.height ? Bytes.compare(a.id, b.id) : Number(a.height - b.height)
}
