import { BoundPort } from '@firn/http'
import { type NetworkDatabase, openNetwork, Progress, Sources } from '@firn/indexer'
import {
  type Configuration,
  checkConfiguration,
  HTTP_FLAGS,
  NodeDatabase,
  type NodeLoggers,
  OPTIONS,
  openLoggers,
  openService,
  type Service,
} from '@firn/node'
import { isNodeError } from '@firn/node-api'
import { LocalAccess } from '@firn/operate'
import { Command, Log, type Terminal } from '@firn/options'
import { systemClock } from '@firn/runtime'
import { schemaOf } from '@firn/store'
import { Diagnostics } from '@firn/tracing'
import { programOf } from '../programOf.ts'
import * as Indexing from './Indexing.ts'

const open = (
  configuration: Configuration,
  loggers: NodeLoggers,
  signal: AbortSignal,
): Promise<NetworkDatabase> => {
  const { from, genesisFile, genesisFileContent, upgradeFile, upgradeFileContent, networkId } = configuration
  return openNetwork(
    {
      from,
      upstreams: configuration.upstream.map((url) => ({ url })),
      log: loggers.get('indexer'),
      genesisFile,
      genesisFileContent,
      upgradeFile,
      upgradeFileContent,
      networkId,
      staking: configuration,
      storedNetworkId: () => NodeDatabase.findNetwork(configuration, loggers.get('main')),
      clock: systemClock,
      random: Math.random,
    },
    (networkId) => NodeDatabase.open(configuration, schemaOf(networkId), loggers.get('main')),
    signal,
  )
}

const startIndexing = async (
  configuration: Configuration,
  loggers: NodeLoggers,
  signal: AbortSignal,
): Promise<Indexing.Indexing> => {
  const log = loggers.get('indexer')
  const given = Sources.create(configuration.from, configuration.upstream, log)
  const opened = await open(configuration, loggers, signal)
  const sources = given.length > 0 ? given : [await Sources.peers(configuration, opened, {}, log)]
  return Indexing.start(opened, sources, log, signal, {
    pollMs: configuration.pollInterval,
  })
}

const EXAMPLES: readonly (readonly [string, string, string])[] = [
  ['bc/P', 'platform.getHeight', '{}'],
  ['bc/P', 'platform.getBlockByHeight', '{"height":1,"encoding":"json"}'],
  ['bc/X', 'avm.getAssetDescription', '{"assetID":"AVAX"}'],
  ['info', 'info.getNetworkName', '{}'],
]

/** Paths below `/ext/` to print if the node serves them. */
const PATHS = [
  'bc/P',
  'bc/X',
  'bc/X/wallet',
  'bc/C/avax',
  'bc/C/rpc',
  'bc/C/ws',
  'info',
  'admin',
  'health',
  'metrics',
  'index/P/block',
  'index/X/block',
  'index/X/tx',
  'index/X/vtx',
  'index/C/block',
]

const printServed = async ({ node, url }: Service, terminal: Terminal): Promise<void> => {
  const { context } = node
  const { P, X, C } = await context.snapshot()
  const { name, networkId } = context.constants
  terminal.print(`node API         ${url}`)
  terminal.print(`network          ${name} (${networkId}), P ${P.height}, X ${X.height}, C ${C.height}`)
  const paths = PATHS.filter((path) => context.routes.find(`/ext/${path}`) !== undefined)
  terminal.print(`paths            ${paths.map((path) => `/ext/${path}`).join(' ')}`)
  const shown = EXAMPLES.filter(([path]) => context.routes.find(`/ext/${path}`) !== undefined)
  for (const [index, [path, method, params]] of shown.entries()) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
    const name = index === 0 ? 'try' : ''
    terminal.print(
      `${name.padEnd(16)} curl -s -H content-type:application/json -d '${body}' ${url}/ext/${path}`,
    )
  }
}

/** Returns a display that prints the node's log lines as notes, so that the output stays readable. */
const displayOf = (terminal: Terminal) =>
  Log.toReadable(
    { write: (line) => terminal.note(line.trimEnd()), isTTY: terminal.isInteractive },
    { NO_COLOR: terminal.isColored === true ? undefined : '1' },
  )

const serve = async (
  configuration: Configuration,
  loggers: NodeLoggers,
  port: BoundPort.BoundPort,
  terminal: Terminal,
  indexing?: Indexing.Indexing,
): Promise<void> => {
  const display = displayOf(terminal)
  const own = indexing && {
    store: indexing.opened.store,
    checks: [Indexing.check(indexing)],
    registries: () => [indexing.indexer().metrics],
    parts: [{ indexing: async () => Progress.ofNetwork(indexing.indexer()) }],
    isBootstrapped: () => indexing.isCaughtUp(),
    issuer: indexing.issuer,
    connections: indexing.connections,
  }
  const local = LocalAccess.open({ folder: configuration.dataDir, log: loggers.get('main') })
  const service = await openService({ configuration, loggers, display, port, local, ...own })
  try {
    if (indexing !== undefined) {
      Indexing.noteProgress(configuration, service.url, terminal)
      await Indexing.untilCaughtUp(indexing, terminal)
    }
    if (terminal.signal.aborted) return
    await printServed(service, terminal)
    LocalAccess.announce(local, service.url, terminal)
    terminal.print('Press Ctrl-C to stop')
    await Indexing.stay(indexing, terminal.signal)
    terminal.note('stopping')
  } finally {
    await service.close()
  }
}

const serveIndexed = async (
  configuration: Configuration,
  loggers: NodeLoggers,
  port: BoundPort.BoundPort,
  terminal: Terminal,
): Promise<void> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, terminal.signal])
  const indexing = await startIndexing(configuration, loggers, signal)
  try {
    await Indexing.untilStored(indexing, signal)
    await serve(configuration, loggers, port, terminal, indexing)
  } finally {
    stop.abort()
    await indexing.ended.catch(() => undefined)
    await indexing.opened.store.close()
  }
  await indexing.ended
}

/**
 * Returns the configuration for interactive use: the terminal shows only problems unless the user requests
 * more, and log files contain everything.
 */
const forPeople = (configuration: Configuration, { isInteractive }: Terminal): Configuration =>
  isInteractive && configuration.logDisplayLevel === undefined
    ? { ...configuration, logDisplayLevel: 'WARN' }
    : configuration

/**
 * Serves the node API from `--from`, `--upstream` or peers, indexed in this process, or from a database that another
 * process fills.
 */
const node = async (given: Configuration, terminal: Terminal): Promise<void> => {
  const configuration = forPeople(given, terminal)
  const { readOnly, httpHost: host, httpPort } = configuration
  const isReader = readOnly || !Sources.hasSource(configuration)
  const loggers = openLoggers(configuration, displayOf(terminal))
  try {
    await BoundPort.use(httpPort, { host, ...HTTP_FLAGS }, (port) =>
      Diagnostics.during(configuration, programOf('node'), loggers.get('main'), () =>
        (isReader ? serve : serveIndexed)(configuration, loggers, port, terminal),
      ),
    )
  } catch (error) {
    // Like the real node, the command exits with status 0 if an index would become incomplete.
    if (!isNodeError(error) || error.code !== 'NODE_INDEX') throw error
    terminal.note(error.message)
  } finally {
    loggers.close()
  }
}

export const COMMAND = Command.create({
  description:
    'Serves the API of an Avalanche node. The data comes from an archive, from a node that it follows, from the peers of its network, or from a database that another process fills. Options have the names that avalanchego uses.',
  example: '--network fuji',
  options: OPTIONS,
  isService: true,
  otherPrefix: 'AVAGO_',
  check: (configuration) => {
    checkConfiguration(configuration)
    // A node that joins the network connects to these peers, wherever its blocks come from.
    if (!configuration.networkPeersEnabled) Sources.assertOne(configuration)
  },
  run: (configuration, { terminal }) => node(configuration, terminal),
})
