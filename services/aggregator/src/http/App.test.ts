import { Hex, Id } from '@firn/codec'
import { WarpEvent } from '@firn/warp'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, message, PATH, setUp } from '../testing/app.ts'
import { C_CHAIN, createMessage, L1_CHAIN, L1_SUBNET, NETWORK_ID } from '../testing/fakes.ts'

afterEach(closeAll)

describe('response with a signed message', () => {
  it('returns only the signed message, in hex without a prefix, by default', async () => {
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

  it('accepts event data instead of the message, with or without any content type', async () => {
    const { post, asked } = await setUp()
    const event = Hex.encodeBare(WarpEvent.encodeData(createMessage()))
    expect((await post({ message: event })).status).toBe(200)
    expect(asked[0]?.message).toEqual(Hex.decode(message))
    const payload = JSON.stringify({ message })
    expect((await post(payload, { headers: { 'content-type': 'text/plain' } })).status).toBe(200)
    expect((await post(payload)).status).toBe(200)
  })

  it('includes the report and the proof if the request asks for them', async () => {
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

  it('returns status 201, always or only to the official SDK, if configured', async () => {
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

  it('uses the validators of the source chain’s subnet unless the request names another subnet', async () => {
    const { post, pChain, asked } = await setUp()
    pChain.sets.set(Id.format(L1_SUBNET), pChain.sets.get(Id.format(Id.EMPTY))?.slice(0, 1) ?? [])
    await post({ message: Hex.encode(createMessage(L1_CHAIN)) })
    await post({ message, signingSubnetId: Id.format(L1_SUBNET) })
    await post({ message })
    expect(asked.map(({ validatorSet }) => validatorSet.totalWeight)).toEqual([40n, 40n, 100n])
  })
})

describe('operations', () => {
  it('lists the current problems in /health', async () => {
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

  it('counts requests and their latency, by outcome, in /metrics', async () => {
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

  it.each([
    ['a successful request', '/v1/quorum/local'],
    ['a request with an invalid parameter', '/v1/quorum/local?quorumPercentage=0'],
    ['a request for an unknown path', '/v1/nothing'],
    ['a request for a malformed path', '/v1/quorum/%ff'],
  ])('lets scripts of any origin read the response to %s', async (_, url) => {
    const { server } = await setUp()
    const { headers } = await server.inject({ url, headers: { origin: 'https://app.test' } })
    expect(headers['access-control-allow-origin']).toBe('*')
    const exposed = String(headers['access-control-expose-headers']).split(', ')
    const own = Object.keys(headers).filter((name) => /^(ratelimit|x-|retry)/.test(name))
    expect(exposed).toEqual(expect.arrayContaining([...own, 'location']))
  })

  it('lets scripts of any origin send a key and request a job', async () => {
    const { server } = await setUp({ configuration: { apiKeys: ['k'] } })
    const headers = { origin: 'https://app.test', 'access-control-request-method': 'POST' }
    const answer = await server.inject({ method: 'OPTIONS', url: PATH, headers })
    expect(answer.statusCode).toBe(204)
    for (const name of ['x-data-api-key', 'prefer', 'content-type']) {
      expect(answer.headers['access-control-allow-headers']).toContain(name)
    }
  })

  it('describes the routes in /openapi.json and /docs', async () => {
    const { server } = await setUp()
    const document = (await server.inject('/openapi.json')).json()
    expect(Object.keys(document.paths)).toEqual([
      '/health',
      '/metrics',
      '/v1/signatureAggregator/{network}/aggregateSignatures',
      '/v1/signatureAggregator/{network}/aggregateSignatures:batch',
      '/aggregate-signatures',
      '/v1/quorum/{network}/{subnetId}',
      '/v1/quorum/{network}',
      '/v1/readiness/{subnetId}',
      '/v1/messages/{id}',
      '/v1/messages',
      '/v1/validity/{network}',
      '/v1/jobs/{jobId}',
      '/v1/jobs/{jobId}/events',
    ])
    const { post } = document.paths['/v1/signatureAggregator/{network}/aggregateSignatures']
    const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(post.requestBody.content['application/json'].schema).toMatchObject({
      anyOf: [named('SignatureAggregatorRequest'), named('SourceRequest')],
    })
    expect(post.responses['200'].content['application/json'].schema).toMatchObject({
      anyOf: [named('SignatureAggregationResponse'), named('BatchResponse')],
    })
    const { schemas } = document.components
    expect(schemas.SignatureAggregatorRequest.properties.quorumPercentage).toMatchObject({
      default: 67,
      maximum: 100,
    })
    const operations = Object.values(document.paths as Record<string, object>).flatMap((methods) =>
      Object.values(methods as Record<string, { readonly operationId?: string }>),
    )
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }])
    expect(Object.keys(post.responses['202'].headers)).toEqual(['location', 'preference-applied'])
    const events = document.paths['/v1/jobs/{jobId}/events'].get
    expect(Object.keys(events.responses['200'].content)).toEqual(['text/event-stream'])
    expect(events.parameters).toContainEqual(expect.objectContaining({ in: 'header', name: 'last-event-id' }))
    expect(Object.keys(document.paths['/v1/readiness/{subnetId}'].get.responses)).toEqual([
      '200',
      '503',
      '4XX',
      '5XX',
    ])
    expect(document.security).toEqual([
      {},
      { 'x-data-api-key': [] },
      { 'x-glacier-api-key': [] },
      { bearer: [] },
    ])
    expect((await server.inject('/docs')).headers['location']).toBe('/docs/')
    expect((await server.inject('/docs/')).body).toContain('<html')
    expect((await server.inject('/docs/openapi.json')).json().paths).toEqual(document.paths)
    expect((await server.inject('/docs/js/scalar.js')).headers['content-type']).toContain('javascript')
    expect((await server.inject('/docs/none')).json()).toMatchObject({ statusCode: 404 })
  })
})
