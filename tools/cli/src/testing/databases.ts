import { join } from 'node:path'
import { TestPostgres } from '@firn/sql/testing'

/** Databases on which tests run commands. For tests only. */
export interface Databases {
  /** Returns the flags of an empty database. The data folder is a folder of that name. */
  create(name: string): Promise<readonly string[]>
  close(): Promise<void>
}

/**
 * Starts a PostgreSQL server, on which a command takes less processor time than on a folder. If no PostgreSQL is
 * available, the databases are folders. For tests only.
 */
export async function startDatabases(folder: string): Promise<Databases> {
  const data = (name: string) => ['--data-dir', join(folder, name)]
  if (TestPostgres.missing() !== undefined)
    return { create: async (name) => data(name), close: async () => undefined }
  const server = await TestPostgres.start()
  return {
    create: async (name) => [
      ...data(name),
      '--database-url',
      await TestPostgres.createDatabase(server.url, name),
    ],
    close: server.close,
  }
}
