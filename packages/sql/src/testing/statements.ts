import { Hex } from '@firn/codec'
import { CompiledQuery, type Kysely, type KyselyPlugin } from 'kysely'
import type { Driver, Row } from '../Driver.ts'
import { isPrepared } from '../prepared.ts'
import { DATABASE } from '../Queryable.ts'

/** A store of a network or of an EVM chain. */
interface AnyStore {
  // biome-ignore lint/suspicious/noExplicitAny: the stores have different tables
  readonly [DATABASE]: Kysely<any>
  readonly driver: Driver
}

/** A store whose statements are collected. For tests and benches only. */
export interface Listening<S extends AnyStore> {
  readonly store: S
  /** Returns the statements since the last call. */
  readonly take: () => readonly Statement[]
}

/** A statement as the database received it. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Returns the same store, but collects the statements of its queries. For tests and benches only. */
export function listening<S extends AnyStore>(store: S): Listening<S> {
  let heard: Statement[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql, parameters } = store[DATABASE].getExecutor().compileQuery(node, queryId)
      heard.push({ text: sql, parameters })
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    store: withDatabase(store, store[DATABASE].withPlugin(plugin)),
    take() {
      const taken = heard
      heard = []
      return taken
    },
  }
}

/** Returns the same store, but calls `work` after the results of each of its queries have arrived. For tests only. */
export function interrupted<S extends AnyStore>(store: S, work: () => Promise<void>): S {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await work()
      return result
    },
  }
  return withDatabase(store, store[DATABASE].withPlugin(plugin))
}

/** Returns the same store, but with other access to its database. */
function withDatabase<S extends AnyStore>(store: S, db: S[typeof DATABASE]): S {
  return new Proxy(store, {
    get(target, name) {
      if (name === DATABASE) return db
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * Returns the lines of the database's `explain` output for a statement, which is executed if `isRun` is set.
 * For a prepared statement, the plan is made without its values. For tests and benches only.
 */
export async function explain(
  store: AnyStore,
  statement: Statement,
  isRun = false,
): Promise<readonly string[]> {
  const { text, parameters } = statement
  const how = isRun ? 'explain (analyze, buffers)' : 'explain'
  const rows = isPrepared(text)
    ? await explainPrepared(store, statement, how)
    : (await store[DATABASE].executeQuery<Line>(CompiledQuery.raw(`${how} ${text}`, [...parameters]))).rows
  return rows.map((row) => row['QUERY PLAN'])
}

interface Line {
  readonly 'QUERY PLAN': string
}

function explainPrepared({ driver }: AnyStore, { text, parameters }: Statement, how: string) {
  return driver.transaction(async (session) => {
    await session.query('set local plan_cache_mode = force_generic_plan')
    await session.query(`prepare explained as ${text}`)
    const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`
    const rows = await session.query(`${how} execute explained ${values}`)
    await session.query('deallocate explained')
    return rows as readonly (Row & Line)[]
  })
}

/** Formats a value as an SQL literal with its type. */
function literal(value: unknown): string {
  return value === null ? 'null' : `'${textOf(value).replaceAll("'", "''")}'`
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return `\\x${Hex.encodeBare(value)}`
  if (!Array.isArray(value)) return String(value)
  return `{${value.map((item) => JSON.stringify(textOf(item))).join(',')}}`
}
