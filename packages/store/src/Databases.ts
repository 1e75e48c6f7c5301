import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@firn/runtime'
import { type DatabaseOptions, migrated, StoreError } from '@firn/sql'
import { type Network, type Options as NetworkOptions, Store } from './Store.ts'
import * as StoredNetworks from './StoredNetworks.ts'

/** The databases of a service. */
export type Options = DatabaseOptions

/** The databases of a service, and the schema of its network if it is not the default one. */
export type WithSchema = Options & { readonly schema?: string | undefined }

/**
 * Returns the location of the tables of networks.
 *
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { Databases, StoredNetworks } from '@firn/store'
 *
 * await StoredNetworks.list(Databases.ofNetworks({ dataDir: 'data' }, silentLogger)) // [5]
 * ```
 */
export function ofNetworks(options: WithSchema, log: Logger): NetworkOptions {
  const { databaseUrl, dataDir, schema, requestTimeout, attach } = options
  if (databaseUrl !== undefined) return { url: databaseUrl, statementTimeoutMs: requestTimeout, schema, log }
  return { folder: join(dataDir, 'db'), attach, schema, log }
}

/**
 * Opens the tables of a network, which may be missing. Creates the folder of an embedded database.
 *
 * @throws StoreError
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { Databases } from '@firn/store'
 *
 * const store = await Databases.openNetwork({ dataDir: 'data' }, 5, silentLogger)
 * ```
 */
export function openNetwork(options: WithSchema, networkId: number, log: Logger): Promise<Store> {
  const place = ofNetworks(options, log)
  if (place.folder !== undefined) mkdirSync(place.folder, { recursive: true })
  return Store.open({ ...place, networkId })
}

/**
 * Opens and migrates the tables of a network: the given one, or the only one in the database.
 *
 * @throws StoreError, `STORE_EMPTY` and `STORE_NETWORKS` if no network is given
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { Databases } from '@firn/store'
 *
 * const store = await Databases.openStored({ dataDir: 'data' }, undefined, silentLogger)
 * ```
 */
export async function openStored(
  options: WithSchema,
  networkId: number | undefined,
  log: Logger,
): Promise<Store> {
  const id = networkId ?? (await StoredNetworks.only(ofNetworks(options, log)))
  return migrated(await openNetwork(options, id, log))
}

/**
 * Like {@link openStored}, but returns the network, too, which must be stored.
 *
 * @throws StoreError `STORE_EMPTY` if no block of the network is stored, and the errors of {@link openStored}
 * @example
 * ```ts
 * import { silentLogger } from '@firn/runtime'
 * import { Databases } from '@firn/store'
 *
 * const { store, network } = await Databases.openFilled({ dataDir: 'data' }, 5, silentLogger)
 * console.log(network.constants.name)
 * await store.close()
 * ```
 */
export async function openFilled(
  options: WithSchema,
  networkId: number | undefined,
  log: Logger,
): Promise<{ readonly store: Store; readonly network: Network }> {
  const store = await openStored(options, networkId, log)
  try {
    const network = await store.network()
    if (network === undefined)
      throw new StoreError('STORE_EMPTY', 'The database is empty. Fill it with firn index or firn up.')
    return { store, network }
  } catch (error) {
    await store.close()
    throw error
  }
}
