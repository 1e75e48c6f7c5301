import { TrustedProxies } from '@firn/http'
import { Command, Common, group, option, type Terminal, Type, type Values } from '@firn/options'
import type { Logger } from '@firn/runtime'
import * as Ports from '../Ports.ts'
import * as Database from './Database.ts'
import * as ChainStores from './evm/ChainStores.ts'
import * as Chains from './evm/Chains.ts'
import * as EvmServices from './evm/EvmServices.ts'
import * as GatewayOptions from './GatewayOptions.ts'

const CHAINS = Chains.type(
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
  ...Common.DATABASE,
  ...Common.LOG_LEVEL,
}

/** Options of `firn gateway`. */
export type Options = Ports.MaybeBound<Values<typeof OPTIONS>, 'port'>

export const COMMAND = Command.create({
  description:
    'Serves as the gateway to the nodes of EVM chains: limits callers, fails over to healthy nodes, and counts every request.',
  example: '--chain 43113=https://api.avax-test.network/ext/bc/C/rpc',
  options: OPTIONS,
  isService: true,
  check: TrustedProxies.create,
  run: (options, { terminal }) => gateway(options, terminal),
})

/** Runs a gateway to the chains' nodes until a signal arrives. */
export const gateway = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, { port: '--port' }, (bound) => run(bound, terminal))

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Database.logger(terminal)
  const { stores, close: closeStores } = await openStores(options, log)
  const { gateway, close } = await EvmServices.openGateway(
    { ...options, gatewayPort: options.port },
    options.chain,
    stores,
    log,
  ).catch(async (error: unknown) => {
    await closeStores()
    throw error
  })
  try {
    for (const { names } of options.chain) terminal.print(`gateway          ${gateway.url}/rpc/${names[0]}`)
    terminal.print(`operators        ${gateway.url}/health and /metrics`)
    terminal.print('Press Ctrl-C to stop')
    await stopped(terminal.signal)
  } finally {
    await close()
    await closeStores()
  }
}

/**
 * Opens the stores of the given chains that an indexer has stored in PostgreSQL. An embedded database belongs to the
 * process of its indexer.
 */
const openStores = async (options: Options, log: Logger): Promise<ChainStores.ChainStores> => {
  const stored = options.databaseUrl === undefined ? [] : await ChainStores.storedChains(options)
  const ids = stored.filter((id) => options.chain.some(({ names }) => names[0] === String(id)))
  const place = { ...options, requestTimeout: options.answerTimeout }
  return ChainStores.open(place, ids, log, async () => undefined)
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
