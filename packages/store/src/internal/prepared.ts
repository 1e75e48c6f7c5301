import type { PostgresPool } from 'kysely'
import type pg from 'pg'

/** Most texts with a name: on each connection the server keeps the plan of each. */
const MOST = 256
/** What a server says of a statement whose columns became others, by a migration, after it was prepared. */
const OUTDATED = '0A000'

/**
 * Names for texts of statements, under which a server keeps what it has parsed and planned: both cost it more than to run most of
 * ours. A text gets its name when it comes for the second time, as there is no end of those with lists of parameters.
 */
export function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const once = new Set<string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === MOST) return known
    if (once.delete(text)) names.set(text, `firn_${names.size}`)
    else {
      if (once.size === MOST) once.clear()
      once.add(text)
    }
    return names.get(text)
  }
}

/** The pool for kysely, whose statements with parameters are prepared. */
export function preparing(pool: pg.Pool): PostgresPool {
  const nameOf = createNames()
  const clients = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client)
      if (known !== undefined) return known as never
      const made = preparingClient(client, nameOf)
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

function preparingClient(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
): PreparingClient {
  return {
    async query(text, values) {
      const name = values.length === 0 ? undefined : nameOf(text)
      if (name === undefined) return client.query(text, [...values])
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
