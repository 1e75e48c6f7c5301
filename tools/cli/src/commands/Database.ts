import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { GenesisFiles, loadNetwork, type NetworkDatabase, openNetwork, readNetworkId } from '@firn/indexer'
import { Common, group, Log, option, type Terminal, Type, type Values } from '@firn/options'
import { type Logger, systemClock } from '@firn/runtime'
import { Store, StoredNetworks, type Options as StoreOptions } from '@firn/store'

/** Options that choose a database and its schema. */
export const OPTIONS = {
  ...Common.DATABASE,
  ...group('Database', {
    schema: option(Type.text, {
      defaultText: 'primary_<network id>',
      help: "Database schema that contains the network's tables.",
    }),
  }),
}

/** Options that choose a database and its network. */
export type Options = Values<typeof OPTIONS> &
  Values<typeof Common.NETWORK> & {
    readonly upstream?: readonly string[]
    /** Whether the command may use the embedded database through the service that has it open. */
    readonly attach?: boolean
    /** For services: time-out of requests in milliseconds, which also limits statements on PostgreSQL. */
    readonly requestTimeout?: number
  }

/** Returns the nodes that `--upstream` lists. */
export const nodes = ({ upstream = [] }: Pick<Options, 'upstream'>) => upstream.map((url) => ({ url }))

type Place = Pick<Options, 'databaseUrl' | 'dataDir' | 'schema' | 'requestTimeout' | 'attach'>

/** Returns the store options for PostgreSQL, or for PGlite in the data folder. */
const storeOptions = (place: Place, log: Logger): StoreOptions => {
  const { databaseUrl, dataDir, schema, requestTimeout, attach } = place
  if (databaseUrl !== undefined) return { url: databaseUrl, statementTimeoutMs: requestTimeout, schema, log }
  return { folder: join(dataDir, 'db'), attach, schema, log }
}

/** Opens the store of a network in PostgreSQL, or in PGlite in the data folder. */
export const openStore = (place: Place, networkId: number, log: Logger): Promise<Store> => {
  const options = storeOptions(place, log)
  if (options.folder !== undefined) mkdirSync(options.folder, { recursive: true })
  return Store.open({ ...options, networkId })
}

/**
 * Opens and migrates the store of the network given by `--network`, or of the only network in the database.
 */
export const openStored = async (options: Options, terminal: Terminal): Promise<Store> => {
  const log = logger(terminal)
  const networkId = options.networkId ?? (await StoredNetworks.only(storeOptions(options, log)))
  const store = await openStore(options, networkId, log)
  try {
    await store.migrate()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

const networkOptions = (options: Options, from: string | undefined) => {
  const { networkId, upstream: _upstream, ...rest } = options
  const [upstreams, clock] = [nodes(options), systemClock]
  return { ...rest, networkId, from, upstreams, clock, random: Math.random }
}

/** Opens and migrates the store of the network given by flags. The caller must close it. */
export const open = (
  options: Options,
  from: string | undefined,
  terminal: Terminal,
): Promise<NetworkDatabase> =>
  openNetwork(
    {
      ...networkOptions(options, from),
      storedNetworkId: () => StoredNetworks.only(storeOptions(options, logger(terminal))),
    },
    (id) => openStore(options, id, logger(terminal)),
    terminal.signal,
  )

/**
 * Returns the network that the options or the nodes identify, without opening a database. Returns undefined
 * if its genesis is neither given nor published.
 */
export const network = async (
  options: Options,
  terminal: Terminal,
): Promise<NetworkDatabase['rules'] | undefined> => {
  const { genesisFile, genesisFileContent } = options
  const asked = networkOptions(options, undefined)
  if (genesisFile !== undefined || genesisFileContent !== undefined)
    return loadNetwork(asked, terminal.signal)
  const networkId = options.networkId ?? (await readNetworkId(asked, terminal.signal))
  return GenesisFiles.isPublished(networkId)
    ? loadNetwork({ ...asked, networkId }, terminal.signal)
    : undefined
}

/** Returns the logger of a command. It writes readable lines at a terminal, and JSON otherwise. */
export const logger = (terminal: Terminal): Logger => Log.create(terminal, Date.now)
