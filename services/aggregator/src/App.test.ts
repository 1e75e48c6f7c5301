import {
  AggregationError,
  type AggregationRequest,
  type AggregationResult,
  type Report,
} from '@firn/aggregation'
import { Hex, Id } from '@firn/codec'
import { WarpEvent } from '@firn/warp'
import Fastify, { type InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { app, serverOptions } from './App.ts'
import { createConfiguration } from './Configuration.ts'
import { createConnections } from './Connections.ts'
import * as ErrorTable from './ErrorTable.ts'
import {
  C_CHAIN,
  createFakeNetwork,
  createFakePChain,
  createManualClock,
  createMessage,
  L1_CHAIN,
  L1_SUBNET,
  NETWORK_ID,
} from './fakes.test-util.ts'
import { check } from './Health.ts'
import { createHeights } from './Heights.ts'
import { silent } from './internal/Logger.ts'
import { createSignatures } from './Signatures.ts'
import { createSubnets } from './Subnets.ts'
import { createValidatorSets } from './ValidatorSets.ts'

const PATH = '/v1/signatureAggregator/local/aggregateSignatures'
const GO_PATH = '/aggregate-signatures'
const message = Hex.encode(createMessage())

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const REPORT: Report = {
  validators: [
    {
      index: 0,
      nodeIds: [new Uint8Array(20).fill(17)],
      weight: 60n,
      outcome: 'signed',
      latencyMs: 1.26,
      requests: 1,
      inSignedMessage: true,
    },
    {
      index: 1,
      nodeIds: [new Uint8Array(20).fill(18)],
      weight: 40n,
      outcome: 'refused',
      code: 2,
      text: 'not accepted',
      requests: 2,
      inSignedMessage: false,
    },
  ],
  signedWeight: 60n,
  neededWeight: 67n,
  targetWeight: 67n,
  totalWeight: 100n,
  reasons: [{ outcome: 'refused', code: 2, text: 'not accepted', validators: 1, weight: 40n }],
  counters: {
    requests: 3,
    responses: 1,
    malformed: 0,
    wrongSignatures: 0,
    redundant: 0,
    retries: 1,
    hedges: 0,
    fromCache: 0,
    batches: 1,
  },
  elapsedMs: 12.34,
}

const RESULT: AggregationResult = {
  signedMessage: Uint8Array.of(0xab, 0xcd),
  signers: [0],
  signedWeight: 60n,
  totalWeight: 100n,
  neededWeight: 67n,
  report: REPORT,
}

interface Setup {
  readonly configuration?: Parameters<typeof createConfiguration>[0]
  readonly allowedSubnets?: readonly Uint8Array[]
  readonly aggregate?: (request: AggregationRequest) => Promise<AggregationResult>
  readonly networkNames?: readonly string[]
}

/** The whole service but for sockets, over a P-chain, a network and an aggregator that the test plays. */
async function setUp({
  configuration,
  allowedSubnets = [],
  aggregate,
  networkNames = ['local'],
}: Setup = {}) {
  const pChain = createFakePChain()
  const clock = createManualClock()
  const network = createFakeNetwork()
  const register = new Registry()
  const limits = { staleAfterMs: 60_000, patienceMs: 1_000 }
  const heights = createHeights({ pChain, clock, ...limits, maxLookback: 50 })
  const subnets = createSubnets({ pChain, clock, log: silent() })
  const validatorSets = createValidatorSets({ pChain, heights, subnets, clock, register, ...limits })
  const connections = createConnections({
    network,
    pChain,
    validatorSets,
    clock,
    log: silent(),
    register,
    trackedSubnets: [],
    manualPeers: [],
    allowPrivate: true,
    connectTimeoutMs: 0,
    refreshMs: 60_000,
  })
  const asked: AggregationRequest[] = []
  const aggregator = {
    inFlight: 0,
    aggregate: async (request: AggregationRequest) => {
      asked.push(request)
      return aggregate === undefined ? RESULT : aggregate(request)
    },
  }
  const signatures = createSignatures({
    networkId: NETWORK_ID,
    subnets,
    validatorSets,
    connections,
    aggregator,
    clock,
    register,
    allowedSubnets,
  })
  const server = Fastify(serverOptions)
  await server.register(
    app({
      signatures,
      networkId: NETWORK_ID,
      networkNames,
      health: () =>
        check({ network: 'local', networkId: NETWORK_ID, heights, connections, clock, staleAfterMs: 60_000 }),
      register,
      version: '0.0.0',
      configuration: createConfiguration(configuration),
    }),
  )
  closers.push(() => server.close())
  const post = async (payload: unknown, options: InjectOptions = {}) => {
    const response = await server.inject({
      method: 'POST',
      url: PATH,
      payload: payload as object,
      ...options,
    })
    return {
      status: response.statusCode,
      body: JSON.parse(response.body || 'null'),
      headers: response.headers,
    }
  }
  return { server, post, pChain, clock, network, connections, asked }
}

describe('a signed message', () => {
  it('is hex without prefix, and nothing else unless asked for', async () => {
    const { post, asked } = await setUp()
    const { status, body, headers } = await post({
      message,
      justification: '0x01',
      quorumPercentage: 60,
      quorumPercentageBuffer: 5,
    })
    expect([status, body]).toEqual([200, { signedMessage: 'abcd' }])
    expect(headers['x-request-id']).toBeDefined()
    expect(asked[0]).toMatchObject({
      message: Hex.decode(message),
      justification: Uint8Array.of(1),
      quorumPercentage: 60,
      bufferPercentage: 5,
    })
    expect(asked[0]?.validatorSet.totalWeight).toBe(100n)
  })

  it('comes for event data as for the message itself, with any content type or none', async () => {
    const { post, asked } = await setUp()
    const event = Hex.encodeBare(WarpEvent.encodeData(createMessage()))
    expect((await post({ message: event })).status).toBe(200)
    expect(asked[0]?.message).toEqual(Hex.decode(message))
    const payload = JSON.stringify({ message })
    expect((await post(payload, { headers: { 'content-type': 'text/plain' } })).status).toBe(200)
    expect((await post(payload)).status).toBe(200)
  })

  it('comes with the report and the proof where asked', async () => {
    const { post } = await setUp()
    const { body } = await post({ message, pChainHeight: 90 }, { url: `${PATH}?report=true&proof=true` })
    expect(body.report).toMatchObject({
      pChainHeight: '90',
      signedWeight: '60',
      neededWeight: '67',
      totalWeight: '100',
      validators: [
        {
          index: 0,
          nodeIds: [expect.stringMatching(/^NodeID-/)],
          weight: '60',
          outcome: 'signed',
          latencyMs: 1.3,
          inSignedMessage: true,
        },
        { outcome: 'refused', code: 2, text: 'not accepted', requests: 2 },
      ],
    })
    expect(body.proof).toMatchObject({
      networkID: NETWORK_ID,
      pChainHeight: '90',
      totalWeight: '100',
      hash: expect.stringMatching(/^0x/),
    })
    expect(body.proof.validators).toHaveLength(4)
    const plain = await post({ message }, { url: `${PATH}?report=false` })
    expect(plain.body).toEqual({ signedMessage: 'abcd' })
  })

  it('is answered 201 where configured, or to the official SDK alone', async () => {
    const sdk = { headers: { 'user-agent': 'speakeasy-sdk/typescript 0.3.13' } }
    expect((await (await setUp()).post({ message }, sdk)).status).toBe(200)
    expect((await (await setUp({ configuration: { successStatus: '201' } })).post({ message })).status).toBe(
      201,
    )
    const auto = await setUp({ configuration: { successStatus: 'auto' } })
    expect([(await auto.post({ message }, sdk)).status, (await auto.post({ message })).status]).toEqual([
      201, 200,
    ])
  })

  it('has the signers of the source chain’s subnet unless another is named', async () => {
    const { post, pChain, asked } = await setUp()
    pChain.sets.set(Id.format(L1_SUBNET), pChain.sets.get(Id.format(Id.EMPTY))?.slice(0, 1) ?? [])
    await post({ message: Hex.encode(createMessage(L1_CHAIN)) })
    await post({ message, signingSubnetId: Id.format(L1_SUBNET) })
    await post({ message })
    expect(asked.map(({ validatorSet }) => validatorSet.totalWeight)).toEqual([40n, 40n, 100n])
  })
})

/** What the caller sent, and how the message begins. */
const BAD_INPUT: readonly (readonly [name: string, payload: unknown, says: RegExp])[] = [
  ['no body', undefined, /^body: expected a JSON object .*, got nothing$/],
  ['an empty body', '', /^body: expected a JSON object .*, got nothing$/],
  ['a body that is no JSON', '{"message"', /^body: expected JSON: /],
  ['a body that is a list', '[]', /^body: expected a JSON object .* got \[\]$/],
  [
    'neither message nor justification',
    {},
    /^message: expected a message, a justification, or both, got neither$/,
  ],
  ['odd digits', { message: '0x123' }, /^message: expected an even number of hex digits/],
  ['no hex digits', { message: 'hello!' }, /^message: expected a hex digit/],
  [
    'odd digits in the justification',
    { message, justification: 'abc' },
    /^justification: expected an even number/,
  ],
  ['a truncated message', { message: message.slice(0, -2) }, /^message: expected an unsigned Warp message/],
  ['trailing bytes', { message: `${message}00` }, /^message: expected an unsigned Warp message/],
  [
    'another network’s message',
    { message: Hex.encode(createMessage(C_CHAIN, 1)) },
    /^message: expected the network id 12345, got 1$/,
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
  ['a quorum as text', { message, quorumPercentage: '67' }, /^quorumPercentage: .* got "67"$/],
  ['a quorum over 100', { message, quorumPercentage: 101 }, /^quorumPercentage: .* got 101$/],
  [
    'a buffer over 100 in sum',
    { message, quorumPercentageBuffer: 34 },
    /^quorumPercentage and quorumPercentageBuffer: .* 67 \+ 34 = 101$/,
  ],
  ['a negative height', { message, pChainHeight: -1 }, /^pChainHeight: .* got -1$/],
  ['a fractional height', { message, pChainHeight: 0.5 }, /^pChainHeight: .* got 0.5$/],
  ['a height as text', { message, pChainHeight: '9' }, /^pChainHeight: .* got "9"$/],
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

describe('bad input gets 400 and the name of the field', () => {
  it.each(BAD_INPUT)('%s', async (_name, payload, says) => {
    const { post, asked } = await setUp()
    const { status, body } = await post(payload, { headers: { 'content-type': 'application/json' } })
    expect(body).toEqual({ message: expect.stringMatching(says), error: 'Bad Request', statusCode: 400 })
    expect([status, asked.length]).toEqual([400, 0])
  })

  it('also in the query', async () => {
    const { post } = await setUp()
    const { body } = await post({ message }, { url: `${PATH}?report=yes` })
    expect(body).toMatchObject({ statusCode: 400, message: 'report: expected true or false, got "yes"' })
  })
})

describe('other refusals', () => {
  it('413 for a body over the limit, in the error shape', async () => {
    const { post } = await setUp({ configuration: { bodyLimitBytes: 1024 } })
    const { status, body } = await post({ message: '0x'.padEnd(2000, '0') })
    expect([status, body]).toEqual([
      413,
      { message: expect.stringMatching(/^body: /), error: 'Payload Too Large', statusCode: 413 },
    ])
  })

  it('404 for a network that is not served, an unknown path, and a wrong method', async () => {
    const { server, post } = await setUp({ networkNames: ['fuji', 'testnet'] })
    expect((await post({ message })).body).toMatchObject({
      statusCode: 404,
      message: expect.stringContaining('fuji or testnet'),
    })
    expect((await post({ message }, { url: PATH.replace('local', 'testnet') })).status).toBe(200)
    for (const [method, url, hint] of [
      ['GET', '/nothing', /^Cannot GET \/nothing/],
      ['GET', PATH, /use POST$/],
      ['DELETE', GO_PATH, /use POST$/],
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

  it('401 without a good key where keys are configured', async () => {
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

  it('403 for a subnet that is not allowed', async () => {
    const { post } = await setUp({ allowedSubnets: [L1_SUBNET] })
    expect((await post({ message })).body).toMatchObject({
      error: 'Forbidden',
      statusCode: 403,
      message: expect.stringContaining('Primary Network'),
    })
  })

  it('429 with Retry-After beyond the rate limit, one budget per key', async () => {
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

const failing = (error: unknown) => async (): Promise<AggregationResult> => {
  throw error
}

describe('failures', () => {
  const missed = new AggregationError('AGGREGATION_QUORUM_NOT_REACHED', 'no quorum', {
    details: { report: REPORT },
  })

  it('502 without quorum: how much signed, how much was needed, why', async () => {
    const { post } = await setUp({ aggregate: failing(missed) })
    expect((await post({ message })).body).toEqual({
      message:
        'quorum not reached: weight 60 of 100 signed (60 %), 67 needed (67 %); main reasons: 40 % of the weight (1 validator) refused (code 2: "not accepted")',
      error: 'Bad Gateway',
      statusCode: 502,
    })
  })

  it('502 with the report where that was asked for', async () => {
    const { post } = await setUp({ aggregate: failing(missed) })
    const { body } = await post({ message }, { url: `${PATH}?report=true` })
    expect(body.statusCode).toBe(502)
    expect(body.report).toMatchObject({
      pChainHeight: '100',
      validators: [{ outcome: 'signed' }, { outcome: 'refused' }],
    })
  })

  it('503 while the upstream is down and nothing fresh is known, 200 while it is', async () => {
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

  it('503 when the request time-out passes', async () => {
    const { post } = await setUp({
      configuration: { requestTimeoutSeconds: 1 },
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

  it('500 for a fault, without a word of it', async () => {
    const { post } = await setUp({ aggregate: failing(new TypeError('secret of the house')) })
    const { status, body } = await post({ message })
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret')])
  })

  it.each(Object.entries(ErrorTable.TABLE))('%s has the status of the table', async (code, { status }) => {
    const { post } = await setUp({
      aggregate: failing(new AggregationError(code as 'AGGREGATION_INPUT', 'why')),
    })
    expect((await post({ message })).body).toMatchObject({
      statusCode: status,
      error: ErrorTable.STATUS_NAMES[status],
    })
  })

  it('are told in the words of the Go service on its route', async () => {
    const { post } = await setUp({ aggregate: failing(missed) })
    expect(await post({ message }, { url: GO_PATH })).toMatchObject({
      status: 500,
      body: {
        error: expect.stringMatching(
          /^failed to aggregate signatures. error: failed to collect a threshold of signatures: quorum not reached: weight 60/,
        ),
        message: expect.stringMatching(/^quorum not reached/),
      },
    })
  })
})

describe('the Go service’s route', () => {
  it('answers in its shape, with either spelling of the height', async () => {
    const { post, asked, pChain } = await setUp()
    for (const body of [{ 'pchain-height': 90 }, { 'p-chain-height': 90 }]) {
      const response = await post(
        { message, 'quorum-percentage': 60, 'signing-subnet-id': '', extra: 1, ...body },
        { url: GO_PATH },
      )
      expect([response.status, response.body]).toEqual([200, { 'signed-message': 'abcd' }])
    }
    expect(asked.map(({ quorumPercentage }) => quorumPercentage)).toEqual([60, 60])
    expect(pChain.calls.filter((call) => call.startsWith('validatorsAt'))).toEqual(['validatorsAt 90'])
  })

  /** Recorded answers of the Go service to the same bodies. */
  it.each([
    [undefined, 400, 'Could not decode request body'],
    ['{', 400, 'Could not decode request body'],
    [{ message: 5 }, 400, 'Could not decode request body'],
    [{ message: '0xzz' }, 400, 'Could not decode message'],
    [{ message: '0x123' }, 400, 'Could not decode message'],
    [{ message: '0x0000' }, 400, 'Error unpacking warp message'],
    [{ message: `${message}00` }, 400, 'Error unpacking warp message'],
    [{ message, justification: '123' }, 400, 'Could not decode justification'],
    [{ message, 'quorum-percentage': 101 }, 400, 'Invalid quorum number'],
    [{ message, 'quorum-percentage': '67' }, 400, 'Could not decode request body'],
    [{ message, 'quorum-percentage': 67.5 }, 400, 'Could not decode request body'],
    [{ message, 'quorum-percentage-buffer': 40 }, 400, 'Invalid quorum buffer number'],
    [{ message, 'pchain-height': '5' }, 400, 'Could not decode request body'],
    [{ message, 'signing-subnet-id': 'xyz' }, 400, 'Error parsing signing subnet ID'],
    [
      { message: Hex.encode(createMessage(new Uint8Array(32).fill(0xab))) },
      500,
      'failed to aggregate signatures. error: source blockchain not found for chain ID 2Jc6VooH5wxteNEnVgqR8hNw3Pb58bphqk1myKZpXwrCfpVNZ2',
    ],
  ])('%j: %i %s', async (payload, status, error) => {
    const { post } = await setUp()
    const response = await post(payload, { url: GO_PATH, headers: { 'content-type': 'application/json' } })
    expect([response.status, response.body]).toEqual([status, { error, message: expect.any(String) }])
  })
})

describe('operations', () => {
  it('/health says what is wrong', async () => {
    const { server, connections, network, pChain, clock } = await setUp()
    const health = async () => {
      const response = await server.inject('/health')
      return { status: response.statusCode, body: response.json() }
    }
    expect(await health()).toMatchObject({
      status: 503,
      body: { status: 'down', problems: [expect.stringContaining('not known yet')] },
    })
    await connections.start()
    expect(await health()).toMatchObject({
      status: 503,
      body: {
        problems: ['Primary Network: 0 % of the weight is connected (0 of 4 validators), 67 % needed'],
      },
    })
    for (const nodeId of network.tracked) network.connected.add(nodeId)
    expect(await health()).toMatchObject({
      status: 200,
      body: {
        status: 'up',
        problems: [],
        networkId: NETWORK_ID,
        upstream: { status: 'up', proposedHeight: '100' },
        subnets: [{ connectedPercentage: 100 }],
      },
    })
    pChain.isDown = true
    await clock.advance(59_000)
    await clock.advance(10_000)
    expect(await health()).toMatchObject({
      status: 503,
      body: { problems: [expect.stringMatching(/^P-chain API: /)], upstream: { status: 'down' } },
    })
    connections.close()
  })

  it('/metrics counts requests and their latency by outcome', async () => {
    const { server, post } = await setUp()
    await post({ message })
    await post({ message: Hex.encode(createMessage(C_CHAIN, 1)) })
    const text = (await server.inject('/metrics')).body
    expect(text).toContain('signature_aggregator_agg_sigs_req_count 2')
    expect(text).toContain('signature_aggregator_agg_sigs_latency_seconds_count{outcome="signed"} 1')
    expect(text).toContain(
      'signature_aggregator_agg_sigs_latency_seconds_count{outcome="AGGREGATOR_NETWORK_ID"} 1',
    )
    expect(text).toContain('signature_aggregator_in_flight 0')
  })

  it('/openapi.json and /docs describe the routes', async () => {
    const { server } = await setUp()
    const document = (await server.inject('/openapi.json')).json()
    expect(Object.keys(document.paths)).toEqual([
      '/health',
      '/metrics',
      '/v1/signatureAggregator/{network}/aggregateSignatures',
      '/aggregate-signatures',
    ])
    const { post } = document.paths['/v1/signatureAggregator/{network}/aggregateSignatures']
    expect(post.requestBody.content['application/json'].schema.properties.quorumPercentage).toMatchObject({
      default: 67,
      maximum: 100,
    })
    expect((await server.inject('/docs/')).body).toContain('<html')
  })
})
