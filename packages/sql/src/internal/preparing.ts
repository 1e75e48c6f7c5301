import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { isPrepared } from '../prepared.ts'
import { toParameter } from './toParameter.ts'

/** SQLSTATE of a prepared statement whose columns were changed by a migration. */
const OUTDATED = '0A000'

/**
 * Returns a pool for kysely that runs the statements marked with `prepared` as prepared statements. `connect`
 * returns a connection. `names` has the names of the prepared statements by their texts, for all pools that use the
 * same connections. The server plans a statement again if it was prepared with the tables of another schema.
 */
export function preparing(connect: () => Promise<pg.PoolClient>, names: Map<string, string>): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    options: {},
    end: async () => undefined,
    async connect() {
      const client = await connect()
      const made = clients.get(client) ?? preparingClient(client, names)
      clients.set(client, made)
      return made as never
    },
  }
}

/** The part of a client that kysely uses, without cursors. */
interface PreparingClient {
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>
  release(isLost: boolean): void
}

/**
 * Makes the server plan prepared statements without their values. By itself, it plans a statement again for each
 * execution if it expects a better plan with the values, above all because it does not know the page size. Citus can run
 * some statements only with the values.
 */
const PLAN_ONCE = `select set_config('plan_cache_mode',
  case when exists (select from pg_extension where extname = 'citus') then 'auto' else 'force_generic_plan' end, false)`
const PLAN_EACH = `set plan_cache_mode to auto`

function preparingClient(client: pg.PoolClient, names: Map<string, string>): PreparingClient {
  let plansOnce = false
  return {
    async query(text, values) {
      if (isPrepared(text) !== plansOnce) {
        plansOnce = !plansOnce
        await client.query(plansOnce ? PLAN_ONCE : PLAN_EACH)
      }
      const parameters = values.map(toParameter)
      if (!isPrepared(text)) return client.query(text, parameters)
      const name = names.get(text) ?? `firn_${names.size}`
      names.set(text, name)
      try {
        return await client.query({ name, text, values: parameters })
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== OUTDATED) throw error
        return client.query(text, parameters)
      }
    },
    release: (isLost) => client.release(isLost),
  }
}
