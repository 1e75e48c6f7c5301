import { mkdirSync } from 'node:fs'
import { Store, schemaOf } from '@firn/store'
import { sql } from 'kysely'
import type { Logger } from './Context.ts'
import type { Configuration } from './configuration/Options.ts'
import { NodeError } from './NodeError.ts'

type Place = Pick<Configuration, 'databaseUrl' | 'dbDir'>

/** Opens the database of a network: PostgreSQL, or PGlite in its folder. @throws StoreError */
export function open({ databaseUrl, dbDir }: Place, schema: string, log: Logger): Promise<Store> {
  if (databaseUrl !== '') return Store.open({ url: databaseUrl, schema, log })
  mkdirSync(dbDir, { recursive: true })
  return Store.open({ folder: dbDir, schema, log })
}

/**
 * Opens a database that holds a network, that of `--network-id` if given, to read from it.
 * @throws NodeError `NODE_DATABASE`: there is none, or not one only; StoreError
 */
export async function openFilled(configuration: Configuration, log: Logger): Promise<Store> {
  const { networkId } = configuration
  const present = await networksIn(configuration, log)
  const wanted = networkId === undefined ? present : present.filter((name) => name === schemaOf(networkId))
  const [only, ...others] = wanted
  if (only === undefined) {
    const which = networkId === undefined ? 'a network' : `network ${networkId}`
    const held = present.length === 0 ? 'none' : present.join(', ')
    throw new NodeError(
      'NODE_DATABASE',
      `expected a database with ${which}, got one that holds ${held}; fill it with firn index`,
    )
  }
  if (others.length > 0)
    throw new NodeError(
      'NODE_DATABASE',
      `expected --network-id, since the database holds ${wanted.join(', ')}`,
    )
  return open(configuration, only, log)
}

/** The schemas in which an indexer has made its tables. */
async function networksIn(place: Place, log: Logger): Promise<readonly string[]> {
  const store = await open(place, 'public', log)
  try {
    const { rows } = await sql<{ name: string }>`
      select nspname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'network' and relkind = 'r' order by 1`.execute(store.db)
    const isNetwork = ({ name }: { readonly name: string }) =>
      name === schemaOf(Number(name.split('_').at(-1)))
    return rows.filter(isNetwork).map(({ name }) => name)
  } finally {
    await store.close()
  }
}
