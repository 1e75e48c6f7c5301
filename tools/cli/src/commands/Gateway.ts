import { randomBytes } from 'node:crypto'
import { createGateway, LIMITS, type MethodCosts } from '@firn/gateway'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'
import type { DatabaseOptions } from './evm/EvmIndexing.ts'
import * as EvmServices from './evm/EvmServices.ts'
import type { GatewayChain } from './GatewayFlags.ts'

/** What `firn gateway` may be told. */
export type Options = DatabaseOptions & {
  readonly chain: readonly GatewayChain[]
  readonly host: string
  readonly port: number
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly cost?: MethodCosts
  readonly rateLimits: boolean
  readonly creditsPerSecond: number
  readonly burst: number
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly requests: number
  readonly requestsPerAddress: number
  readonly bodyBytes: number
  readonly answerBytes: number
  readonly batchCalls: number
  readonly answerTimeout: number
  readonly proxies?: number
  readonly trustedProxies?: readonly string[]
}

const limitsOf = (options: Options) => ({
  rate: options.rateLimits ? { perSecond: options.creditsPerSecond, burst: options.burst } : undefined,
  ...(options.rateLimits ? {} : { refusals: undefined }),
  connections: options.connections,
  connectionsPerAddress: options.connectionsPerAddress,
  requests: options.requests,
  requestsPerAddress: options.requestsPerAddress,
  bodyBytes: options.bodyBytes,
  answerBytes: options.answerBytes,
  batchCalls: options.batchCalls,
  answerMs: options.answerTimeout,
  // A caller who waits for a node is not silent.
  idleMs: Math.max(LIMITS.idleMs, 2 * options.answerTimeout),
  totalMs: Math.max(LIMITS.totalMs, 2 * options.answerTimeout),
})

/** Runs a gateway in front of the nodes of chains until a signal. */
export const gateway = async (options: Options, terminal: Terminal): Promise<void> => {
  const log = Database.logger(terminal)
  const usage = await EvmServices.openUsage(options, log)
  try {
    const { allow, deny } = options
    const running = await createGateway({
      chains: options.chain.map((one) => ({ ...one, allow, deny })),
      usage,
      host: options.host,
      port: options.port,
      limits: limitsOf(options),
      costs: options.cost,
      proxies: options.proxies,
      trustedProxies: options.trustedProxies,
      now: () => performance.timeOrigin + performance.now(),
      random: { bytes: randomBytes, number: Math.random },
      log,
    })
    try {
      for (const { names } of options.chain) terminal.print(`gateway          ${running.url}/rpc/${names[0]}`)
      terminal.print(`operators        ${running.url}/health and /metrics`)
      terminal.print('It stays up; Ctrl-C stops it.')
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
