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
  if (networkId !== undefined) return open(configuration, schemaOf(networkId), log)
  const any = await open(configuration, schemaOf(0), log)
  let names: readonly string[]
  try {
    names = await networksIn(any)
  } finally {
    await any.close()
  }
  const [only, ...others] = names
  if (only === undefined)
    throw new NodeError(
      'NODE_DATABASE',
      'expected a database with a network, got one without; fill it with firn index',
    )
  if (others.length > 0)
    throw new NodeError(
      'NODE_DATABASE',
      `expected --network-id, since the database holds ${names.join(', ')}`,
    )
  return open(configuration, only, log)
}

async function networksIn(store: Store): Promise<readonly string[]> {
  const pattern = `${schemaOf(0).slice(0, -1).replaceAll('_', '\\_')}%`
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname like ${pattern} order by 1`.execute(store.db)
  return rows.map(({ name }) => name).filter((name) => /^\w+_[0-9]+$/.test(name))
}
