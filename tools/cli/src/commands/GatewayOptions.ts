import { LIMITS, type MethodCosts } from '@firn/gateway'
import { Common, group, option, Type, type Values } from '@firn/options'

/** Method names; `*` matches any characters. */
const METHODS = Type.list<string>({
  ...Type.text,
  placeholder: 'method',
  expected: 'a method such as eth_* or net_version',
  parse: (text) => (/^[\w*.]{1,128}$/.test(text) ? text : undefined),
})

/** Costs of methods: `<method>=<credits>`. */
const COSTS: Type.Type<MethodCosts> = Type.create({
  placeholder: 'method=credits',
  expected: '<method>=<credits>, such as debug_*=500',
  parse: (text): MethodCosts | undefined => {
    const [, method, credits] = /^([\w*.]{1,128})=(\d{1,9})$/.exec(text) ?? []
    return method === undefined ? undefined : { [method]: Number(credits) }
  },
  combine: (before, next) => ({ ...before, ...next }),
})

/** Whether callers are limited. */
export const RATE_LIMITS = group('Limits', {
  rateLimits: option(Type.flag, {
    default: true,
    help: 'Limit the rate of callers; --no-rate-limits serves without limits.',
  }),
})

/** Costs of methods at a gateway. */
export const COST = group('Gateway', {
  cost: option(COSTS, { help: 'Credits that a method costs; repeat it for more.' }),
})

const { rate } = LIMITS
const count = (fallback: number | undefined, help: string) =>
  option(Type.count, { default: fallback ?? 1, help })
const bytes = (fallback: number, help: string) => option(Type.bytes, { default: fallback, help })

/** Gateway options of `firn gateway`, `firn evm` and `firn up`. */
export const OPTIONS = {
  ...group('Gateway', {
    allow: option(METHODS, {
      defaultText: 'eth_*,net_*,web3_*',
      help: 'Methods that the gateway passes on.',
    }),
    deny: option(METHODS, {
      defaultText: 'methods that act in the name of the node',
      help: 'Of the allowed methods, those to refuse.',
    }),
    ...COST,
    creditsPerSecond: count(rate?.perSecond, 'Gateway credits of an address in a second.'),
    burst: count(rate?.burst, 'Gateway credits that an address may use at once.'),
    connections: count(LIMITS.connections, 'Open connections of the gateway.'),
    connectionsPerAddress: count(LIMITS.connectionsPerAddress, 'Open connections of one address.'),
    requests: count(LIMITS.requests, 'Requests in progress at the gateway.'),
    requestsPerAddress: count(LIMITS.requestsPerAddress, 'Requests in progress of one address.'),
    bodyBytes: bytes(LIMITS.bodyBytes, 'Longest request to the gateway.'),
    answerBytes: bytes(LIMITS.answerBytes, 'Longest answer of the gateway.'),
    batchCalls: count(LIMITS.batchCalls, 'Most calls of a batch at the gateway.'),
    answerTimeout: option(Type.duration({ bare: 'ms', leastMs: 1 }), {
      default: LIMITS.answerMs,
      help: 'Longest time for the answer of a node to begin.',
    }),
  }),
  ...Common.PROXIES,
  ...RATE_LIMITS,
}

/** The values of {@link OPTIONS}. */
export type Options = Values<typeof OPTIONS>

/** Converts the options to the gateway's; methods apply to every chain. */
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
  // A connection that waits for a node is not idle.
  idleMs: Math.max(LIMITS.idleMs, 2 * options.answerTimeout),
  totalMs: Math.max(LIMITS.totalMs, 2 * options.answerTimeout),
})
