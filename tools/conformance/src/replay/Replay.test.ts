import { describe, expect, it } from 'vitest'
import type { RawCase } from '../Case.ts'
import { readSamples } from '../testing/samples.ts'
import * as Exchange from './Exchange.ts'
import * as HttpCall from './HttpCall.ts'
import type { Facts, Mask } from './Masking.ts'
import { type Exceptions, IGNORED_HEADERS, LOCAL } from './masks.ts'
import * as RecordedServer from './RecordedServer.ts'
import * as Replay from './Replay.ts'

const recorded = (readSamples<readonly RawCase[]>('replay')['local'] ?? []).map(Exchange.fromLine)
const facts: Facts = { isValidator: (nodeId) => nodeId.startsWith('NodeID-') }

const peer = (member: string, form: Mask['form']): Mask => ({
  method: 'info.peers',
  path: `result.peers${member}`,
  form,
  reason: 'clock',
})
/**
 * Masks for members that depend on peers. Real replays use the recorded peers and do not need these masks.
 */
const VARYING: Exceptions = {
  masks: [
    ...LOCAL.masks,
    peer('[].lastSent', 'time'),
    peer('[].ip', 'text'),
    peer('', 'set'),
    { method: 'info.uptime', path: 'result.rewardingStakePercentage', form: 'fraction', reason: 'peers' },
  ],
  named: [],
}

/**
 * Replays the recorded exchanges, or only exchanges of `method`, against a server whose responses are modified by
 * `change`.
 */
async function replay(
  change: (answer: Exchange.Answer) => Exchange.Answer,
  method?: string,
  exceptions: Exceptions = VARYING,
) {
  const exchanges = recorded.filter((it) => method === undefined || it.method === method)
  expect(exchanges).not.toEqual([])
  const server = await RecordedServer.start(exchanges.map((it) => ({ ...it, answer: change(it.answer) })))
  const caller = HttpCall.create(server.port)
  const options = { ...exceptions, ignoredHeaders: IGNORED_HEADERS, facts }
  const replayed = await Replay.run('sample', exchanges, (_port, request) => caller.call(request), options)
  caller.close()
  await server.close()
  expect(server.unknown()).toEqual([])
  return { ...replayed, outcomes: replayed.report.results.map(({ outcome }) => outcome) }
}

const inBody = (from: string | RegExp, to: string) => (answer: Exchange.Answer) => {
  const body = answer.body.replace(from, to)
  const headers = answer.headers.map(
    ([name, value]): Exchange.Header =>
      name === 'Content-Length' && body !== answer.body
        ? [name, String(Buffer.byteLength(body))]
        : [name, value],
  )
  return { ...answer, body, headers }
}

it('finds no difference if the server returns exactly the recorded responses', async () => {
  const { outcomes } = await replay((answer) => answer)
  expect(outcomes).toEqual(recorded.map(() => ({ status: 'passed' })))
  expect(recorded.length).toBeGreaterThan(12)
})

describe('Replay masks', () => {
  it.each([
    ['another time', 'info.peers', inBody(/"lastSent":"[^"]*"/, '"lastSent":"2027-01-01T00:00:00Z"')],
    ['another port', 'info.peers', inBody(/"ip":"127.0.0.1:\d+"/, '"ip":"[::1]:1"')],
    ['another fraction', 'info.uptime', inBody(/"\d+\.\d{4}"/, '"1.0000"')],
    ['a list in another order', 'info.peers', inBody(/(\[)(\{.*?\}),(\{.*?\})(,\{|\])/, '$1$3,$2$4')],
    [
      'another random sample',
      'platform.sampleValidators',
      inBody('GWPcbFJZFfZreETSoWjPimr846mXEKCtu', '7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'),
    ],
    [
      'balances in another order',
      'avm.getAllBalances',
      inBody(/(\[)(\{.*?\}),(\{.*?\})(,\{|\])/, '$1$3,$2$4'),
    ],
  ])('accepts %s if a mask allows the difference', async (_name, method, change) => {
    const { outcomes } = await replay(change, method)
    expect(outcomes).toContainEqual({ status: 'passed', isMasked: true })
    expect(outcomes.every(({ status }) => status === 'passed')).toBe(true)
  })
})

describe('Replay detects', () => {
  it.each([
    ['a changed digit', 'info.getNetworkID', inBody('12345', '12346'), 'result.networkID'],
    ['a changed id', 'info.getNetworkID', inBody('a string', 'a strinG'), 'id'],
    ['a missing newline', 'info.getNetworkID', inBody('}\n', '}'), 'white space of the body'],
    ['white space inside', 'info.getNetworkID', inBody('"result":', '"result": '), 'white space of the body'],
    ['an extra member', 'info.getNetworkID', inBody('{"networkID"', '{"a":1,"networkID"'), 'result.member 0'],
    ['a number instead of a string', 'info.getNetworkID', inBody('"12345"', '12345'), 'result.networkID'],
    [
      'a time with another form',
      'info.peers',
      inBody(/"lastSent":"[^"]*"/, '"lastSent":"now"'),
      'result.peers',
    ],
    ['a missing peer', 'info.peers', inBody(/(\[)\{.*?\},(\{)/, '$1$2'), 'result.peers'],
    ['another peer', 'info.peers', inBody(/"nodeID":"NodeID-./, '"nodeID":"NodeID-Z'), 'result.peers'],
    ['a changed balance', 'avm.getAllBalances', inBody(/"balance":"\d/, '"balance":"9'), 'result.balances'],
    ['a shorter sample', 'platform.sampleValidators', inBody(/"NodeID-[^"]*",/, ''), 'result.validators'],
    [
      'a sample out of order',
      'platform.sampleValidators',
      inBody('7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'),
      'result.validators',
    ],
    [
      'a changed order of a list without a mask',
      'platform.getCurrentValidators',
      inBody(/"addresses":\[("[^"]*")\]/, '"addresses":["",$1]'),
      'addresses',
    ],
    ['a changed UTXO', 'platform.getUTXOs', inBody('0x0000cdc2', '0x0000cdc3'), 'result.utxos[0]'],
    [
      'a changed status',
      'GET /ext/info',
      (answer: Exchange.Answer) => ({ ...answer, status: 404 }),
      'status',
    ],
    ['a changed text', 'GET /ext/info', inBody('GET', 'PUT'), 'body'],
    ['a changed health status', 'GET /ext/health', inBody('"healthy":true', '"healthy":false'), 'healthy'],
  ])('detects %s', async (_name, method, change, where) => {
    const { outcomes } = await replay(change, method)
    const failed = outcomes.filter(({ status }) => status === 'failed')
    expect(failed).toHaveLength(1)
    expect(failed[0]).toHaveProperty('where', expect.stringContaining(where))
  })

  it.each([
    ['missing', (headers: readonly Exchange.Header[]) => headers.filter(([name]) => name !== 'Vary')],
    ['added', (headers: readonly Exchange.Header[]) => [...headers, ['Server', 'x'] as const]],
    ['repeated', (headers: readonly Exchange.Header[]) => [...headers, ['Vary', 'Accept'] as const]],
    [
      'changed',
      (headers: readonly Exchange.Header[]) =>
        headers.map(([name, value]) =>
          name === 'Node-Id' ? ([name, `${value}x`] as const) : ([name, value] as const),
        ),
    ],
  ])('fails on a response header that is %s', async (_name, change) => {
    const { outcomes } = await replay((answer) => ({ ...answer, headers: change(answer.headers) }))
    expect(outcomes.map((it) => it.status)).toEqual(recorded.map(() => 'failed'))
  })

  it('fails if the server closes the connection without a response', async () => {
    const options = { ...LOCAL, ignoredHeaders: [], facts }
    const { report } = await Replay.run(
      'sample',
      recorded.slice(0, 1),
      () => Promise.reject(new RangeError('broken')),
      options,
    )
    expect(report.results[0]?.outcome).toMatchObject({ where: 'answer', actual: 'bare RangeError: broken' })
  })
})

describe('exceptions', () => {
  it('fails if no response needs a listed mask', async () => {
    const masks = [peer('[].lastSent', 'time'), peer('[].lastReceived', 'time'), peer('[].nope', 'time')]
    const change = inBody(/"lastSent":"[^"]*"/, '"lastSent":"2027-01-01T00:00:00Z"')
    const { used } = await replay(change, 'info.peers', { masks, named: [] })
    const failed = Replay.reportOfMasks(masks, used).results.filter(
      ({ outcome }) => outcome.status === 'failed',
    )
    expect(failed.map(({ name }) => name)).toEqual([
      'info.peers result.peers[].lastReceived',
      'info.peers result.peers[].nope',
    ])
  })

  it('skips an exchange that is listed as an exception and reports the reason, and fails if its response now matches', async () => {
    const exceptions: Exceptions = { masks: [], named: [{ file: 'sample', line: 1, reason: 'words' }] }
    const excused = await replay(inBody('12345', '1'), 'info.getNetworkID', exceptions)
    expect(excused.outcomes[0]).toEqual({ status: 'skipped', reason: 'words' })
    const gone = await replay((answer) => ({ ...answer, status: 404 }), 'info.getNetworkID', exceptions)
    expect(gone.outcomes[0]).toHaveProperty('where', 'status')
    const named = exceptions.named.map((it) => ({ ...it, status: 404 }))
    const other = { masks: [], named }
    const known = await replay((answer) => ({ ...answer, status: 404 }), 'info.getNetworkID', other)
    expect(known.outcomes[0]).toEqual({ status: 'skipped', reason: 'words' })
    const back = await replay(inBody('12345', '1'), 'info.getNetworkID', other)
    expect(back.outcomes[0]).toHaveProperty('status', 'failed')
    const needless = await replay((answer) => answer, 'info.getNetworkID', exceptions)
    expect(needless.outcomes[0]).toHaveProperty('status', 'failed')
  })
})

it('sends repeated responses in recorded order, and 501 for unknown requests', async () => {
  const first = recorded[0] as Exchange.Exchange
  const second = { ...first, answer: { ...first.answer, body: '{"id":1}' } }
  const server = await RecordedServer.start([first, second])
  const caller = HttpCall.create(server.port)
  const bodies: string[] = []
  for (const body of [
    first.request.body,
    first.request.body,
    '{"id":7,"method":"info.getNetworkID","params":{}}',
    '{}',
  ]) {
    const answer = await caller.call({ ...first.request, body })
    bodies.push(`${answer.status} ${answer.body}`)
  }
  caller.close()
  await server.close()
  expect(bodies).toEqual([`200 ${first.answer.body}`, '200 {"id":1}', '200 {"id":7}', '501 '])
  expect([...server.answered()]).toEqual([first, second])
  expect(server.unknown()).toHaveLength(1)
})

it.each([
  ['an unknown field', { more: 1 }],
  ['a missing status', { status: null }],
  ['a content type that differs from its headers', { contentType: 'text/html' }],
])('rejects a recorded line with %s', (_name, change) => {
  const line = readSamples<readonly RawCase[]>('replay')['local']?.[0]
  expect(() => Exchange.fromLine({ ...line, ...change })).toThrow(/expected|unknown field/)
})
