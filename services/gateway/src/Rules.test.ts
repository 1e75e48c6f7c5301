import { RateLimiter } from '@firn/http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAdmission } from './admission/Admission.ts'
import { GatewayError } from './GatewayError.ts'
import { AnswerTap } from './http/AnswerTap.ts'
import { LIMITS } from './Limits.ts'
import { createCosts } from './methods/MethodCosts.ts'
import {
  ALLOWED,
  createMethodPolicy,
  isRepeatable,
  isSticky,
  type MethodPolicyOptions,
} from './methods/MethodPolicy.ts'
import { CLASSES, METHODS, type MethodClass, SUBSCRIPTIONS } from './methods/Methods.ts'
import { createServedMethods } from './methods/ServedMethods.ts'
import { createNodes } from './nodes/Nodes.ts'
import { heardIn } from './websocket/SocketMessage.ts'

const { named } = RateLimiter

/** Returns the methods that a policy allows. */
function allowedBy(options: MethodPolicyOptions, methods: readonly string[]): readonly string[] {
  const assertAllowed = createMethodPolicy(options)
  return methods.filter((method) => {
    try {
      assertAllowed({ method, subscription: undefined })
      return true
    } catch {
      return false
    }
  })
}

/** Methods of geth, coreth, subnet-evm and other nodes that act for the node, or cost much more than a read. */
const UNLISTED = `
eth_accounts eth_sendTransaction eth_sign eth_signTransaction eth_signTypedData_v4 eth_fillTransaction eth_resend
eth_sendUnsignedTransaction eth_newAccount eth_pendingTransactions eth_coinbase eth_etherbase eth_mining eth_hashrate
eth_getWork eth_submitWork eth_submitHashrate eth_sendRawTransactionConditional eth_newMethodOfNextYear
personal_sign personal_sendTransaction personal_unlockAccount admin_peers admin_addPeer admin_setLogLevel miner_start
debug_setHead debug_traceTransaction debug_traceBlockByNumber debug_getRawBlock trace_block txpool_content
admin_subscribe debug_subscribe net_subscribe engine_newPayloadV4 clique_propose les_serverInfo anvil_setBalance
evm_increaseTime hardhat_reset rpc_modules validators_getCurrentValidators
ETH_CALL Eth_call eth_Call eth_calL eth_call_ _eth_call eth_call.x eth.call eth eth_ constructor __proto__ toString *`
  .trim()
  .split(/\s+/)

test('allows exactly the methods of the table, and others only by their exact names', () => {
  expect(allowedBy({}, [...ALLOWED, ...UNLISTED])).toEqual(ALLOWED)
  expect(ALLOWED).toEqual(
    expect.arrayContaining(['eth_call', 'eth_sendRawTransaction', 'eth_baseFee', 'net_version']),
  )
  const allowMethods = ['debug_traceTransaction', 'eth_*', 'eth_accounts']
  expect(allowedBy({ allowMethods }, UNLISTED)).toEqual(['eth_accounts', 'debug_traceTransaction'])
  expect(
    allowedBy({ allowMethods, deny: ['debug_*', 'eth_c*l'] }, ['eth_call', 'eth_chainId', ...UNLISTED]),
  ).toEqual(['eth_chainId', 'eth_accounts'])
})

test('never sends a method that acts to a second node, whether the table knows it or an option names it', () => {
  const [acting, reading] = [
    ['eth_sendRawTransaction', 'eth_sendTransaction', 'eth_submitWork', 'debug_setHead'],
    ['eth_call', 'eth_getLogs', 'foo_read'],
  ]
  const call = (method: string) => ({ method, id: '1', key: '1', subscription: undefined })
  expect([...acting, ...reading].map(call).filter(isRepeatable)).toEqual(reading.map(call))
  expect(
    ['eth_newFilter', 'eth_getFilterLogs', 'foo_newFilter', 'eth_getLogs'].map(call).filter(isSticky),
  ).toEqual(['eth_newFilter', 'eth_getFilterLogs', 'foo_newFilter'].map(call))
})

test('the documentation lists the methods of the table', async () => {
  const row = (name: string, { isAllowed, title }: MethodClass) => {
    const methods = Object.entries(METHODS).filter(([, method]) => method.class === name)
    const listed = methods.map(([method, { credits }]) => `\`${method}\` ${credits}`).join(', ')
    return `| ${title}${isAllowed ? '' : '; only if named with `--allow-method`'} | ${listed} |`
  }
  const lines = [
    '# Methods',
    '',
    'The methods that the gateway knows, each with its credits. Any other method is refused, unless `--allow-method` names it. This file is',
    'generated from [Methods.ts](../src/methods/Methods.ts) by `npm test -- services/gateway/src/Rules --update`.',
    '',
    '| class | methods and credits |',
    '| --- | --- |',
    ...Object.entries(CLASSES).map(([name, one]) => row(name, one)),
    '',
    `Subscriptions: ${SUBSCRIPTIONS.map((name) => `\`${name}\``).join(', ')}.`,
    '',
  ]
  await expect(lines.join('\n')).toMatchFileSnapshot('../docs/methods.md')
})

test("uses the cost of a method's exact name, or otherwise of the longest matching pattern", () => {
  const costs = createCosts({ 'debug_trace*': 7, eth_call: 3 })
  expect(['eth_call', 'debug_traceCall', 'debug_traceBlock', 'debug_x', 'foo'].map(costs.of)).toEqual([
    3, 7, 1000, 300, 20,
  ])
})

test('counts a method without a cost under the name "unknown" until a node answers it, and names at most 100 such methods', () => {
  const nameOf = createServedMethods(createCosts())
  expect(nameOf('eth_call', 503)).toBe('eth_call')
  expect(nameOf('foo_1', 404)).toBe('unknown')
  const names = new Set(Array.from({ length: 1_000 }, (_, i) => nameOf(`foo_${i}`, 200)))
  expect(names.size).toBe(101)
})

test('limits the requests in progress of an IPv6 site to a multiple of the limit of one address', () => {
  const limits = { ...LIMITS, requestsPerAddress: 2 }
  const admission = createAdmission(limits, () => 0)
  const begin = (network: number) => {
    try {
      const keys = [...named(`network ${network}`), { key: 'site', factor: 16 }] as const
      return admission.begin({ keys, bypass: undefined })
    } catch {
      return undefined
    }
  }
  const ends = Array.from({ length: 100 }, (_, i) => begin(i >> 1)).filter((end) => end !== undefined)
  expect([ends.length, begin(100)]).toEqual([32, undefined])
  ends[0]?.()
  expect(begin(100)).toBeTypeOf('function')
})

test('releases each reserved resource only once', () => {
  const admission = createAdmission({ ...LIMITS, requestsPerAddress: 2, waitingBytes: 10 }, () => 0)
  const begin = () => admission.begin({ keys: named('a'), bypass: undefined })
  const [one] = [begin(), begin()]
  expect(begin).toThrow(/from this address are in progress/)
  one?.()
  one?.()
  expect(admission.held.requests).toBe(1)
  const release = admission.hold(10)
  expect(() => admission.hold(1)).toThrow(/wait/)
  release()
  expect(admission.held).toEqual({ requests: 1, bytes: 0 })
})

test('sorts nodes by load, with failed nodes last, and skips nodes during their Retry-After time', () => {
  let time = 0
  const urls = ['http://a/ext/bc/C/rpc', 'https://b', 'wss://c'].map((url) => new URL(url))
  const nodes = createNodes(
    urls,
    () => time,
    () => 1,
    () => ({ end: () => undefined }),
  )
  const order = (home?: string) =>
    nodes
      .order(home)
      .map(({ value }) => value.url.hostname)
      .join('')
  expect(nodes.all.map(({ value }) => value.socketUrl.href)).toEqual([
    'ws://a/ext/bc/C/ws',
    'wss://b/',
    'wss://c/',
  ])
  expect([order(), order(), order()]).toEqual(['abc', 'bca', 'cab'])
  const [a, b, c] = nodes.all as [(typeof nodes.all)[0], (typeof nodes.all)[0], (typeof nodes.all)[0]]
  const end = nodes.begin(a)
  expect(order()).toBe('bca')
  end()
  const error = new GatewayError('GATEWAY_UPSTREAM', 'it failed')
  nodes.failed(b, error)
  nodes.failed(c, error, 5_000)
  expect(order()).toBe('ab')
  expect(new Set([order('x'), order('x'), order('x')]).size).toBe(1)
  time = 6_000
  expect(order().length).toBe(3)
  nodes.identified(a, false)
  nodes.succeeded(a)
  expect([order().includes('a'), nodes.isUp(a)]).toEqual([false, false])
})

const answers = fc.array(
  fc.oneof(
    fc.record({
      id: fc.nat(),
      error: fc.record({ code: fc.integer({ min: -33_000, max: 0 }), message: fc.string() }),
    }),
    fc.record({ id: fc.nat(), result: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> }),
    fc.record({ id: fc.nat(), result: fc.constant('x'.repeat(5_000)) }),
  ),
  { minLength: 1, maxLength: 8 },
)

test('finds the errors in an answer regardless of how the answer is split into parts', () => {
  fc.assert(
    fc.property(answers, fc.boolean(), fc.integer({ min: 1, max: 999 }), (list, isBatch, size) => {
      const text = Buffer.from(`\n${JSON.stringify(isBatch ? list : list[0], null, 1)} `)
      const tap = new AnswerTap()
      for (let at = 0; at < text.length; at += size) tap.push(text.subarray(at, at + size))
      const errors = (isBatch ? list : list.slice(0, 1)).flatMap((one) =>
        'error' in one ? [{ id: String(one.id), code: one.error.code }] : [],
      )
      expect(tap.end()).toEqual({ first: isBatch ? 0x5b : 0x7b, errors })
    }),
  )
})

test('finds no errors in invalid answers', () => {
  for (const text of [
    '',
    ' ',
    '<html>',
    '{"error":',
    '[1,"]",{}',
    '{"error":{"code":"x"}}',
    '{"error":null}',
  ]) {
    const tap = new AnswerTap()
    tap.push(Buffer.from(text))
    expect(tap.end().errors).toEqual([])
  }
})

test('distinguishes results, errors and notifications in WebSocket messages', () => {
  const heard = (text: string) =>
    heardIn(Buffer.from(text)).map(({ id, code, isNotification }) => [id, code, isNotification])
  expect(heard('{"jsonrpc":"2.0","id":7,"result":"0x1"}')).toEqual([['7', undefined, false]])
  expect(heard('{"id":"a","error":{"code":3}}')).toEqual([['"a"', 3, false]])
  expect(heard('{"jsonrpc":"2.0","method":"eth_subscription","params":{"id":9}}')).toEqual([
    [undefined, undefined, true],
  ])
  expect(heard('[{"id":1,"result":1},{"id":2,"error":{"code":-1}}]')).toEqual([
    ['1', undefined, false],
    ['2', -1, false],
  ])
  expect(heard('nonsense')).toEqual([])
})
