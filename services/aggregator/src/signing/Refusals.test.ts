import { AggregationError } from '@firn/aggregation'
import { Hex, Id } from '@firn/codec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as ErrorTable from '../errors/ErrorTable.ts'
import { closeAll, failing, GO_PATH, message, missed, PATH, REPORT, setUp } from '../testing/app.ts'
import { C_CHAIN, createMessage, L1_CHAIN, L1_SUBNET } from '../testing/fakes.ts'

afterAll(closeAll)

/** Invalid input, with a pattern of the expected error text. */
const BAD_INPUT: readonly (readonly [name: string, payload: unknown, says: RegExp])[] = [
  ['no body', undefined, /^body: expected a JSON object .*, got nothing$/],
  ['an empty body', '', /^body: expected a JSON object .*, got nothing$/],
  ['a body that is not JSON', '{"message"', /^body: expected JSON: /],
  ['a body that is a list', '[]', /^body: expected a JSON object .* got \[\]$/],
  [
    'neither message nor justification',
    {},
    /^message: expected a message, a justification, or both, got neither$/,
  ],
  ['an odd number of hex digits', { message: '0x123' }, /^message: expected an even number of hex digits/],
  ['characters that are not hex', { message: 'hello!' }, /^message: expected a hex digit/],
  [
    'an odd number of hex digits in the justification',
    { message, justification: 'abc' },
    /^justification: expected an even number/,
  ],
  ['a truncated message', { message: message.slice(0, -2) }, /^message: expected an unsigned Warp message/],
  ['trailing bytes', { message: `${message}00` }, /^message: expected an unsigned Warp message/],
  [
    'another network’s message',
    { message: Hex.encode(createMessage(C_CHAIN, 1)) },
    /^message: expected network id 12345, got 1$/,
  ],
  [
    'an unknown source chain',
    { message: Hex.encode(createMessage(new Uint8Array(32).fill(1))) },
    /^message: its source chain .* is unknown/,
  ],
  [
    'an unknown subnet',
    { message, signingSubnetId: Id.format(new Uint8Array(32).fill(1)) },
    /^signingSubnetId: subnet .* is unknown/,
  ],
  [
    'a subnet without validators',
    { message, signingSubnetId: Id.format(L1_SUBNET) },
    /^signingSubnetId: .* has no validators/,
  ],
  [
    'a negative quorum',
    { message, quorumPercentage: -1 },
    /^quorumPercentage: expected an integer from 0 to 100, got -1$/,
  ],
  ['a fractional quorum', { message, quorumPercentage: 66.6 }, /^quorumPercentage: .* got 66.6$/],
  ['a quorum that is a string', { message, quorumPercentage: '67' }, /^quorumPercentage: .* got "67"$/],
  ['a quorum over 100', { message, quorumPercentage: 101 }, /^quorumPercentage: .* got 101$/],
  [
    'a sum of quorum and buffer over 100',
    { message, quorumPercentageBuffer: 34 },
    /^quorumPercentage and quorumPercentageBuffer: .* 67 \+ 34 = 101$/,
  ],
  ['a negative height', { message, pChainHeight: -1 }, /^pChainHeight: .* got -1$/],
  ['a fractional height', { message, pChainHeight: 0.5 }, /^pChainHeight: .* got 0.5$/],
  ['a height that is a string', { message, pChainHeight: '9' }, /^pChainHeight: .* got "9"$/],
  [
    'a height in the future',
    { message, pChainHeight: 121 },
    /^pChainHeight: 121 is in the future; the P-chain is at 120$/,
  ],
  [
    'a height far in the future',
    '{"message":"0x00","pChainHeight":18446744073709551615}',
    /^pChainHeight: .* got 18446744073709551615$/,
  ],
  [
    'a height beyond the lookback',
    { message, pChainHeight: 69 },
    /^pChainHeight: 69 is more than 50 below the tip 120/,
  ],
]

describe('invalid input', () => {
  let service: Awaited<ReturnType<typeof setUp>>
  beforeAll(async () => {
    service = await setUp()
  })

  it.each(BAD_INPUT)('rejects %s', async (_name, payload, says) => {
    const { post, asked } = service
    const { status, body } = await post(payload, { headers: { 'content-type': 'application/json' } })
    expect(body).toEqual({ message: expect.stringMatching(says), error: 'Bad Request', statusCode: 400 })
    expect([status, asked.length]).toEqual([400, 0])
  })

  it('returns 400 with the name of the field for an invalid query parameter', async () => {
    const { body } = await service.post({ message }, { url: `${PATH}?report=yes` })
    expect(body).toMatchObject({ statusCode: 400, message: 'report: expected true or false, got "yes"' })
  })
})

describe('other rejections', () => {
  it('returns 413 in the common error format for a body above the size limit', async () => {
    const { post } = await setUp({ configuration: { bodyLimitBytes: 1024 } })
    const { status, body } = await post({ message: '0x'.padEnd(2000, '0') })
    expect([status, body]).toEqual([
      413,
      { message: expect.stringMatching(/^body: /), error: 'Payload Too Large', statusCode: 413 },
    ])
  })

  it('returns 404 for a network that is not served, for an unknown path, and for a wrong method', async () => {
    const { server, post } = await setUp({ networkNames: ['fuji', 'testnet'] })
    expect((await post({ message })).body).toMatchObject({
      statusCode: 404,
      message: expect.stringContaining('fuji or testnet'),
    })
    expect((await post({ message }, { url: PATH.replace('local', 'testnet') })).status).toBe(200)
    for (const [method, url, hint] of [
      ['GET', '/nothing', /^Cannot GET \/nothing/],
      ['GET', PATH, /use POST$/],
      ['GET', `${PATH}/0x${'ab'.repeat(32)}`, /the Data API has this endpoint .*transactionHash/],
      ['POST', '/health', /^Cannot POST \/health/],
      ['GET', '/%zz', /./],
    ] as const) {
      const response = await server.inject({ method, url })
      expect(response.statusCode, url).toBe(404)
      expect(response.json()).toEqual({
        message: expect.stringMatching(hint),
        error: 'Not Found',
        statusCode: 404,
      })
    }
  })

  it('returns 401 without a valid API key if keys are configured', async () => {
    const { server, post } = await setUp({ configuration: { apiKeys: ['one', 'two'] } })
    expect((await post({ message })).body).toMatchObject({ error: 'Unauthorized', statusCode: 401 })
    const good: readonly Record<string, string>[] = [
      { 'x-data-api-key': 'one' },
      { 'x-glacier-api-key': 'two' },
      { authorization: 'Bearer one' },
    ]
    for (const headers of good) expect((await post({ message }, { headers })).status).toBe(200)
    expect((await post({ message }, { headers: { 'x-data-api-key': 'three' } })).status).toBe(401)
    expect((await post({ message }, { url: GO_PATH })).status).toBe(401)
    expect((await server.inject('/metrics')).statusCode).toBe(200)
  })

  it('returns 403 for a subnet that is not on the allow list', async () => {
    const { post } = await setUp({ allowed: { signingSubnets: [L1_SUBNET] } })
    expect((await post({ message })).body).toMatchObject({
      error: 'Forbidden',
      statusCode: 403,
      message: expect.stringContaining('Primary Network'),
    })
  })

  it('returns 403 for a source chain that is not on the allow list, without a request to the node API', async () => {
    const { post, pChain, asked } = await setUp({ allowed: { sourceChains: [C_CHAIN] } })
    expect((await post({ message })).status).toBe(200)
    const calls = pChain.calls.length
    for (const [url, member] of [
      [PATH, 'message'],
      [GO_PATH, 'error'],
    ] as const) {
      const { status, body } = await post({ message: Hex.encode(createMessage(L1_CHAIN)) }, { url })
      expect([status, body[member]]).toEqual([
        403,
        `message: this service does not collect signatures for messages of chain ${Id.format(L1_CHAIN)}`,
      ])
    }
    const fromPlatform = Hex.encode(createMessage(Id.EMPTY))
    expect((await post({ message: fromPlatform })).body.message).toContain('messages of the P-chain')
    expect([pChain.calls.length, asked.length]).toEqual([calls, 1])
  })

  it('returns 429 with Retry-After beyond the rate limit', async () => {
    const { post } = await setUp({ configuration: { rateLimitPerMinute: 2 } })
    await post({ message })
    await post({ message: 'bad' })
    const { status, body, headers } = await post({ message })
    expect([status, body]).toEqual([
      429,
      { message: expect.stringContaining('2 requests'), error: 'Too Many Requests', statusCode: 429 },
    ])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('failures', () => {
  it('returns 502 for a missed quorum, with the signed weight, the needed weight and the reasons', async () => {
    const { post } = await setUp({ aggregate: failing(missed) })
    expect((await post({ message })).body).toEqual({
      message:
        'quorum not reached: weight 60 of 100 signed (60 %), 67 needed (67 %); main reasons: 40 % of the weight (1 validator) refused (code 2: "not accepted"); if the message was just sent, ask again, or with a longer waitMs',
      error: 'Bad Gateway',
      statusCode: 502,
    })
  })

  it('mentions the weight that cannot sign, if the quorum is missed', async () => {
    const report = { ...REPORT, totalWeight: 200n, neededWeight: 134n }
    const keyless = new AggregationError('AGGREGATION_QUORUM_IMPOSSIBLE', 'no quorum', {
      details: { report },
    })
    const { post } = await setUp({ aggregate: failing(keyless) })
    expect((await post({ message })).body.message).toContain(
      '(code 2: "not accepted"); 50 % of the weight cannot sign (inactive or without a BLS key)',
    )
  })

  it('returns 502 with the report for a missed quorum if the report was requested', async () => {
    const { post } = await setUp({ aggregate: failing(missed) })
    const { body } = await post({ message }, { url: `${PATH}?report=true` })
    expect(body.statusCode).toBe(502)
    expect(body.report).toMatchObject({
      pChainHeight: '100',
      validators: [{ outcome: 'signed' }, { outcome: 'refused' }],
    })
  })

  it('returns 200 while the upstream is down but cached data is fresh, and then 503', async () => {
    const { post, pChain, clock } = await setUp()
    await post({ message })
    pChain.isDown = true
    await clock.advance(50_000)
    expect((await post({ message })).status).toBe(200)
    await clock.advance(20_000)
    expect((await post({ message })).body).toMatchObject({
      statusCode: 503,
      message: expect.stringContaining('70 s ago'),
    })
  })

  it('returns 503 when the request times out', async () => {
    const { post } = await setUp({
      configuration: { requestTimeout: 1_000 },
      aggregate: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () =>
            reject(new AggregationError('AGGREGATION_ABORTED', 'aborted')),
          )
        }),
    })
    expect((await post({ message })).body).toMatchObject({
      statusCode: 503,
      message: expect.stringContaining('1 s'),
    })
  })

  it('returns 500 without details for an internal error', async () => {
    const { post } = await setUp({ aggregate: failing(new TypeError('secret of the house')) })
    const { status, body } = await post({ message })
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret')])
  })

  it('returns the status in the error table for every error code', async () => {
    let code = ''
    const { post } = await setUp({
      aggregate: () => failing(new AggregationError(code as 'AGGREGATION_INPUT', 'why'))(),
    })
    for (const [name, { status }] of Object.entries(ErrorTable.TABLE)) {
      code = name
      expect((await post({ message })).body, name).toMatchObject({
        statusCode: status,
        error: ErrorTable.STATUS_NAMES[status],
      })
    }
  })
})
