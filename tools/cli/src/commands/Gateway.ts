import { randomBytes } from 'node:crypto'
import { createGateway } from '@firn/gateway'
import type { BoundPort } from '@firn/http'
import * as Ports from '../Ports.ts'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'
import type { DatabaseOptions } from './evm/EvmIndexing.ts'
import * as EvmServices from './evm/EvmServices.ts'
import type { GatewayChain } from './GatewayFlags.ts'
import * as GatewayOptions from './GatewayOptions.ts'

/** What `firn gateway` may be told. */
export type Options = DatabaseOptions &
  GatewayOptions.Options & {
    readonly chain: readonly GatewayChain[]
    readonly host: string
    readonly port: BoundPort.Port
  }

/** Runs a gateway in front of the nodes of chains until a signal. */
export const gateway = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, { port: '--port' }, (bound) => run(bound, terminal))

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Database.logger(terminal)
  const usage = await EvmServices.openUsage(options, log)
  try {
    const { methods, settings } = GatewayOptions.toGateway(options)
    const running = await createGateway({
      chains: options.chain.map((one) => ({ ...one, ...methods })),
      usage,
      host: options.host,
      port: options.port,
      ...settings,
      now: () => performance.timeOrigin + performance.now(),
      random: { bytes: randomBytes, number: Math.random },
      log,
    })
    try {
      for (const { names } of options.chain) terminal.print(`gateway          ${running.url}/rpc/${names[0]}`)
      terminal.print(`operators        ${running.url}/health and /metrics`)
      terminal.print('Press Ctrl-C to stop')
      await stopped(terminal.signal)
    } finally {
      await running.close()
    }
  } finally {
    await usage.close()
  }
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
