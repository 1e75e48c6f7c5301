import { LIMITS, type MethodCosts } from '@firn/gateway'
import type { Command } from 'commander'
import { bytes, count } from './Flags.ts'
import { cost, methods } from './GatewayFlags.ts'

/** Options of a gateway, wherever it runs: in `firn gateway`, `firn evm` and `firn up`. */
export type Options = {
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

/** Adds the options of a gateway; commands add `--no-rate-limits` and those of proxies themselves, as their other services have them too. */
export const withGateway = (command: Command): Command =>
  command
    .option(
      '--allow <methods>',
      'methods that the gateway lets through (default: eth_*,net_*,web3_*)',
      methods,
    )
    .option(
      '--deny <methods>',
      'of those, methods to refuse (default: what acts in the name of the node)',
      methods,
    )
    .option('--cost <method=credits>', 'what a method costs at the gateway; repeat it for more', cost)
    .option('--credits-per-second <n>', 'gateway credits of an address', count, LIMITS.rate?.perSecond)
    .option('--burst <n>', 'gateway credits that an address may take at once', count, LIMITS.rate?.burst)
    .option('--connections <n>', 'open connections of the gateway in all', count, LIMITS.connections)
    .option('--connections-per-address <n>', 'the same of one address', count, LIMITS.connectionsPerAddress)
    .option('--requests <n>', 'requests under way at the gateway in all', count, LIMITS.requests)
    .option('--requests-per-address <n>', 'the same of one address', count, LIMITS.requestsPerAddress)
    .option('--body-bytes <n>', 'longest request to the gateway', bytes, LIMITS.bodyBytes)
    .option('--answer-bytes <n>', 'longest answer of the gateway', bytes, LIMITS.answerBytes)
    .option('--batch-calls <n>', 'most calls of a batch at the gateway', count, LIMITS.batchCalls)
    .option(
      '--answer-timeout <ms>',
      "how long a node's answer to the gateway may take to begin",
      count,
      LIMITS.answerMs,
    )

/** Returns the options in the gateway's own terms; methods are those of every chain. */
export const toGateway = (options: Options) => ({
  methods: { allow: options.allow, deny: options.deny },
  settings: {
    limits: limitsOf(options),
    costs: options.cost,
    proxies: options.proxies,
    trustedProxies: options.trustedProxies,
  },
})

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
