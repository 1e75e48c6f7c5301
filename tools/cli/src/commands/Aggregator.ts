import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  COMMAND as API_COMMAND,
  OPTIONS as API_OPTIONS,
  type Configuration,
  checkConfiguration,
  createAggregatorService,
  type Ledger,
  RELAYER_KEYS,
} from '@firn/aggregator'
import { Network } from '@firn/codec'
import { BoundPort } from '@firn/http'
import {
  createPeerSource,
  Database,
  Index,
  type NetworkDatabase,
  NetworkPeers,
  openNetwork,
} from '@firn/indexer'
import { LocalAccess } from '@firn/operate'
import { Command, Common, group, option, pick, type Terminal, Type, type Values } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { systemClock } from '@firn/runtime'
import { Store } from '@firn/store'
import { CliError } from '../CliError.ts'
import * as Indexing from './Indexing.ts'
import * as OwnLedger from './OwnLedger.ts'

const { genesisFile, genesisFileContent, upgradeFile, upgradeFileContent } = Common.NETWORK
const { bootstrapIds, bootstrapIps } = Common.BOOTSTRAP

/** Options of `--sync`. */
const SYNC = group('Sync', {
  sync: option(Type.flag, {
    default: false,
    help: 'Sync the P-chain from the validators of --network, and take validator sets from it instead of from node APIs.',
  }),
  bootstrapIps: { ...bootstrapIps, help: 'With --sync: peers to connect to first, as address:port.' },
  bootstrapIds: { ...bootstrapIds, help: 'NodeIDs of these peers, in the same order.' },
  genesisFile,
  genesisFileContent,
  upgradeFile,
  upgradeFileContent,
  dataDir: {
    ...Common.DATA_DIR.dataDir,
    help: 'Folder for the token of operators on this machine and, with --sync, for the synced P-chain. With --database-url, the P-chain is stored in that database instead.',
  },
})

const OPTIONS = { ...API_OPTIONS, ...SYNC }

type Options = Configuration & Values<typeof SYNC>

export const COMMAND = Command.create({
  description: `${API_COMMAND.description} With --sync, validator sets come from the P-chain, which it syncs from the network's validators, and no node API is needed.`,
  example: '--network fuji --sync',
  options: OPTIONS,
  isService: true,
  otherPrefix: '',
  otherKeys: RELAYER_KEYS,
  check: (options) => {
    checkConfiguration(options)
    if (options.sync) checkSync(options)
  },
  run: (options, context) =>
    options.sync ? serve(options, context.terminal) : API_COMMAND.run(options, context),
})

const checkSync = (options: Options): void => {
  const { pChainApi, network, genesisFile: file, genesisFileContent: content } = options
  if (pChainApi.length > 0)
    throw new CliError('CLI_USAGE', '--sync: validator sets come from peers, so leave out --p-chain-api')
  if (network === 'auto' && file === undefined && content === undefined)
    throw new CliError(
      'CLI_USAGE',
      '--sync: pass --network mainnet or --network fuji, or the --genesis-file of a custom network',
    )
  if (!NetworkPeers.hasBeacons(idOf(network)) && options.bootstrapIds.length === 0)
    throw new CliError('CLI_USAGE', '--sync: pass --bootstrap-ids and --bootstrap-ips of the network')
  NetworkPeers.parseBeacons(options.bootstrapIds, options.bootstrapIps)
}

const idOf = (network: string): number | undefined =>
  network === 'auto' ? undefined : Network.parseName(network)

/**
 * Opens the database of the P-chain. It has a separate folder or schema, because the ledgers of other commands
 * contain the other chains, too.
 */
const open = (options: Options, terminal: Terminal): Promise<NetworkDatabase> => {
  const { databaseUrl: url, dataDir, network, genesisFile: file, genesisFileContent: content } = options
  const log = Database.logger(terminal)
  const isCustom = file !== undefined || content !== undefined
  return openNetwork(
    {
      ...pick(SYNC, options),
      networkId: isCustom ? undefined : idOf(network),
      clock: systemClock,
      random: Math.random,
    },
    (networkId) => {
      const folder = join(dataDir, 'p-chain')
      if (url === undefined) mkdirSync(folder, { recursive: true })
      const schema = `p_chain_${networkId}`
      return Store.open({ ...(url === undefined ? { folder } : { url }), schema, networkId, log })
    },
    terminal.signal,
  )
}

/** Milliseconds between two looks at the blocks that the source has fetched, which costs no request. */
const LOOK_MS = 100

/** Serves until a signal arrives. The port is bound before the database is opened. */
const serve = ({ host, apiPort, ...rest }: Options, terminal: Terminal): Promise<void> =>
  BoundPort.use(apiPort, { host, flag: '--api-port' }, (port) =>
    sync({ host, apiPort, ...rest }, port, terminal),
  )

const sync = async (options: Options, port: BoundPort.BoundPort, terminal: Terminal): Promise<void> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, terminal.signal])
  const opened = await open(options, terminal)
  const { store, rules } = opened
  const log = Database.logger(terminal)
  const network = await NetworkPeers.load(rules.genesis.networkId, options)
  const source = createPeerSource({ store, ...rules, ...network, chains: ['P'], log })
  const indexing = Indexing.start(opened, [source], log, signal, { pollMs: LOOK_MS })
  try {
    await Indexing.untilStored(indexing, signal)
    const ledger = OwnLedger.create(indexing, network.beacons)
    const configuration: Configuration = options
    const local = LocalAccess.open({ folder: options.dataDir, log })
    const service = await createAggregatorService(configuration, { signal, port, ledger, local })
    try {
      const metrics = service.metricsUrl === undefined ? '' : `, metrics on ${service.metricsUrl}`
      terminal.print(`listens on ${service.url} for network ${service.networkId}${metrics}`)
      LocalAccess.announce(local, service.url, terminal)
      await untilSynced(indexing, ledger, terminal)
      await Indexing.stay(indexing, terminal.signal)
    } finally {
      await service.close()
    }
  } finally {
    stop.abort()
    await indexing.ended.catch(() => undefined)
    await store.close()
  }
}

const POLL_MS = 100

/** Shows the progress until the ledger follows the tip. */
const untilSynced = async (
  indexing: Indexing.Indexing,
  ledger: Ledger,
  terminal: Terminal,
): Promise<void> => {
  // Lines of the service's log would tear a progress bar apart.
  const plain = { ...terminal, isInteractive: false }
  const meter = Meter.start(plain, 'syncing', () => Index.reading(indexing.indexer().status()))
  try {
    while (ledger.status().problem !== undefined && !terminal.signal.aborted)
      await Promise.race([indexing.ended, systemClock.sleep(POLL_MS)])
    meter.stop(Index.line(indexing.indexer().status()))
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  }
}
