import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { PGlite as Database } from 'kysely'
import { start } from '../internal/pglite.ts'
import { Store } from '../Store.ts'

let template: Promise<Blob> | undefined

/** Opens a store without tables in an empty PGlite database in memory. For tests only. */
export async function openPGlite(now?: () => number): Promise<Store> {
  return Store.open({ pglite: await borrowPGlite(), now })
}

const idle: PGlite[] = []

/**
 * Returns an empty PGlite database in memory. Closing it returns it to a pool, which empties and reuses it,
 * because starting one takes a second of CPU time and its first statements are slow. For tests only.
 */
export async function borrowPGlite(): Promise<Database> {
  const database = idle.pop() ?? (await start(undefined, { loadDataDir: await emptyCluster() }))
  let closed = false
  const unlessClosed = <T>(work: () => Promise<T>) =>
    closed ? Promise.reject(new Error('the PGlite database of this test is closed')) : work()
  return {
    ready: true,
    waitReady: Promise.resolve(),
    get closed() {
      return closed
    },
    query: (text, values, options) => unlessClosed(() => database.query(text, values, options)),
    transaction: (work) => unlessClosed(() => database.transaction(work)),
    async close() {
      closed = true
      await empty(database).then(
        () => idle.push(database),
        () => database.close(),
      )
    },
  }
}

/** Drops everything that tests created and resets the session. */
async function empty(database: PGlite): Promise<void> {
  await database.exec(`do $$ declare name text; begin
    for name in select nspname from pg_namespace where nspname not like 'pg_%' and nspname <> 'information_schema' loop
      execute format('drop schema %I cascade', name);
    end loop; end $$; create schema public`)
  await database.query('discard all')
}

/** Returns a dump of an empty database cluster. For tests only. */
export function emptyCluster(): Promise<Blob> {
  template ??= load()
  return template
}

const MANIFEST = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)

async function load(): Promise<Blob> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8'))
  const file = join(tmpdir(), `firn-pglite-${process.getuid?.() ?? 0}`, `${version}.tar`)
  const known = await readFile(file).catch(() => undefined)
  if (known !== undefined) return new Blob([known as Uint8Array<ArrayBuffer>])
  const database = await PGlite.create()
  const dump = await database.dumpDataDir('none')
  await database.close()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Other processes may write the same file. The last process replaces it atomically.
  const own = `${file}.${process.pid}`
  await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
  await rename(own, file)
  return dump
}
