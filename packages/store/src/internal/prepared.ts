import { type PostgresPool, sql } from 'kysely'
import type pg from 'pg'

const MARK = '/* prepared */'

/**
 * Stands in a statement that each connection prepares: the server parses and plans it once, which costs it more than to run most of
 * ours. The plan is made without the values, so this is for statements whose plan does not depend on them, nor on how many rows a
 * page has.
 */
export const prepared = sql.raw(MARK)

/** Whether a statement says so. */
export function isPrepared(text: string): boolean {
  return text.includes(MARK)
}

/** What a server says of a statement whose columns became others, by a migration, after it was prepared. */
const OUTDATED = '0A000'

/** The pool for kysely, which prepares what is to be prepared. */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const clients = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const made = clients.get(client) ?? preparingClient(client, names)
      clients.set(client, made)
      return made as never
    },
  }
}

/** What kysely uses of a client, cursors left out. */
interface PreparingClient {
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>
  release(isLost: boolean): void
}

function preparingClient(client: pg.PoolClient, names: Map<string, string>): PreparingClient {
  return {
    async query(text, values) {
      if (!isPrepared(text)) return client.query(text, [...values])
      const name = names.get(text) ?? `firn_${names.size}`
      names.set(text, name)
      try {
        return await client.query({ name, text, values: [...values] })
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== OUTDATED) throw error
        return client.query(text, [...values])
      }
    },
    release: (isLost) => client.release(isLost),
  }
}
