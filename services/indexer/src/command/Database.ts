import { type Common, Log, type Terminal, type Values } from '@firn/options'
import { type Logger, systemClock } from '@firn/runtime'
import { Databases, type Store, StoredNetworks } from '@firn/store'
import * as GenesisFiles from '../primary/archive/GenesisFiles.ts'
import { loadNetwork, type NetworkDatabase, openNetwork, readNetworkId } from '../primary/setup/Setup.ts'
import type { StakingOptions } from '../primary/setup/StakingRules.ts'

/** Options that choose a database and its network. */
export type Options = Values<typeof Common.NETWORK_DATABASE> &
  Values<typeof Common.NETWORK> &
  StakingOptions & {
    readonly upstream?: readonly string[]
    /** Whether the command may use the embedded database through the service that has it open. */
    readonly attach?: boolean
    /** For services: time-out of requests in milliseconds, which also limits statements on PostgreSQL. */
    readonly requestTimeout?: number
  }

/** Returns the nodes that `--upstream` lists. */
export const nodes = ({ upstream = [] }: Pick<Options, 'upstream'>) => upstream.map((url) => ({ url }))

/**
 * Opens and migrates the store of the network given by `--network`, or of the only network in the database.
 */
export const openStored = (options: Options, terminal: Terminal): Promise<Store> =>
  Databases.openStored(options, options.networkId, logger(terminal))

const networkOptions = (options: Options, from: string | undefined, terminal: Terminal) => {
  const { networkId, upstream: _upstream, ...rest } = options
  const [upstreams, clock] = [nodes(options), systemClock]
  return {
    ...rest,
    networkId,
    from,
    upstreams,
    clock,
    random: Math.random,
    log: logger(terminal),
    staking: options,
  }
}

/** Opens and migrates the store of the network given by flags. The caller must close it. */
export const open = (
  options: Options,
  from: string | undefined,
  terminal: Terminal,
): Promise<NetworkDatabase> =>
  openNetwork(
    {
      ...networkOptions(options, from, terminal),
      storedNetworkId: () => StoredNetworks.only(Databases.ofNetworks(options, logger(terminal))),
    },
    (id) => Databases.openNetwork(options, id, logger(terminal)),
    terminal.signal,
  )

/**
 * Returns the network that the options or the nodes identify, without opening a database. Returns undefined
 * if its genesis is neither given nor published. `resumed` are the rules of an archive that is resumed.
 */
export const network = async (
  options: Options,
  terminal: Terminal,
  resumed?: NetworkDatabase['rules'],
): Promise<NetworkDatabase['rules'] | undefined> => {
  const { genesisFile, genesisFileContent } = options
  const asked = { ...networkOptions(options, undefined, terminal), resumed }
  if (genesisFile !== undefined || genesisFileContent !== undefined)
    return loadNetwork(asked, terminal.signal)
  const networkId = options.networkId ?? (await readNetworkId(asked, terminal.signal))
  return GenesisFiles.isPublished(networkId)
    ? loadNetwork({ ...asked, networkId }, terminal.signal)
    : undefined
}

/** Returns the logger of a command. It writes readable lines at a terminal, and JSON otherwise. */
export const logger = (terminal: Terminal): Logger => Log.create(terminal, Date.now)
