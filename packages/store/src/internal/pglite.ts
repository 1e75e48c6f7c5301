import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { PGliteDialect } from 'kysely'
import type { Driver } from './Driver.ts'
import * as FolderLock from './FolderLock.ts'
import { guard, guarded, wrap } from './failures.ts'
import { PARSERS } from './parsers.ts'

/** What PGlite starts from: a folder, a dump of one, or nothing. */
export interface Source {
  readonly folder?: string | undefined
  readonly dump?: Blob | undefined
}

/** PGlite in this process. Its one connection serves everybody, a transaction at a time. */
export async function open({ folder, dump }: Source, schema: string): Promise<Driver> {
  const options = { parsers: { ...PARSERS }, ...(dump === undefined ? {} : { loadDataDir: dump }) }
  const release = folder === undefined ? undefined : await FolderLock.take(folder)
  const database = await create(folder, options, schema).catch(async (error: unknown) => {
    await release?.()
    throw wrap(error)
  })
  return {
    dialect: guarded(new PGliteDialect({ pglite: database })),
    isShared: false,
    transaction: (work) =>
      guard(
        database.transaction((transaction) =>
          work({
            async query(text, values = []) {
              return (await transaction.query<Record<string, unknown>>(text, [...values])).rows
            },
            async copy(target, rows) {
              const blob = new Blob([rows as Uint8Array<ArrayBuffer>])
              await transaction.query(`copy ${target} from '/dev/blob' (format binary)`, [], { blob })
            },
          }),
        ),
      ),
    control: (text, values = []) =>
      guard(database.query<Record<string, unknown>>(text, [...values]).then(({ rows }) => rows)),
    listen: () => undefined,
    async close() {
      if (!database.closed) await database.close()
      await release?.()
    },
  }
}

async function create(folder: string | undefined, options: PGliteOptions, schema: string): Promise<PGlite> {
  const database = await (folder === undefined ? PGlite.create(options) : PGlite.create(folder, options))
  await database.exec(`create schema if not exists ${schema}; set search_path to ${schema}`)
  return database
}
