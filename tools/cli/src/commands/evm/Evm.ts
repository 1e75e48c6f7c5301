import { setTimeout as sleep } from 'node:timers/promises'
import type { BoundPort } from '@firn/http'
import * as Ports from '../../Ports.ts'
import * as Progress from '../../Progress.ts'
import type { Terminal } from '../../Terminal.ts'
import * as DataApi from '../DataApi.ts'
import * as Database from '../Database.ts'
import type * as GatewayOptions from '../GatewayOptions.ts'
import * as Indexing from '../Indexing.ts'
import * as Chains from './Chains.ts'
import * as EvmIndexing from './EvmIndexing.ts'
import * as EvmServices from './EvmServices.ts'

/** Options of `firn evm`. */
export type Options = EvmIndexing.Options &
  DataApi.ServiceOptions &
  GatewayOptions.Options & {
    readonly chain: readonly Chains.Named[]
    readonly chainDetails?: string
    readonly gatewayPort: BoundPort.Port
  }

/** What is running. */
export type Running = {
  readonly chains: readonly Chains.Chain[]
  readonly indexing: EvmIndexing.EvmIndexing
  readonly counted: EvmServices.Counted
  /** The Data API's root. */
  readonly url: string
}

/** Runs indexer, gateway and Data API over EVM chains while `work` lasts. */
export const during = async (
  options: Options,
  chains: readonly Chains.Chain[],
  terminal: Terminal,
  work: (running: Running) => Promise<void>,
): Promise<void> => {
  const log = Database.logger(terminal)
  const indexing = await EvmIndexing.start(options, chains, log, terminal.signal)
  try {
    const counted = await EvmServices.openGateway(options, chains, log)
    try {
      const registries = [indexing.indexer.metrics]
      const served = {
        chains: indexing.served,
        usage: counted.usage,
        problems: indexing.problems,
        registries,
      }
      const service = await DataApi.serve(served, options)
      try {
        await work({ chains, indexing, counted, url: service.url })
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

/** Waits until each chain is at the head of its nodes. */
export const untilCaughtUp = async (indexing: EvmIndexing.EvmIndexing, terminal: Terminal): Promise<void> => {
  await Progress.during(terminal, 'indexing', async () => {
    while (!indexing.isCaughtUp() && !terminal.signal.aborted) {
      await Promise.race([indexing.ended, sleep(50)])
    }
  })
}

/** Follows EVM chains and serves them, until a signal. */
export const evm = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, PORTS, (bound) => run(bound, terminal))

/** The ports of `firn evm`, and their flags. */
export const PORTS = {
  port: '--port',
  metricsPort: '--metrics-port',
  gatewayPort: '--gateway-port',
} as const

/** The same, on ports that may be bound already. */
export const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const chains = await Chains.resolve(
    options.chain,
    options.chainDetails,
    () => EvmIndexing.storedChains(options),
    terminal.signal,
  )
  await during(options, chains, terminal, async ({ indexing, counted, url }) => {
    terminal.print(`Data API         ${url}  (/docs, /openapi.json, /health, /metrics)`)
    EvmServices.print(url, counted, chains, terminal)
    await untilCaughtUp(indexing, terminal)
    terminal.print('Press Ctrl-C to stop')
    await Indexing.stay(indexing, terminal.signal)
  })
}
