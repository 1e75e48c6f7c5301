import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@firn/runtime'
import { type DatabaseOptions, PostgresServer } from '@firn/sql'
import { EvmStore } from './EvmStore.ts'
import * as StoredChains from './StoredChains.ts'

/** The open stores of EVM chains. */
export type ChainStores = {
  /** The stores, in the order of the chains. */
  readonly stores: readonly EvmStore[]
  close(): Promise<void>
}

/** The largest number of chains whose stores have their own connections to PostgreSQL. */
const OWN_CONNECTIONS = 4
/**
 * The connections that the stores of more chains share. The wait is longer than for own connections, because they may
 * all be in use while many chains are filled.
 */
const SHARED = { connections: 40, connectTimeoutMs: 60_000 }
/** The number of stores that are prepared at the same time. */
const LANES = 4

/**
 * Returns the path of a chain's folder in the data folder.
 *
 * @example
 * ```ts
 * import { ChainStores } from '@firn/evm-store'
 *
 * ChainStores.folderOf('data', 43113n) // 'data/evm-43113'
 * ```
 */
export const folderOf = (dataDir: string, chainId: bigint): string => join(dataDir, `evm-${chainId}`)

/**
 * Returns the ids of the stored chains, ascending.
 *
 * @throws StoreError
 * @example
 * ```ts
 * import { ChainStores } from '@firn/evm-store'
 *
 * await ChainStores.list({ dataDir: 'data' }) // [43113n]
 * ```
 */
export const list = async ({ databaseUrl, dataDir }: DatabaseOptions): Promise<readonly bigint[]> => {
  if (databaseUrl !== undefined) return StoredChains.list(databaseUrl)
  const folders = existsSync(dataDir) ? readdirSync(dataDir) : []
  const ids = folders.flatMap((name) => /^evm-(\d{1,20})$/.exec(name)?.[1] ?? [])
  return ids.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1))
}

/**
 * Opens the store of a chain in PostgreSQL, or in PGlite in its own folder.
 *
 * @throws StoreError
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { ChainStores } from '@firn/evm-store'
 *
 * const store = await ChainStores.openOne({ dataDir: 'data' }, 43113n, silentLogger)
 * ```
 */
export const openOne = (options: DatabaseOptions, chainId: bigint, log: Logger): Promise<EvmStore> => {
  const { databaseUrl: url, dataDir, requestTimeout: statementTimeoutMs, attach } = options
  if (url !== undefined) return EvmStore.open({ chainId, url, statementTimeoutMs, log })
  const folder = folderOf(dataDir, chainId)
  mkdirSync(folder, { recursive: true })
  return EvmStore.open({ chainId, folder, attach, log })
}

/**
 * Opens the stores of chains and prepares each, for example by its migration. In PostgreSQL, the stores of more than
 * four chains share their connections: a server takes a hundred connections by default.
 *
 * @throws StoreError
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { ChainStores } from '@firn/evm-store'
 *
 * const { stores, close } = await ChainStores.open({ dataDir: 'data' }, [43113n], silentLogger, (store) =>
 *   store.migrate(),
 * )
 * ```
 */
export const open = async (
  options: DatabaseOptions,
  chainIds: readonly bigint[],
  log: Logger,
  prepare: (store: EvmStore) => Promise<void>,
): Promise<ChainStores> => {
  const { databaseUrl, requestTimeout: statementTimeoutMs } = options
  const server =
    databaseUrl !== undefined && chainIds.length > OWN_CONNECTIONS
      ? new PostgresServer(databaseUrl, { ...SHARED, statementTimeoutMs, log })
      : undefined
  const stores: EvmStore[] = []
  const close = async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server?.close()
  }
  try {
    for (const chainId of chainIds) {
      stores.push(
        await (server === undefined
          ? openOne(options, chainId, log)
          : EvmStore.open({ chainId, server, log })),
      )
    }
    const waiting = stores.values()
    const lane = async () => {
      for (const store of waiting) await prepare(store)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    return { stores, close }
  } catch (error) {
    await close()
    throw error
  }
}
