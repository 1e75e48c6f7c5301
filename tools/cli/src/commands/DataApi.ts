import { DataApi, Serving } from '@firn/data-api'
import { Ports, TrustedProxies } from '@firn/http'
import { Database, IndexingOptions, Progress, Sources } from '@firn/indexer'
import { LocalAccess } from '@firn/operate'
import { Command, Common, type Terminal, type Values } from '@firn/options'
import { Diagnostics } from '@firn/tracing'
import { CliError } from '../CliError.ts'
import { programOf } from '../programOf.ts'
import * as Indexing from './Indexing.ts'

const OPTIONS = {
  ...DataApi.OPTIONS,
  ...Common.NETWORK,
  ...Common.FROM,
  ...Common.upstream('Nodes to follow, in order of preference.'),
  ...IndexingOptions.OPTIONS,
}

/** Options of `firn data-api`. */
export type Options = Ports.MaybeBound<Values<typeof OPTIONS>, 'port' | 'metricsPort'>

export const COMMAND = Command.create({
  description:
    'Serves indexed data over REST. The data comes from an archive, from a node that it follows, or from a database that another process fills; with --chain, from the database of EVM chains.',
  example: '--upstream http://127.0.0.1:9650',
  options: OPTIONS,
  isService: true,
  check: (options) => {
    TrustedProxies.create(options)
    const { chain, from, upstream } = options
    if (chain !== undefined && (from !== undefined || upstream.length > 0))
      throw new CliError(
        'CLI_USAGE',
        '--chain serves stored EVM chains; use firn evm or firn up to index as well',
      )
  },
  run: (options, { terminal }) =>
    Diagnostics.during(options, programOf('data-api'), Database.logger(terminal), () =>
      dataApi(options, terminal),
    ),
})

/**
 * Serves the Data API with data from an archive, from a node that it indexes, or from a database that another
 * process fills.
 */
export const dataApi = (options: Options, terminal: Terminal): Promise<void> => {
  const { from, upstream } = options
  if (from === undefined && upstream.length === 0) return DataApi.dataApi(options, terminal)
  return Ports.during(options, DataApi.PORTS, (bound) => run(bound, terminal))
}

/** Indexes an archive or nodes, and serves the data. */
const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const { from, upstream } = options
  const log = Database.logger(terminal)
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, terminal.signal])
  const sources = Sources.create(from, upstream, log)
  const opened = await Database.open(options, from, terminal)
  const usage = await DataApi.sharedUsage(options, log)
  const indexing = Indexing.start(opened, sources, log, signal, IndexingOptions.toIndexer(options))
  try {
    await Indexing.untilStored(indexing, signal)
    const problems = () => Indexing.problems(indexing)
    const indexed = () => Progress.ofNetwork(indexing.indexer())
    const local = LocalAccess.open({ folder: options.dataDir, log })
    const served = { store: opened.store, usage, problems, indexed, log, local }
    const service = await Serving.serve(served, options)
    try {
      await Indexing.untilCaughtUp(indexing, terminal)
      if (terminal.signal.aborted) return
      Serving.print(service, options.networkAlias ?? opened.rules.constants.name, terminal)
      LocalAccess.announce(local, service.url, terminal)
      terminal.print('Press Ctrl-C to stop')
      await Indexing.stay(indexing, terminal.signal)
    } finally {
      await service.close()
    }
  } finally {
    stop.abort()
    await indexing.ended.catch(() => undefined)
    await usage.close()
    await opened.store.close()
  }
}
