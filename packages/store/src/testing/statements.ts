import { CompiledQuery, type KyselyPlugin } from 'kysely'
import type { Store } from '../Store.ts'

/** A store that remembers what it was asked. For tests and benches only. */
export interface Listening {
  readonly store: Store
  /** The statements since the last call. */
  readonly take: () => readonly Statement[]
}

/** A statement as the database got it. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** The same store, whose queries are remembered. For tests and benches only. */
export function listening(store: Store): Listening {
  let heard: Statement[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql, parameters } = store.db.getExecutor().compileQuery(node, queryId)
      heard.push({ text: sql, parameters })
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const db = store.db.withPlugin(plugin)
  const proxy = new Proxy(store, {
    get(target, name) {
      if (name === 'db') return db
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    store: proxy,
    take() {
      const taken = heard
      heard = []
      return taken
    },
  }
}

/** How a database answers a statement, line by line; run, where `isRun`. For tests and benches only. */
export async function explain(
  { db }: Store,
  { text, parameters }: Statement,
  isRun = false,
): Promise<readonly string[]> {
  const how = isRun ? 'explain (analyze, buffers)' : 'explain'
  const { rows } = await db.executeQuery<{ readonly 'QUERY PLAN': string }>(
    CompiledQuery.raw(`${how} ${text}`, [...parameters]),
  )
  return rows.map((row) => row['QUERY PLAN'])
}
