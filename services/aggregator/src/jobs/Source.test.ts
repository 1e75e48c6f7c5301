import { Hex, Id } from '@firn/codec'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, failing, missed, PATH, setUp } from '../testing/app.ts'
import { C_CHAIN, createMessage, L1_CHAIN, NETWORK_ID } from '../testing/fakes.ts'
import { ASYNC, setUpJobs } from '../testing/jobs.ts'
import { createFakeNode, HASH, warpLog } from '../testing/sourceChain.ts'

afterEach(closeAll)

const BATCH_PATH = `${PATH}:batch`
const sourceChain = Id.format(C_CHAIN)
const TRANSACTION = { sourceChain, transactionHash: HASH }
const configuration = { chainRpc: `${sourceChain}=http://node.test/ext/bc/C/rpc` }

async function setUpSource(options: Parameters<typeof setUp>[0] = {}) {
  const { node, fetch } = createFakeNode()
  const parts = await setUp({
    rpc: fetch,
    ...options,
    configuration: { ...configuration, ...options.configuration },
  })
  return { ...parts, node }
}

const found = (text: string, logIndex: number) => {
  const message = createMessage(C_CHAIN, NETWORK_ID, text)
  return {
    unsignedMessage: Hex.encodeBare(message),
    messageId: Hex.encode(Id.hash(message)),
    transactionHash: HASH,
    blockNumber: 16,
    logIndex,
  }
}

describe('a request that names a source chain', () => {
  it.each([PATH, BATCH_PATH])('signs all messages of a transaction or block at %s', async (url) => {
    const { post, asked } = await setUpSource()
    const results = [
      { ...found('first', 3), signedMessage: 'abcd' },
      { ...found('second', 4), signedMessage: 'abcd' },
    ]
    const answer = await post({ ...TRANSACTION, quorumPercentage: 50 }, { url })
    expect([answer.status, answer.body]).toEqual([200, { results }])
    expect(asked.map(({ quorumPercentage }) => quorumPercentage)).toEqual([50, 50])
    expect((await post({ sourceChain, blockNumber: 16 }, { url })).body).toEqual({ results })
  })

  it('returns the unsigned message and the error of a message that is not signed', async () => {
    const { post } = await setUpSource({ aggregate: failing(missed) })
    const { status, body } = await post(TRANSACTION)
    expect([status, body.results[1]]).toMatchObject([200, { ...found('second', 4), statusCode: 502 }])
  })

  it('can be a job, which fails if the transaction has no messages', async () => {
    const { node, fetch } = createFakeNode()
    const { submit, read, pending } = await setUpJobs({ rpc: fetch, configuration })
    const path = await submit({}, PATH, TRANSACTION)
    expect((await read(path)).body.progress).toMatchObject({
      messages: 2,
      current: [{ state: 'collecting' }, {}],
    })
    for (const aggregation of pending) await aggregation.sign()
    expect((await read(path)).body).toMatchObject({
      state: 'done',
      result: {
        results: [
          { signedMessage: 'abcd', logIndex: 3 },
          { signedMessage: 'abcd', logIndex: 4 },
        ],
      },
    })
    node.logs = []
    const failed = await submit({}, PATH, TRANSACTION)
    expect((await read(failed)).body).toMatchObject({ state: 'failed', error: { statusCode: 400 } })
  })

  it.each<[string, object, RegExp]>([
    ['neither a transaction nor a block', { sourceChain }, /^transactionHash: .* got neither$/],
    ['both', { ...TRANSACTION, blockNumber: 1 }, /^transactionHash: .* got both$/],
    [
      'a short hash',
      { sourceChain, transactionHash: '0xab' },
      /^transactionHash: expected 64 hex digits with 0x/,
    ],
    ['a negative block', { sourceChain, blockNumber: -1 }, /^blockNumber: expected an integer from 0/],
    [
      'an invalid chain',
      { ...TRANSACTION, sourceChain: 'http://10.0.0.1' },
      /^sourceChain: expected a blockchain id/,
    ],
    ['an unknown field', { ...TRANSACTION, url: 'http://10.0.0.1' }, /^url: expected one of the fields/],
    ['a message as well', { ...TRANSACTION, message: '0x00' }, /^message: expected one of the fields/],
    [
      'an invalid quorum',
      { ...TRANSACTION, quorumPercentage: 101 },
      /^quorumPercentage: expected an integer/,
    ],
    ['an invalid subnet', { ...TRANSACTION, signingSubnetId: 'x' }, /^signingSubnetId: expected a subnet id/],
    [
      'a destination without RPC',
      { ...TRANSACTION, destinationChain: Id.format(L1_CHAIN) },
      /^destinationChain: .*--chain-rpc \w+=<url>$/,
    ],
    [
      'a chain without RPC',
      { ...TRANSACTION, sourceChain: Id.format(L1_CHAIN) },
      /^sourceChain: .*--chain-rpc \w+=<url>$/,
    ],
  ])('rejects a body with %s, without a call to the node', async (_name, body, says) => {
    const { post, node } = await setUpSource()
    const all = [PATH, BATCH_PATH].flatMap((url) => [{}, ASYNC].map((headers) => ({ url, headers })))
    for (const options of all) {
      const { status, body: answer } = await post(body, options)
      expect([status, answer.message]).toEqual([400, expect.stringMatching(says)])
    }
    expect(node.calls).toEqual([])
  })

  it('counts each message of a job when they are found, and signs none beyond the rate limit', async () => {
    const { node, fetch } = createFakeNode()
    const settings = { ...configuration, rateLimitPerMinute: 11 }
    const { submit, read, pending } = await setUpJobs({ rpc: fetch, configuration: settings })
    node.logs = Array.from({ length: 6 }, (_, i) => warpLog(`message ${i}`, i))
    await submit({}, PATH, TRANSACTION)
    const { length } = pending
    expect(length).toBeGreaterThan(0)
    const second = await submit({}, PATH, TRANSACTION)
    expect((await read(second)).body).toMatchObject({
      state: 'failed',
      error: { statusCode: 429, message: expect.stringMatching(/^6 messages exceed the rate limit/) },
    })
    expect(pending).toHaveLength(length)
  })

  it('limits the number of messages, and counts each against the rate limit', async () => {
    const { post, node } = await setUpSource({ configuration: { rateLimitPerMinute: 40 } })
    node.logs = Array.from({ length: 33 }, (_, i) => warpLog(`message ${i}`, i))
    expect(await post(TRANSACTION, { url: `${PATH}?report=true` })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('at most 32 messages') },
    })
    expect((await post(TRANSACTION)).status).toBe(200)
    expect((await post(TRANSACTION)).status).toBe(429)
    node.logs = Array.from({ length: 257 }, (_, i) => warpLog(`message ${i}`, i))
    expect(await post(TRANSACTION)).toMatchObject({
      status: 400,
      body: { message: 'messages: expected at most 256, got 257' },
    })
  })
})
