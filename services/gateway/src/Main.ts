import { EvmStore, StoredChains } from '@firn/evm-store'
import { BoundPort, TrustedProxies } from '@firn/http'
import { LocalAccess } from '@firn/operate'
import {
  Command,
  Common,
  group,
  Log,
  NamedChains,
  option,
  Program,
  type Terminal,
  Type,
  type Values,
} from '@firn/options'
import type { Logger } from '@firn/runtime'
import { PostgresServer } from '@firn/sql'
import { Diagnostics } from '@firn/tracing'
import * as Counted from './command/Counted.ts'
import * as GatewayOptions from './command/Options.ts'
import { VERSION } from './Version.ts'

const CHAINS = NamedChains.type(
  {
    placeholder: 'id=url,…',
    expected: '<chain id>[,<name>…]=<url>[,<url>…], such as 43113,C=http://127.0.0.1:9650/ext/bc/C/rpc',
  },
  (names) => names.length > 0 && names.every((name) => /^[\w-]{1,64}$/.test(name)),
)

const OPTIONS = {
  ...group('EVM chains', {
    chain: option(CHAINS, {
      isRequired: true,
      help: "EVM chain id, optional further names separated by commas, and the chain's nodes (http or ws). Repeat the option for more chains.",
    }),
  }),
  ...group('HTTP', {
    host: option(Type.host, { default: '127.0.0.1', help: 'Address to listen on.' }),
    port: option(Type.port, { default: 8702, help: 'Port of the gateway; 0 picks a free one.' }),
  }),
  ...GatewayOptions.OPTIONS,
  ...Common.OPERATORS,
  ...Common.DATABASE,
  ...Common.LOG_LEVEL,
  ...Common.DIAGNOSTICS,
}

type Options = Values<typeof OPTIONS>

const PROGRAM = { name: 'firn-gateway', version: VERSION }

/** The command that runs a gateway to the nodes of EVM chains until a signal arrives. */
export const COMMAND: Command.Command = Command.create({
  description:
    'Serves as the gateway to the nodes of EVM chains: limits callers, fails over to healthy nodes, and counts every request.',
  example: '--chain 43113=https://api.avax-test.network/ext/bc/C/rpc',
  options: OPTIONS,
  isService: true,
  check: TrustedProxies.create,
  run: (options, { terminal }) =>
    BoundPort.use(options.port, { host: options.host, flag: '--port' }, (port) =>
      Diagnostics.during(options, PROGRAM, Log.create(terminal, Date.now), () =>
        run(options, port, terminal),
      ),
    ),
})

/** Runs the program with the arguments, environment and files of a process. */
export function main(process: Program.Process): Promise<void> {
  return Program.main({ ...PROGRAM, load: () => COMMAND }, process)
}

const run = async (options: Options, port: BoundPort.BoundPort, terminal: Terminal): Promise<void> => {
  const log = Log.create(terminal, Date.now)
  const local = LocalAccess.open({ folder: options.dataDir, log })
  const { stores, close: closeStores } = await openStores(options, log)
  try {
    const { gateway, close } = await Counted.openGateway(
      { ...options, gatewayPort: port, local },
      options.chain,
      stores,
      log,
    )
    try {
      for (const { names } of options.chain) terminal.print(`gateway          ${gateway.url}/rpc/${names[0]}`)
      terminal.print(`operators        ${gateway.url}/health and /metrics`)
      LocalAccess.announce(local, gateway.url, terminal)
      terminal.print('Press Ctrl-C to stop')
      await stopped(terminal.signal)
    } finally {
      await close()
    }
  } finally {
    await closeStores()
  }
}

/** Connections to PostgreSQL that the stores share, and milliseconds to wait for one: all may be in use. */
const SHARED = { connections: 40, connectTimeoutMs: 60_000 }

/**
 * Opens the stores of the given chains that an indexer has stored in PostgreSQL. An embedded database belongs to the
 * process of its indexer.
 */
const openStores = async (
  { databaseUrl, answerTimeout, chain }: Options,
  log: Logger,
): Promise<{ readonly stores: readonly EvmStore[]; close(): Promise<void> }> => {
  if (databaseUrl === undefined) return { stores: [], close: async () => undefined }
  const stored = await StoredChains.list(databaseUrl)
  const ids = stored.filter((id) => chain.some(({ names }) => names[0] === String(id)))
  const server = new PostgresServer(databaseUrl, { ...SHARED, statementTimeoutMs: answerTimeout, log })
  const stores: EvmStore[] = []
  const close = async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server.close()
  }
  try {
    for (const chainId of ids) stores.push(await EvmStore.open({ chainId, server, log }))
    return { stores, close }
  } catch (error) {
    await close()
    throw error
  }
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
