import { Hex, Id } from '@firn/codec'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, failing, message, missed, PATH, RESULT, setUp } from '../testing/app.ts'
import { C_CHAIN, createMessage, NETWORK_ID } from '../testing/fakes.ts'

afterEach(closeAll)

const BATCH_PATH = `${PATH}:batch`
const texts = (count: number) =>
  Array.from({ length: count }, (_, i) => Hex.encode(createMessage(C_CHAIN, NETWORK_ID, `message ${i}`)))
const requests = (count: number) => texts(count).map((text) => ({ message: text }))

async function setUpBatch(options: Parameters<typeof setUp>[0] = {}) {
  const parts = await setUp(options)
  const batch = (messages: unknown, query = '', headers = {}) =>
    parts.post({ messages }, { url: `${BATCH_PATH}${query}`, headers })
  return { ...parts, batch }
}

describe('aggregateSignatures:batch', () => {
  it('returns one result for each message in order, and an error only for invalid messages', async () => {
    const { batch, asked } = await setUpBatch()
    const [first = '', second = ''] = texts(2)
    const foreign = Hex.encode(createMessage(C_CHAIN, 1))
    const { status, body } = await batch([
      { message: first, quorumPercentage: 50 },
      { message: 'not hex' },
      { message: second, typo: 1 },
      7,
      { message: foreign },
      { message: second },
    ])
    const failed = { error: 'Bad Request', statusCode: 400 }
    const idOf = (text: string) => Hex.encode(Id.hash(Hex.decode(text)))
    expect([status, body.results]).toEqual([
      200,
      [
        { messageId: idOf(first), signedMessage: 'abcd' },
        { ...failed, message: expect.stringMatching(/^message: /) },
        { ...failed, message: expect.stringMatching(/^typo: /) },
        { ...failed, message: expect.stringMatching(/^body: .* got 7$/) },
        { ...failed, messageId: idOf(foreign), message: expect.stringMatching(/^message: .* network id/) },
        { messageId: idOf(second), signedMessage: 'abcd' },
      ],
    ])
    expect(asked.map(({ quorumPercentage }) => quorumPercentage)).toEqual([50, 67])
  })

  it('includes the report of each message, also of a message that missed its quorum', async () => {
    const { batch } = await setUpBatch({ aggregate: failing(missed) })
    const { body } = await batch([{ message }], '?report=true')
    expect(body.results).toMatchObject([
      {
        statusCode: 502,
        message: expect.stringMatching(/^quorum not reached/),
        report: { totalWeight: '100' },
      },
    ])
    expect((await batch([{ message }])).body.results[0].report).toBeUndefined()
  })

  it('hides the details of an internal error', async () => {
    const { batch } = await setUpBatch({ aggregate: failing(new RangeError('secret')) })
    const { body } = await batch([{ message }])
    expect(body.results).toEqual([
      {
        messageId: expect.any(String),
        message: expect.not.stringContaining('secret'),
        error: 'Internal Server Error',
        statusCode: 500,
      },
    ])
  })

  it.each([
    ['no list', {}, /^messages: expected a list of 1 to 256 requests, got nothing$/],
    ['an empty list', { messages: [] }, /^messages: expected a list of 1 to 256 requests, got \[\]$/],
    [
      'more than 256 messages',
      { messages: requests(257) },
      /^messages: expected a list of 1 to 256 requests/,
    ],
    [
      'an unknown field',
      { messages: [{ message }], message },
      /^message: expected one of the fields messages/,
    ],
    ['a list as the body', [{ message }], /^body: expected a JSON object with messages, got \[/],
  ])('rejects a body with %s', async (_name, body, says) => {
    const { post, asked } = await setUpBatch()
    const response = await post(body, { url: BATCH_PATH })
    expect([response.status, response.body.message]).toEqual([400, expect.stringMatching(says)])
    expect(asked).toEqual([])
  })

  it('accepts 256 messages, but at most 32 if the response contains reports or proofs', async () => {
    const { batch } = await setUpBatch()
    const { status, body } = await batch(requests(256))
    expect([status, body.results.length]).toEqual([200, 256])
    expect((await batch(requests(32), '?report=true')).status).toBe(200)
    expect(await batch(requests(33), '?proof=true')).toMatchObject({
      status: 400,
      body: { message: 'proof: expected at most 32 messages if proof is true, got 33' },
    })
  })

  it('signs only a limited number of messages at the same time', async () => {
    let running = 0
    let most = 0
    const aggregate = async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return RESULT
    }
    const { batch } = await setUpBatch({ aggregate })
    await Promise.all([batch(requests(6)), batch(requests(6))])
    // The limit of the tests is 4.
    expect([most, running]).toEqual([4, 0])
  })

  it('requires an API key, and returns 404 for other networks and methods', async () => {
    const { batch, server } = await setUpBatch({ configuration: { apiKeys: ['right'] } })
    expect((await batch([{ message }])).status).toBe(401)
    expect((await batch([{ message }], '', { 'x-data-api-key': 'right' })).status).toBe(200)
    const url = BATCH_PATH.replace('local', 'fuji')
    const headers = { 'x-data-api-key': 'right' }
    expect((await server.inject({ method: 'POST', url, headers, payload: {} })).statusCode).toBe(404)
    expect((await server.inject(BATCH_PATH)).json().message).toContain('use POST')
  })
})

describe('rate limit of batches', () => {
  it('counts every message of a batch', async () => {
    const { batch, post } = await setUpBatch({ configuration: { rateLimitPerMinute: 5 } })
    const first = await batch(requests(3))
    expect([first.status, first.headers['ratelimit-remaining']]).toEqual([200, '2'])
    // This request itself is counted, but not its messages.
    const tooMany = await batch(requests(3))
    expect([tooMany.status, tooMany.body.message]).toEqual([
      429,
      expect.stringMatching(/^3 messages exceed the rate limit of 5 a minute; try again in \d+ s$/),
    ])
    expect(tooMany.headers['retry-after']).toMatch(/^\d+$/)
    expect((await post({ message })).status).toBe(200)
    expect((await post({ message })).status).toBe(429)
  })

  it('reports a batch that exceeds the whole rate limit', async () => {
    const { batch } = await setUpBatch({ configuration: { rateLimitPerMinute: 5 } })
    const { status, body } = await batch(requests(6))
    expect([status, body.message]).toEqual([429, expect.stringContaining('always exceeds')])
  })
})
