import { Ports, TrustedProxies } from '@firn/http'
import { LocalAccess } from '@firn/operate'
import { Command, Common, group, Log, option, type Terminal, Type, type Values } from '@firn/options'
import type { Logger } from '@firn/runtime'
import { UsageDatabase } from '@firn/service-store'
import { Databases } from '@firn/store'
import { Diagnostics } from '@firn/tracing'
import * as Serving from './Serving.ts'
import * as ServingOptions from './ServingOptions.ts'
import * as StoredChains from './StoredChains.ts'
import { VERSION } from './Version.ts'

/** Options of a Data API that serves a database which another process fills. */
export const OPTIONS = {
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK_ID,
  ...Common.upstream('Nodes that report the uptime of validators, in order of preference.'),
  ...group('EVM chains', {
    chain: option(StoredChains.TYPE, {
      help: 'Id of a stored EVM chain to serve instead of the Primary Network, without indexing: also from a standby server. Write <id>=<url> to add nodes for native balances. Repeat the option for more chains.',
    }),
  }),
  ...group('HTTP', {
    port: option(Type.port, { default: 8700, help: 'Port of the REST API; 0 picks a free one.' }),
    aggregatorUrl: option(Type.url('http', 'https'), {
      help: 'URL of the signature aggregator to which requests are forwarded.',
    }),
  }),
  ...ServingOptions.OPTIONS,
  ...Common.LOG_LEVEL,
  ...Common.DIAGNOSTICS,
}

/** The values of {@link OPTIONS}. Ports may already be bound. */
export type Options = Ports.MaybeBound<Values<typeof OPTIONS>, 'port' | 'metricsPort'>

/** The program in traces. */
const PROGRAM = { name: 'firn-data-api', version: VERSION }

/** The command that serves a stored network or stored EVM chains until a signal arrives. */
export const COMMAND: Command.Command = Command.create({
  description: 'Serves indexed data over REST, from a database that another process fills.',
  example: '--database-url postgres://me@127.0.0.1/firn',
  options: OPTIONS,
  isService: true,
  check: TrustedProxies.create,
  run: (options, { terminal }) =>
    Diagnostics.during(options, PROGRAM, Log.create(terminal, Date.now), () => dataApi(options, terminal)),
})

/** The ports of the Data API, with their flags. */
export const PORTS = { port: '--port', metricsPort: '--metrics-port' } as const

/** Serves a stored network, or the stored EVM chains of `--chain`. */
export const dataApi = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, PORTS, (bound) => run(bound, terminal))

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const { chain, networkId } = options
  if (chain !== undefined) return StoredChains.run({ ...options, chain }, terminal)
  const log = Log.create(terminal, Date.now)
  const { store, network } = await Databases.openFilled(options, networkId, log)
  try {
    const usage = await sharedUsage(options, log)
    try {
      const local = LocalAccess.open({ folder: options.dataDir, log })
      const service = await Serving.serve({ store, usage, log, local }, options)
      try {
        Serving.print(service, options.networkAlias ?? network.constants.name, terminal)
        LocalAccess.announce(local, service.url, terminal)
        terminal.print('Press Ctrl-C to stop')
        await Serving.untilAborted(terminal.signal)
      } finally {
        await service.close()
      }
    } finally {
      await usage.close()
    }
  } finally {
    await store.close()
  }
}

/** Opens the tables of usage and exports. A gateway may have them open in an embedded database. */
export const sharedUsage = (options: Databases.Options, log: Logger) =>
  UsageDatabase.openMigrated({ ...options, attach: true }, log)
