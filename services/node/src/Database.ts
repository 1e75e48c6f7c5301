import { mkdirSync } from 'node:fs'
import { Network } from '@firn/codec'
import { NodeError } from '@firn/node-api'
import type { Logger } from '@firn/runtime'
import { type Options, Store, StoredNetworks, schemaOf } from '@firn/store'
import type { Configuration } from './Configuration.ts'

type Place = Pick<Configuration, 'databaseUrl' | 'dbDir'>

const options = ({ databaseUrl, dbDir }: Place, log: Logger): Options =>
  databaseUrl === undefined ? { folder: dbDir, log } : { url: databaseUrl, log }

/** Opens the database of a network: PostgreSQL, or PGlite in the database folder. @throws StoreError */
export function open(place: Place, schema: string, log: Logger): Promise<Store> {
  if (place.databaseUrl === undefined) mkdirSync(place.dbDir, { recursive: true })
  return Store.open({ ...options(place, log), schema })
}

/** Returns the id of the only network in a database. @throws StoreError `STORE_EMPTY`, `STORE_NETWORKS` */
export function findNetwork(place: Place, log: Logger): Promise<number> {
  return StoredNetworks.only(options(place, log))
}

/**
 * Opens a database for reading. If `--network-id` is given, checks that the database contains this network.
 * @throws NodeError `NODE_DATABASE` if the database contains another network; StoreError
 */
export async function openFilled(configuration: Configuration, log: Logger): Promise<Store> {
  const { networkId } = configuration
  if (networkId === undefined) {
    return open(configuration, schemaOf(await findNetwork(configuration, log)), log)
  }
  const stored = await StoredNetworks.list(options(configuration, log))
  if (stored.includes(networkId)) return open(configuration, schemaOf(networkId), log)
  const held = stored.length === 0 ? 'no network' : stored.map(Network.formatName).join(', ')
  throw new NodeError(
    'NODE_DATABASE',
    `The database contains ${held}, not ${Network.formatName(networkId)}. Fill it with firn index, or pass another --network-id.`,
  )
}
