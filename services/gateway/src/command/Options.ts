import { Common, group, option, removed, Type, type Values } from '@firn/options'
import { LIMITS } from '../Limits.ts'
import type { MethodCosts } from '../methods/MethodCosts.ts'

const methods = (name: RegExp, expected: string) =>
  Type.list<string>({
    ...Type.text,
    placeholder: 'method',
    expected,
    parse: (text) => (name.test(text) ? text : undefined),
  })

/** Type of an option that lists exact names of methods. */
const NAMES = methods(/^[\w.]{1,128}$/, 'the exact name of a method, such as debug_traceTransaction')
/** Type of an option that lists method names, in which `*` matches any characters. */
const PATTERNS = methods(/^[\w*.]{1,128}$/, 'a method such as eth_* or net_version')

/** Type of an option that sets the costs of methods as `<method>=<credits>`. */
const COSTS: Type.Type<MethodCosts> = Type.create({
  placeholder: 'method=credits',
  expected: '<method>=<credits>, such as debug_*=500',
  parse: (text): MethodCosts | undefined => {
    const [, method, credits] = /^([\w*.]{1,128})=(\d{1,9})$/.exec(text) ?? []
    return method === undefined ? undefined : { [method]: Number(credits) }
  },
  combine: (before, next) => ({ ...before, ...next }),
})

/** Option for the costs of methods at a gateway. */
export const COST = group('Gateway', {
  cost: option(COSTS, { help: 'Credits that a method costs. Repeat the option for more methods.' }),
})

const { rate } = LIMITS
const count = (fallback: number | undefined, help: string) =>
  option(Type.count, { default: fallback ?? 1, help })
const bytes = (fallback: number, help: string) => option(Type.bytes, { default: fallback, help })

/** Gateway options that `firn gateway`, `firn evm` and `firn up` have in common. */
export const OPTIONS = {
  ...group('Gateway', {
    allowMethod: option(NAMES, {
      defaultText: 'none',
      help: 'Exact names of methods to forward besides those that read data or send signed transactions.',
    }),
    allow: removed(
      PATTERNS,
      '--allow was removed, because a pattern also allows methods that nobody had in mind. Methods that read data are allowed; name each further one with --allow-method <name,…>, and exclude others with --deny.',
    ),
    deny: option(PATTERNS, {
      defaultText: 'none',
      help: 'Methods to reject, even if they are allowed; * matches any characters.',
    }),
    ...COST,
  }),
  ...group('Limits', {
    creditsPerSecond: count(rate?.perSecond, 'Credits per second of one address at the gateway.'),
    burst: count(rate?.burst, 'Credits that one address may use in a burst at the gateway.'),
    requests: count(LIMITS.requests, 'Maximum number of requests in progress at the gateway.'),
    requestsPerAddress: count(
      LIMITS.requestsPerAddress,
      'Maximum number of requests in progress from one address.',
    ),
    bodyBytes: bytes(LIMITS.bodyBytes, 'Maximum size of a request to the gateway.'),
    answerBytes: bytes(LIMITS.answerBytes, 'Maximum size of a response of the gateway.'),
    batchCalls: count(LIMITS.batchCalls, 'Maximum number of calls in a batch at the gateway.'),
    answerTimeout: option(Type.duration({ bare: 'ms', leastMs: 1 }), {
      default: LIMITS.answerMs,
      help: 'Maximum time until a node starts to respond.',
    }),
  }),
  ...Common.PROXIES,
  ...Common.CONNECTIONS,
  ...Common.CONNECTION_TIMES,
  maxConnections: { ...Common.CONNECTIONS.maxConnections, former: { connections: Type.count } },
  maxConnectionsPerAddress: {
    ...Common.CONNECTIONS.maxConnectionsPerAddress,
    former: { connectionsPerAddress: Type.count },
  },
  ...Common.RATE_LIMITS,
}

/** The values of {@link OPTIONS}. */
export type Options = Values<typeof OPTIONS>

/** Converts options of the command to options of the gateway. The rules for methods apply to every chain. */
export const toGateway = (options: Options) => ({
  methods: { allowMethods: options.allowMethod, deny: options.deny },
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
  connections: options.maxConnections,
  connectionsPerAddress: options.maxConnectionsPerAddress,
  requestMs: options.readTimeout,
  requests: options.requests,
  requestsPerAddress: options.requestsPerAddress,
  bodyBytes: options.bodyBytes,
  answerBytes: options.answerBytes,
  batchCalls: options.batchCalls,
  answerMs: options.answerTimeout,
  // A WebSocket that waits for a node's response must not count as idle.
  idleMs: Math.max(options.keepAliveTimeout, 2 * options.answerTimeout),
  totalMs: Math.max(LIMITS.totalMs, 2 * options.answerTimeout),
})
