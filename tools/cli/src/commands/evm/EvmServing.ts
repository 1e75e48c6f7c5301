import { setTimeout as sleep } from 'node:timers/promises'
import { MetadataFile, Serving, ServingOptions } from '@firn/data-api'
import { ChainStores } from '@firn/evm-store'
import { Counted, GatewayCommand } from '@firn/gateway'
import { Ports } from '@firn/http'
import { ChainOptions, Chains, Database, EvmIndexing, Progress as IndexerProgress } from '@firn/indexer'
import { LocalAccess } from '@firn/operate'
import { Common, group, type NamedChains, option, type Terminal, Type, type Values } from '@firn/options'
import * as Progress from '../../Progress.ts'
import * as Indexing from '../Indexing.ts'
import * as EvmServices from './EvmServices.ts'

/** Options of indexed EVM chains, and of the gateway to their nodes. */
export const CHAIN_OPTIONS = {
  ...ChainOptions.OPTIONS,
  ...group('EVM chains', {
    gatewayPort: option(Type.port, {
      default: 8702,
      help: "Port of the gateway to the chains' nodes.",
    }),
  }),
  ...GatewayCommand.OPTIONS,
}

/** Options of `firn evm`. */
export const OPTIONS = {
  ...group('Demonstration', {
    demo: option(Type.flag, {
      default: false,
      help: 'Start a local EVM chain with tokens and traffic, and serve it.',
    }),
    once: option(Type.flag, {
      default: false,
      help: 'With --demo: end after every endpoint has been shown.',
    }),
    evmPort: option(Type.port, {
      default: 0,
      help: 'With --demo: port of the local EVM; 0 picks a free one.',
    }),
  }),
  ...ChainOptions.RESET,
  ...CHAIN_OPTIONS,
  ...Common.DATABASE,
  ...group('HTTP', {
    port: option(Type.port, { default: 8700, help: 'Port of the REST API; 0 picks a free one.' }),
  }),
  ...ServingOptions.OPTIONS,
  ...Common.LOG_LEVEL,
  ...Common.DIAGNOSTICS,
}

type PortName = 'port' | 'metricsPort' | 'gatewayPort'
type Given = Ports.MaybeBound<Values<typeof OPTIONS>, PortName>

/** Options of `firn evm` that the services for EVM chains use. */
export type Options = Omit<Given, 'chain' | 'demo' | 'once' | 'reset' | 'evmPort'> & {
  readonly chain: readonly NamedChains.Named[]
}

/** Running services. */
export type Running = {
  readonly chains: readonly Chains.Chain[]
  readonly indexing: EvmIndexing.EvmIndexing
  readonly counted: Counted.Counted
  /** Base URL of the Data API. */
  readonly url: string
  /** Token and links for operators on this machine. */
  readonly local: LocalAccess.LocalAccess | undefined
}

/** Runs indexer, gateway and Data API for EVM chains until `work` ends. */
export const during = async (
  options: Options,
  chains: readonly Chains.Chain[],
  terminal: Terminal,
  work: (running: Running) => Promise<void>,
): Promise<void> => {
  const log = Database.logger(terminal)
  const indexing = await EvmIndexing.start(options, chains, log, terminal.signal)
  try {
    const local = LocalAccess.open({ folder: options.dataDir, log })
    // The Data API listens on the socket of this process.
    const gateway = { ...options, local, operatorSocket: undefined }
    const counted = await Counted.openGateway(gateway, chains, EvmIndexing.storesOf(indexing), log)
    try {
      const registries = [indexing.indexer.metrics]
      const served = {
        chains: indexing.chains,
        usage: counted.usage,
        problems: indexing.problems,
        registries,
        indexed: () => IndexerProgress.ofChains(indexing.indexer.status()),
        parts: [counted.gateway.operatorParts],
        log,
        local,
      }
      const service = await Serving.serve(served, options)
      try {
        await work({ chains, indexing, counted, url: service.url, local })
      } finally {
        await service.close()
      }
    } finally {
      await counted.close()
    }
  } finally {
    await indexing.close()
  }
}

/** Reads the chains of a metadata file, by chain id. @throws DataApiError `DATA_CONFIGURATION` */
export const readChains = async (path: string | undefined) =>
  path === undefined ? {} : ((await MetadataFile.read(path)).chains ?? {})

/** Waits until each chain has reached the head of its nodes. */
export const untilCaughtUp = async (indexing: EvmIndexing.EvmIndexing, terminal: Terminal): Promise<void> => {
  await Progress.during(terminal, 'indexing', async () => {
    while (!indexing.isCaughtUp() && !terminal.signal.aborted) {
      await Promise.race([indexing.ended, sleep(50)])
    }
  })
}

/** Indexes and serves EVM chains until a signal arrives. */
export const evm = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, PORTS, (bound) => run(bound, terminal))

/** The ports of `firn evm`, with their flags. */
export const PORTS = {
  port: '--port',
  metricsPort: '--metrics-port',
  gatewayPort: '--gateway-port',
} as const

/** Like {@link evm}, but also accepts ports that the caller has already bound. */
export const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const chains = await Chains.resolve(
    options.chain,
    await readChains(options.metadata),
    () => ChainStores.list(options),
    terminal.signal,
  )
  await during(options, chains, terminal, async ({ indexing, counted, url, local }) => {
    terminal.print(`Data API         ${url}  (/docs, /openapi.json, /health, /metrics)`)
    EvmServices.print(url, counted, chains, terminal)
    await untilCaughtUp(indexing, terminal)
    LocalAccess.announce(local, url, terminal)
    terminal.print('Press Ctrl-C to stop')
    await Indexing.stay(indexing, terminal.signal)
  })
}
