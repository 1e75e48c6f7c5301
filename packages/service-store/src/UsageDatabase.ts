import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@firn/runtime'
import { type DatabaseOptions, migrated } from '@firn/sql'
import { UsageStore } from './usage/UsageStore.ts'

/**
 * Opens the usage tables, which may be missing or outdated. Creates the folder of an embedded database.
 *
 * @throws StoreError
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { UsageDatabase } from '@firn/service-store'
 *
 * const usage = await UsageDatabase.open({ dataDir: 'data' }, silentLogger)
 * await usage.assertCurrent()
 * ```
 */
export async function open(options: DatabaseOptions, log: Logger): Promise<UsageStore> {
  const { databaseUrl, dataDir, requestTimeout, attach } = options
  const folder = join(dataDir, 'usage')
  if (databaseUrl === undefined) mkdirSync(folder, { recursive: true })
  return UsageStore.open(
    databaseUrl === undefined
      ? { folder, attach, log }
      : { url: databaseUrl, statementTimeoutMs: requestTimeout, log },
  )
}

/**
 * Opens and migrates the usage tables.
 *
 * @throws StoreError
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { UsageDatabase } from '@firn/service-store'
 *
 * const usage = await UsageDatabase.openMigrated({ dataDir: 'data' }, silentLogger)
 * ```
 */
export async function openMigrated(options: DatabaseOptions, log: Logger): Promise<UsageStore> {
  return migrated(await open(options, log))
}
