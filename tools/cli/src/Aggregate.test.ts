import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hex } from '@firn/codec'
import { Payload, UnsignedMessage } from '@firn/warp'
import { afterEach, describe, expect, test } from 'vitest'
import * as Run from './Run.ts'
import * as SigningMeter from './SigningMeter.ts'

const MESSAGE = Hex.encodeBare(
  UnsignedMessage.encode({
    networkID: 12_345,
    sourceChainID: new Uint8Array(32).fill(7),
    payload: Payload.encode({ type: 'Hash', hash: new Uint8Array(32).fill(9) }),
  }),
)
const SOURCE = ['--network', 'local', '--source-chain', 'a chain', '--transaction', '0xab']

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

type Call = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Answer = (call: Call, response: ServerResponse) => void

/** Starts an aggregator that answers its calls with `answers` in turn, and runs `firn aggregate` with it. */
const run = async (argv: readonly string[], ...answers: readonly Answer[]) => {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body }
    answers[calls.push(call) - 1]?.(call, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const out: string[] = []
  const notes: string[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const code = await Run.run(['aggregate', ...argv, '--aggregator', url], {
    print: (line) => out.push(line),
    note: (line) => notes.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  })
  return { code, out, notes: notes.join('\n'), calls }
}

const json =
  (status: number, body: object): Answer =>
  (_call, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const accepted: Answer = (_call, response) =>
  response.writeHead(202, { location: '/v1/jobs/7' }).end('{"jobId":"7"}')

/** Sends events. If `isBroken`, the connection then breaks. */
const events =
  (list: readonly (readonly [id: string, name: string, data: object])[], isBroken = false): Answer =>
  (_call, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 1000\n\n: a comment\n\n')
    for (const [id, name, data] of list)
      response.write(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    if (isBroken) setImmediate(() => response.destroy())
    else response.end()
  }

const progress = { messages: 1, signed: 0, failed: 0, current: [] }

describe('firn aggregate', () => {
  test('creates a job, follows its events, and prints the signed message', async () => {
    const { code, out, calls } = await run(
      [MESSAGE, '--api-key', 'secret'],
      accepted,
      events([
        ['1-0', 'progress', progress],
        ['end', 'done', { signedMessage: 'abcd' }],
      ]),
    )
    expect([code, out]).toEqual([0, ['0xabcd']])
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/signatureAggregator/local/aggregateSignatures?report=true&proof=true',
      'GET /v1/jobs/7/events',
    ])
    expect(calls[0]?.headers['prefer']).toBe('respond-async')
    expect(calls.map(({ headers }) => headers['x-data-api-key'])).toEqual(['secret', 'secret'])
  })

  test('opens the events again after the last one if the connection breaks', async () => {
    const { out, calls } = await run(
      [MESSAGE],
      accepted,
      events([['1-5', 'progress', progress]], true),
      events([['end', 'done', { signedMessage: 'abcd' }]]),
    )
    expect(out).toEqual(['0xabcd'])
    expect(calls.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined, '1-5'])
  })

  test('prints the result of an aggregator without jobs', async () => {
    const { out, calls } = await run([MESSAGE, '--json'], json(200, { signedMessage: 'abcd' }))
    expect([out, calls.length]).toEqual([['{"signedMessage":"abcd"}'], 1])
  })

  test('reports the error of a failed job, and a job that has expired', async () => {
    const failed = await run([MESSAGE], accepted, events([['end', 'failed', { message: 'no quorum' }]]))
    expect([failed.code, failed.notes]).toEqual([1, expect.stringContaining('no quorum')])
    const gone = await run([MESSAGE], accepted, json(404, {}))
    expect([gone.code, gone.notes]).toEqual([1, expect.stringMatching(/Lost the connection .*\/v1\/jobs\/7/)])
  })

  test('signs all messages of a transaction, and fails if one of them is not signed', async () => {
    const results = [{ signedMessage: 'abcd' }, { messageId: '0x07', message: 'no quorum', statusCode: 502 }]
    const { code, out, notes, calls } = await run(SOURCE, accepted, events([['end', 'done', { results }]]))
    expect([code, out, notes]).toEqual([
      1,
      ['0xabcd'],
      expect.stringContaining('0x07 is not signed: no quorum'),
    ])
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      sourceChain: 'a chain',
      transactionHash: '0xab',
      waitMs: 10_000,
    })
    expect(calls[0]?.path).not.toContain('report')
  })

  test('passes --wait on, and leaves the time to the aggregator without it', async () => {
    for (const [argv, waitMs] of [
      [[MESSAGE], undefined],
      [[MESSAGE, '--wait', '1m'], 60_000],
      [[...SOURCE, '--wait', '0s'], 0],
    ] as const) {
      const { calls } = await run(argv, json(400, { message: 'no' }))
      expect(JSON.parse(calls[0]?.body ?? '').waitMs).toBe(waitMs)
    }
  })

  test.each([
    [[]],
    [[MESSAGE, ...SOURCE]],
    [[...SOURCE, '--block', '1']],
    [['--source-chain', 'a chain']],
    [[MESSAGE, '--transaction', '0xab']],
  ])('rejects contradictory arguments: %j', async (argv) => {
    const { code, notes, calls } = await run(argv)
    expect([code, notes, calls]).toEqual([2, expect.stringContaining('pass '), []])
  })
})

test('shows the signed and the needed part of the weight, or the number of signed messages', () => {
  const weights = { collectedWeight: '335', neededWeight: '670', totalWeight: '1000' }
  const one = { ...progress, current: [{ state: 'collecting', ...weights }] }
  expect(SigningMeter.reading(one)).toEqual({
    part: 0.5,
    text: '33.5 % of the weight signed, 67 % needed',
  })
  expect(SigningMeter.reading(progress)).toEqual({ part: 0, text: 'waiting' })
  expect(SigningMeter.reading({ messages: 4, signed: 2, failed: 1, current: [] })).toEqual({
    part: 0.75,
    text: '2 of 4 messages signed, 1 failed',
  })
})
