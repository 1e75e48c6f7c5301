import type { ChainAlias } from '@firn/codec'
import { Blocks, type Store, Vertices } from '@firn/store'
import type { Source, SourceBlock } from './Source.ts'

/**
 * Creates a source that reads the blocks of a database. The caller closes the store.
 * @param name name of the source, for logs
 */
export function createStoreSource(store: Store, name = 'database'): Source {
  return {
    name,
    isFixed: false,
    tip: (chain) => Blocks.lastHeight(store, chain),
    blocks: (chain, from, limit) => read(store, name, chain, from, limit),
    async vertices(after, limit) {
      const vertices = await Vertices.from(store, after?.id, limit)
      return vertices.map(({ bytes }) => ({ bytes, origin: name }))
    },
    refuse: () => undefined,
    close: async () => undefined,
  }
}

async function read(
  store: Store,
  origin: string,
  chain: ChainAlias,
  from: bigint,
  limit: number,
): Promise<SourceBlock[]> {
  const rows = await Blocks.rows(store, chain, from, from + BigInt(limit))
  const gap = rows.findIndex(({ height }, i) => height !== from + BigInt(i))
  return (gap < 0 ? rows : rows.slice(0, gap)).map(
    ({ id, container, container_id: containerId, accepted_at: acceptedAt }) => ({
      kind: containerId === null ? ('block' as const) : ('container' as const),
      bytes: container,
      id: containerId ?? id,
      ...(acceptedAt === null ? {} : { acceptedAt }),
      origin,
    }),
  )
}
