import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type PGlite as Database, PGliteDialect } from 'kysely'
import { byteas, isByteas } from '../arrays.ts'
import type { Driver } from '../Driver.ts'
import { megabytesFor } from './buffers.ts'
import { guard, guarded, wrap } from './failures.ts'
import * as FolderLock from './folder/FolderLock.ts'
import { createOffer } from './folder/Offer.ts'
import { createRemoteDatabase } from './folder/RemoteDatabase.ts'
import { PARSERS } from './parsers.ts'
import { published } from './published.ts'
import { createTurns } from './turns.ts'

/** The database to use: a folder, a PGlite database that the caller started, or a new one in memory. */
export interface Source {
  readonly folder?: string | undefined
  readonly pglite?: Database | undefined
  /** Whether the folder may be used through the process that has it open. */
  readonly attach?: boolean | undefined
  /** Length of the write-ahead log, in bytes, after which a checkpoint is made; 128 MiB by default. */
  readonly maxWalBytes?: number | undefined
}

const MAX_WAL_BYTES = 128 << 20

/**
 * Opens a PGlite database: through the process that has the folder open if there is one and `attach` is set,
 * otherwise in this process. The database's only connection serves all callers, including other processes that attach
 * to the folder, one transaction at a time.
 */
export async function open(
  { folder, pglite, attach = false, maxWalBytes = MAX_WAL_BYTES }: Source,
  schema: string,
): Promise<Driver> {
  if (folder === undefined) {
    const database = pglite ?? (await start(folder).catch(rethrow))
    await guard(select(database, schema))
    return driverOf(database, { maxWalBytes })
  }
  const owner = attach ? await FolderLock.attach(folder, schema) : undefined
  if (owner !== undefined) return driverOf(createRemoteDatabase(owner), { isShared: true })
  const opened = Promise.withResolvers<PGlite>()
  opened.promise.catch(() => undefined)
  const lock = await FolderLock.take(folder, createOffer(opened.promise))
  try {
    const database = await start(folder)
    await select(database, schema)
    opened.resolve(database)
    return driverOf(database, { lock, maxWalBytes })
  } catch (error) {
    opened.reject(error)
    await lock.release()
    throw wrap(error)
  }
}

interface Settings {
  readonly isShared?: boolean
  readonly lock?: FolderLock.FolderLock
  /** Undefined if another process makes the checkpoints. */
  readonly maxWalBytes?: number
}

/** Returns a parameter for PGlite, which takes twice as long to format an array of bytes. */
function toParameter(value: unknown): unknown {
  return isByteas(value) ? byteas(value) : value
}

function driverOf(database: Database, { isShared = false, lock, maxWalBytes }: Settings): Driver {
  return {
    dialect: guarded(new PGliteDialect({ pglite: database })),
    isShared,
    async transaction(work) {
      const result = await guard(
        database.transaction((transaction) => {
          const inTurn = createTurns()
          return work({
            query: (text, values = []) =>
              inTurn(() =>
                published(
                  text,
                  async () =>
                    (await transaction.query<Record<string, unknown>>(text, values.map(toParameter))).rows,
                  ({ length }) => length,
                ),
              ),
            copy: (target, rows) => {
              const text = `copy ${target} from '/dev/blob' (format binary)`
              const blob = new Blob([rows as Uint8Array<ArrayBuffer>])
              return inTurn(() =>
                published(
                  text,
                  async () => void (await transaction.query(text, [], { blob })),
                  () => 0,
                ),
              )
            },
          })
        }),
      )
      if (maxWalBytes !== undefined) await limitWal(database, maxWalBytes)
      return result
    },
    control: (text, values = []) =>
      guard(database.query<Record<string, unknown>>(text, [...values]).then(({ rows }) => rows)),
    listen: () => undefined,
    async close() {
      // Clients are disconnected first, so that their open transactions are rolled back while the database is still
      // open.
      await lock?.dismiss()
      if (!database.closed) await database.close()
      await lock?.release()
    },
  }
}

/**
 * Makes a checkpoint if the write-ahead log since the last one is longer than `maxBytes`. A server has a process for
 * that, but PGlite has none: its log would grow until the database is closed, and a process that follows a killed one
 * would read all of it.
 */
async function limitWal(database: Database, maxBytes: number): Promise<void> {
  try {
    const { rows } = await database.query<{ readonly is_due: boolean }>(
      `select pg_current_wal_insert_lsn() - redo_lsn > ${maxBytes} as is_due from pg_control_checkpoint()`,
      [],
    )
    if (rows[0]?.is_due === true) await database.query('checkpoint', [])
  } catch {
    // The transaction is committed. If the database is broken, the next one fails.
  }
}

function rethrow(error: unknown): never {
  throw wrap(error)
}

/** Starts PGlite in a folder or in memory. A new database is restored from the dump in the file `template`, if given. */
export async function start(folder?: string, template = templateOf(process.env)): Promise<PGlite> {
  const buffers = `shared_buffers=${await megabytesFor(folder)}MB`
  const isNew = folder === undefined || !existsSync(join(folder, 'PG_VERSION'))
  const all: PGliteOptions = {
    ...(isNew && template !== undefined && { loadDataDir: new Blob([await readFile(template)]) }),
    parsers: { ...PARSERS },
    startParams: [...PGlite.defaultStartParams, '-c', buffers],
  }
  return folder === undefined ? PGlite.create(all) : PGlite.create(folder, all)
}

/**
 * Returns the path of a dump of an empty cluster from which new databases start, or undefined if the
 * environment names none. Tests and README commands create many databases, and PGlite needs five seconds of
 * CPU time to create a cluster.
 */
function templateOf({ FIRN_EMPTY_CLUSTER: file }: NodeJS.ProcessEnv): string | undefined {
  return file === '' ? undefined : file
}

async function select(database: Database, schema: string): Promise<void> {
  await database.query(`create schema if not exists ${schema}`)
  await database.query(`set search_path to ${schema}`)
}
