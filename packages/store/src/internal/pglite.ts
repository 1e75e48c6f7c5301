import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type PGlite as Database, PGliteDialect } from 'kysely'
import { megabytesFor } from './buffers.ts'
import type { Driver } from './Driver.ts'
import { guard, guarded, wrap } from './failures.ts'
import * as FolderLock from './folder/FolderLock.ts'
import { createOffer } from './folder/Offer.ts'
import { createRemoteDatabase } from './folder/RemoteDatabase.ts'
import { PARSERS } from './parsers.ts'

/** What PGlite starts from: a folder, a dump of one, or nothing. */
export interface Source {
  readonly folder?: string | undefined
  readonly dump?: Blob | undefined
  /** Whether the folder may be used through the process that has it open. */
  readonly attach?: boolean | undefined
}

/**
 * PGlite in this process. Its one connection serves everybody, a transaction at a time: other processes too, that attach to the
 * folder.
 */
export async function open({ folder, dump, attach = false }: Source, schema: string): Promise<Driver> {
  const options = { parsers: { ...PARSERS }, ...(dump === undefined ? {} : { loadDataDir: dump }) }
  if (folder === undefined) return driverOf(await create(folder, options, schema).catch(rethrow))
  const owner = attach ? await FolderLock.attach(folder, schema) : undefined
  if (owner !== undefined) return driverOf(createRemoteDatabase(owner), { isShared: true })
  const opened = Promise.withResolvers<PGlite>()
  opened.promise.catch(() => undefined)
  const lock = await FolderLock.take(folder, createOffer(opened.promise))
  try {
    const database = await create(folder, options, schema)
    opened.resolve(database)
    return driverOf(database, { lock })
  } catch (error) {
    opened.reject(error)
    await lock.release()
    throw wrap(error)
  }
}

interface Settings {
  readonly isShared?: boolean
  readonly lock?: FolderLock.FolderLock
}

function driverOf(database: Database, { isShared = false, lock }: Settings = {}): Driver {
  return {
    dialect: guarded(new PGliteDialect({ pglite: database })),
    isShared,
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
      // Clients first: what they began is rolled back while the database is there.
      await lock?.dismiss()
      if (!database.closed) await database.close()
      await lock?.release()
    },
  }
}

function rethrow(error: unknown): never {
  throw wrap(error)
}

async function create(folder: string | undefined, given: PGliteOptions, schema: string): Promise<PGlite> {
  const buffers = `shared_buffers=${await megabytesFor(folder)}MB`
  const options = { ...given, startParams: [...PGlite.defaultStartParams, '-c', buffers] }
  const database = await (folder === undefined ? PGlite.create(options) : PGlite.create(folder, options))
  await database.exec(`create schema if not exists ${schema}; set search_path to ${schema}`)
  return database
}
