import { AggregationError, type AggregationRequest, type Report } from '@firn/aggregation'
import { Hex, Id, NodeId } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeAll, failing, REPORT, RESULT, setUp } from '../testing/app.ts'
import { type Bench, startService } from '../testing/devnet.ts'
import { createMessage, createValidators, L1_CHAIN, L1_SUBNET } from '../testing/fakes.ts'

afterEach(closeAll)

const L1 = Id.format(L1_SUBNET)
const message = Hex.encode(createMessage(L1_CHAIN))
const nodes = createValidators([60n, 40n], 3)

/** Starts a service, and the L1 with two validators. */
async function startWithL1(setup: Parameters<typeof setUp>[0] = {}) {
  const bench = await setUp(setup)
  bench.pChain.sets.set(L1, nodes)
  const readiness = async (subnetId = L1, headers = {}) => {
    const response = await bench.server.inject({ url: `/v1/readiness/${subnetId}`, headers })
    return { status: response.statusCode, body: response.json() }
  }
  return { ...bench, readiness }
}

/** Returns the report of {@link RESULT} with other outcomes, in the order of the canonical set. */
function withOutcomes(...outcomes: readonly Report['validators'][number]['outcome'][]): Report {
  return {
    ...REPORT,
    validators: REPORT.validators.map((one, index) => ({ ...one, outcome: outcomes[index] ?? one.outcome })),
  }
}
const signedBy = (report: Report) => async (_request: AggregationRequest) => ({ ...RESULT, report })

describe('GET /v1/readiness/{subnetId}', () => {
  it('starts to connect, and is ready when 67 % of the weight is connected', async () => {
    const { readiness, network } = await startWithL1()
    expect(await readiness()).toEqual({
      status: 503,
      body: {
        subnetId: L1,
        status: 'not-ready',
        problems: ['0 % of the weight is connected, 67 % needed'],
        pChainHeight: '100',
        isProposed: true,
        connectedPercentage: 0,
        neededPercentage: 67,
        connectedWeight: '0',
        totalWeight: '100',
        signedPercentage: 0,
        validators: expect.arrayContaining([
          {
            nodeIds: [expect.stringMatching(/^NodeID-/)],
            weight: '60',
            isConnected: false,
            hasSigned: false,
          },
        ]),
      },
    })
    const ids = nodes.map(({ nodeId }) => NodeId.format(nodeId))
    expect([...network.tracked].sort()).toEqual([...ids].sort())
    for (const [index, id] of ids.entries()) {
      network.connected.add(id)
      const { status, body } = await readiness()
      expect([status, body.connectedPercentage]).toEqual(
        [
          [503, 60],
          [200, 100],
        ][index],
      )
    }
    expect((await readiness()).body).toMatchObject({ status: 'ready', problems: [] })
  })

  it('connects to an L1 that has no validators at the proposed height yet', async () => {
    const { readiness, network, pChain } = await startWithL1()
    const { validatorsAt } = pChain
    pChain.validatorsAt = async (subnetId, height) => (height < 110n ? [] : validatorsAt(subnetId, height))
    for (const { nodeId } of nodes) network.connected.add(NodeId.format(nodeId))
    const { status, body } = await readiness()
    expect([status, body]).toMatchObject([
      503,
      {
        status: 'not-ready',
        problems: ['the validators start at P-chain height 120, which is not proposed yet'],
        isProposed: false,
        connectedPercentage: 100,
      },
    ])
    expect(network.tracked.size).toBe(2)
  })

  it('shows when the first signature was received, and who has signed so far', async () => {
    let report = withOutcomes('refused', 'signed')
    const { readiness, post, clock } = await startWithL1({ aggregate: async (one) => signedBy(report)(one) })
    expect((await readiness()).body).not.toHaveProperty('firstSignatureAt')
    const seen = async () => {
      await post({ message })
      const { body } = await readiness()
      return [
        body.firstSignatureAt,
        body.signedPercentage,
        body.validators.map(({ hasSigned }: { hasSigned: boolean }) => hasSigned),
      ]
    }
    const first = new Date(clock.now()).toISOString()
    const [, percentage] = await seen()
    expect(await seen()).toEqual([first, percentage, [false, true]])
    await clock.advance(5_000)
    report = withOutcomes('signed', 'timed-out')
    expect(await seen()).toEqual([first, 100, [true, true]])
  })

  it('counts signatures of requests that missed the quorum', async () => {
    const error = new AggregationError('AGGREGATION_QUORUM_NOT_REACHED', 'no quorum', {
      details: { report: withOutcomes('signed', 'refused') },
    })
    const { readiness, post } = await startWithL1({ aggregate: failing(error) })
    expect((await post({ message })).status).toBe(502)
    expect((await readiness()).body).toHaveProperty('firstSignatureAt')
  })

  it.each([
    [
      'an id that is neither hex nor cb58',
      'x',
      400,
      /^subnetId: expected a subnet id in 64 hex digits or cb58/,
    ],
    [
      'an unknown subnet',
      Id.format(new Uint8Array(32).fill(9)),
      400,
      /^subnetId: subnet .* is unknown on this/,
    ],
    [
      'a subnet that is not allowed',
      Id.format(Id.EMPTY),
      403,
      /^subnetId: this service does not collect signatures of the Primary/,
    ],
  ])('rejects %s', async (_name, subnetId, status, says) => {
    const { readiness } = await startWithL1({
      allowed: { signingSubnets: status === 403 ? [L1_SUBNET] : [] },
    })
    const response = await readiness(subnetId)
    expect([response.status, response.body.message]).toEqual([status, expect.stringMatching(says)])
  })

  it('responds with 503 and the reason while the P-chain API is down', async () => {
    const { readiness, pChain } = await startWithL1()
    pChain.isDown = true
    const { status, body } = await readiness()
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ statusCode: 503, message: expect.any(String) }),
    ])
  })

  it('requires an API key if keys are configured, and counts against the rate limit', async () => {
    const { readiness } = await startWithL1({ configuration: { apiKeys: ['k'], rateLimitPerMinute: 1 } })
    expect((await readiness()).status).toBe(401)
    expect((await readiness()).status).toBe(429)
  })
})

describe('an L1 that is created while the service runs', () => {
  let devnet: Devnet
  let bench: Bench
  beforeAll(async () => {
    devnet = await createDevnet({ validators: 1, spares: 2, proposedLagMs: 0 })
    bench = await startService(devnet)
  })
  afterAll(async () => {
    await bench.service.close()
    await devnet.close()
  })

  it('becomes ready and signs without a restart', async () => {
    const [subnetId, chainId] = [Id.hash(Uint8Array.of(1)), Id.hash(Uint8Array.of(2))]
    const readiness = async () => {
      const response = await fetch(`${bench.service.url}/v1/readiness/${Id.format(subnetId)}`)
      return { status: response.status, body: await response.json() }
    }
    expect((await readiness()).status).toBe(400)
    const members = devnet.validators.slice(1)
    devnet.advance([
      { kind: 'create-subnet', subnetId },
      { kind: 'create-chain', subnetId, chainId, name: 'new' },
      {
        kind: 'convert',
        data: {
          subnetID: subnetId,
          managerChainID: chainId,
          managerAddress: new Uint8Array(20),
          validators: members.map(({ nodeId, publicKey }) => ({
            nodeID: nodeId,
            blsPublicKey: publicKey,
            weight: 1n,
          })),
        },
        balances: members.map(() => 10n ** 9n),
      },
    ])
    await expect.poll(readiness).toMatchObject({ status: 200, body: { signedPercentage: 0 } })
    const accepted = devnet.acceptMessage({ chain: chainId, payload: Uint8Array.of(1) })
    expect((await bench.ask({ message: Hex.encode(accepted), quorumPercentage: 100 })).status).toBe(200)
    expect(await readiness()).toMatchObject({
      status: 200,
      body: { signedPercentage: 100, firstSignatureAt: expect.stringMatching(/^20/) },
    })
  })
})
