import type { Store } from '@firn/store'
import type { Chain, Source, SourceBlock } from './Source.ts'

/**
 * Returns a source that reads a database's blocks like an archive or a node. The owner closes the store.
 * @param name for logs
 */
export function createStoreSource(store: Store, name = 'database'): Source {
  return {
    name,
    isFixed: false,
    tip: (chain) => tipOf(store, chain),
    blocks: (chain, from, limit) => read(store, name, chain, from, limit),
    refuse: () => undefined,
    close: async () => undefined,
  }
}

async function tipOf({ db }: Store, chain: Chain): Promise<bigint | undefined> {
  const row = await db.selectFrom('cursor').select('height').where('chain', '=', chain).executeTakeFirst()
  return row?.height
}

async function read(
  { db }: Store,
  origin: string,
  chain: Chain,
  from: bigint,
  limit: number,
): Promise<SourceBlock[]> {
  const rows = await db
    .selectFrom('block')
    .select(['height', 'id', 'container', 'container_id', 'accepted_at'])
    .where('chain', '=', chain)
    .where('height', '>=', from)
    .where('height', '<', from + BigInt(limit))
    .orderBy('height')
    .execute()
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
