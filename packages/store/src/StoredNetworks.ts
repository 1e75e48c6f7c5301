import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Network } from '@firn/codec'
import { fetchRows, StoreError } from '@firn/sql'
import { sql } from 'kysely'
import { type Options, Store, schemaOf } from './Store.ts'

/**
 * Returns the ids of the networks in a database, in ascending order. A network is found by its schema name,
 * which `schemaOf` defines. If `options.schema` is given, only that schema is checked, and the network id is
 * read from its tables.
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
  // Opening an empty folder would create a database cluster in it, which takes seconds.
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
 * Returns the id of the only network in a database.
 *
 * @example
 * ```ts
 * import { Store, StoredNetworks } from '@firn/store'
 *
 * const networkId = await StoredNetworks.only({ folder: 'data/db' })
 * const store = await Store.open({ folder: 'data/db', networkId })
 * ```
 * @throws StoreError `STORE_EMPTY` if the database holds no network, `STORE_NETWORKS` if it holds several,
 * and the errors of {@link list}
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
