import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Network } from '@firn/codec'
import { sql } from 'kysely'
import { fetchRows } from './internal/database.ts'
import { type Options, Store, schemaOf } from './Store.ts'
import { StoreError } from './StoreError.ts'

/**
 * Returns the ids of the networks that a database holds, ascending: those with a schema of the name that `schemaOf` gives. With
 * `options.schema` only that schema counts, and its network is the one written in it.
 *
 * @example
 * ```ts
 * import { StoredNetworks } from '@firn/store'
 *
 * await StoredNetworks.list({ folder: 'data/db' }) // [5]
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`, `STORE_IN_USE`
 */
export async function list(options: Options): Promise<readonly number[]> {
  const { url, folder, schema } = options
  // Opening an empty folder would create a cluster in it, which takes seconds.
  if (url === undefined && folder !== undefined && !existsSync(join(folder, 'PG_VERSION'))) return []
  const store = await Store.open({ ...options, schema: schema ?? 'public' })
  try {
    const rows = await fetchRows(
      store,
      sql<{ name: string }>`
      select nspname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'network' and relkind = 'r'`,
    )
    const names = rows.map(({ name }) => name)
    if (schema !== undefined) return names.includes(schema) ? await written(store) : []
    return names.flatMap(idOf).toSorted((a, b) => a - b)
  } finally {
    await store.close()
  }
}

/**
 * Returns the id of the only network that a database holds.
 *
 * @example
 * ```ts
 * import { Store, StoredNetworks } from '@firn/store'
 *
 * const networkId = await StoredNetworks.only({ folder: 'data/db' })
 * const store = await Store.open({ folder: 'data/db', networkId })
 * ```
 * @throws StoreError `STORE_EMPTY` when it holds none, `STORE_NETWORKS` when it holds several, and those of {@link list}
 */
export async function only(options: Options): Promise<number> {
  const [networkId, ...others] = await list(options)
  if (networkId === undefined) {
    const message =
      'The database holds no network yet. Fill it with firn index or firn up, or pass --network.'
    throw new StoreError('STORE_EMPTY', message)
  }
  if (others.length === 0) return networkId
  const names = [networkId, ...others].map(Network.formatName)
  const message = `The database holds ${names.length} networks: ${names.join(', ')}. Pass --network with one of them.`
  throw new StoreError('STORE_NETWORKS', message, { details: { networkIds: [networkId, ...others] } })
}

async function written(store: Store): Promise<readonly number[]> {
  const rows = await fetchRows(store, sql<{ network_id: bigint }>`select network_id from network`)
  return rows.map(({ network_id }) => Number(network_id))
}

function idOf(schema: string): readonly number[] {
  const networkId = Number(schema.split('_').at(-1))
  return schema === schemaOf(networkId) ? [networkId] : []
}
