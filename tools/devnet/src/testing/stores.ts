import { Bytes } from '@firn/codec'
import type { Block, BlockStore, StoredVertex, VertexStore } from '@firn/sync'
import { key } from '../State.ts'

/** Creates a store of blocks in memory. */
export function createBlockStore(): BlockStore & { readonly blocks: ReadonlyMap<bigint, Block> } {
  const blocks = new Map<bigint, Block>()
  return {
    blocks,
    async intervals() {
      const found: { from: bigint; to: bigint }[] = []
      for (const height of [...blocks.keys()].sort((a, b) => (a < b ? -1 : 1))) {
        const last = found.at(-1)
        if (last?.to === height - 1n) last.to = height
        else found.push({ from: height, to: height })
      }
      return found
    },
    async put(more) {
      for (const block of more) blocks.set(block.height, block)
    },
    get: async (height) => blocks.get(height),
    getById: async (id) => [...blocks.values()].find((block) => Bytes.equals(block.id, id)),
    async remove({ from, to }) {
      for (let height = from; height <= to; height++) blocks.delete(height)
    },
  }
}

/** Creates a store of vertices in memory. */
export function createVertexStore(): VertexStore {
  const vertices = new Map<string, StoredVertex>()
  const compare = (a: Pick<StoredVertex, 'height' | 'id'>, b: typeof a) =>
    a.height === b.height ? Bytes.compare(a.id, b.id) : Number(a.height - b.height)
  return {
    async put(more) {
      for (const vertex of more) vertices.set(key(vertex.id), vertex)
    },
    get: async (ids) => ids.map((id) => vertices.get(key(id))),
    async missing(limit) {
      const parents = new Map(
        [...vertices.values()].flatMap(({ parentIds }) => parentIds.map((id) => [key(id), id])),
      )
      return [...parents].flatMap(([name, id]) => (vertices.has(name) ? [] : [id])).slice(0, limit)
    },
    async page(after, limit) {
      const ordered = [...vertices.values()].sort(compare)
      return ordered.filter((vertex) => after === undefined || compare(vertex, after) > 0).slice(0, limit)
    },
    count: async () => vertices.size,
  }
}
