import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { Blocks, type Network, type Store, Vertices } from '@firn/store'
import type { Source, SourceBlock } from './Source.ts'

/**
 * Creates a source that reads the blocks of a database. The caller closes the store.
 * @param name name of the source, for logs
 * @param chains the chains that the database follows; all by default
 */
export function createStoreSource(
  store: Store,
  name = 'database',
  chains: readonly ChainAlias[] = CHAIN_ALIASES,
): Source {
  return {
    name,
    isFixed: false,
    chains,
    tip: (chain) => Blocks.lastHeight(store, chain),
    blocks: (chain, from, limit) => read(store, name, chain, from, limit),
    async vertices(after, limit) {
      const vertices = await Vertices.from(store, after, limit)
      return vertices.map(({ bytes, acceptedAt }) => {
        return { bytes, origin: name, acceptedAt: acceptedAt ?? undefined }
      })
    },
    refuse: () => undefined,
    close: async () => undefined,
  }
}

/** Returns the chains that a stored network follows. */
export function followedOf({ followsCChain }: Pick<Network, 'followsCChain'>): readonly ChainAlias[] {
  return CHAIN_ALIASES.filter((chain) => chain !== 'C' || followsCChain)
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
