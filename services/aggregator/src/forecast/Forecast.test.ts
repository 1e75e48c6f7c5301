import { Id, NodeId } from '@firn/codec'
import { settle } from '@firn/runtime/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, setUp } from '../testing/app.ts'
import { C_CHAIN, createValidators, L1_CHAIN, L1_SUBNET } from '../testing/fakes.ts'

afterEach(closeAll)

const PRIMARY = Id.format(Id.EMPTY)

/** Starts a service whose L1 has two validators with balances for one and two days. */
async function startWithL1(setup: Parameters<typeof setUp>[0] = {}) {
  const bench = await setUp(setup)
  const nodes = createValidators([60n, 40n], 3)
  bench.pChain.sets.set(Id.format(L1_SUBNET), nodes)
  bench.pChain.current.set(
    Id.format(L1_SUBNET),
    nodes.map(({ nodeId, weight }, i) => ({
      nodeId,
      weight,
      balance: 512n * 86_400n * BigInt(i + 1),
      endTime: undefined,
    })),
  )
  for (const { nodeId } of nodes) bench.network.connected.add(NodeId.format(nodeId))
  const quorum = async (subnetId: string, query = '', network = 'local') => {
    const response = await bench.server.inject(`/v1/quorum/${network}/${subnetId}${query}`)
    return { status: response.statusCode, body: response.json() }
  }
  return { ...bench, quorum }
}

describe('GET /v1/quorum/{network}', () => {
  it('lists the subnets of earlier requests', async () => {
    const { quorum, server } = await startWithL1()
    await quorum(Id.format(L1_SUBNET))
    const { subnets } = (await server.inject('/v1/quorum/local?quorumPercentage=80')).json()
    const { validators, nextChanges, unknown, ...summary } = (
      await quorum(Id.format(L1_SUBNET), '?quorumPercentage=80')
    ).body
    expect(validators).toHaveLength(2)
    expect(subnets).toContainEqual(summary)
  })

  it('returns the subnet whose validators sign the messages of a chain', async () => {
    const { server } = await startWithL1()
    const response = await server.inject(`/v1/quorum/local?sourceChain=${Id.format(L1_CHAIN)}`)
    expect(response.json()).toMatchObject({
      subnets: [{ subnetId: Id.format(L1_SUBNET), totalWeight: '100', quorumPercentage: 67 }],
    })
  })

  it.each([
    ['an unknown chain', `local?sourceChain=${Id.format(new Uint8Array(32).fill(9))}`, 400],
    ['a malformed chain', 'local?sourceChain=nothing', 400],
    ['two chains', `local?sourceChain=${PRIMARY}&sourceChain=${PRIMARY}`, 400],
    ['an unknown parameter', 'local?subnetId=1', 400],
    ['another network', 'mainnet', 404],
  ])('rejects %s', async (_, path, status) => {
    const { server } = await startWithL1()
    expect((await server.inject(`/v1/quorum/${path}`)).statusCode).toBe(status)
  })

  it('refuses a chain that is not allowed', async () => {
    const { server } = await startWithL1({ allowed: { sourceChains: [C_CHAIN] } })
    const response = await server.inject(`/v1/quorum/local?sourceChain=${Id.format(L1_CHAIN)}`)
    expect(response.statusCode).toBe(403)
  })
})

describe('GET /v1/quorum/{network}/{subnetId}', () => {
  it('returns weights, margin, risk and the next changes of a subnet', async () => {
    const { quorum } = await startWithL1()
    expect(await quorum(Id.format(L1_SUBNET), '?quorumPercentage=80')).toMatchObject({
      status: 200,
      body: {
        subnetId: Id.format(L1_SUBNET),
        pChainHeight: '100',
        quorumPercentage: 80,
        status: 'at-risk',
        connectedWeight: '100',
        marginWeight: '20',
        marginPercentage: 20,
        nextChanges: [
          { kind: 'balance-runs-out', weight: '60', at: '1970-01-02T00:00:00Z', marginPercentageAfter: -40 },
          { kind: 'balance-runs-out', weight: '40', at: '1970-01-03T00:00:00Z', marginPercentageAfter: -80 },
        ],
        unknown: [],
        validators: [{ state: 'answering' }, { state: 'answering' }],
      },
    })
  })

  it('connects to a subnet that it does not know yet, and says why validators are not connected', async () => {
    const { quorum, network } = await startWithL1()
    network.connected.clear()
    const { body } = await quorum(Id.format(L1_SUBNET))
    expect(network.tracked.size).toBe(2)
    expect(body).toMatchObject({
      status: 'no-quorum',
      validators: [{ state: 'disconnected', reason: 'connection refused' }, { state: 'disconnected' }],
    })
  })

  it('says what is unknown if the node API does not return validators or fees', async () => {
    const { quorum, pChain, clock } = await startWithL1()
    pChain.fee = undefined
    expect((await quorum(Id.format(L1_SUBNET))).body).toMatchObject({
      nextChanges: [],
      unknown: [expect.stringContaining('does not return the fee')],
    })
    await clock.advance(30_001)
    pChain.isDown = true
    expect((await quorum(Id.format(L1_SUBNET))).body.unknown).toEqual([
      expect.stringContaining('because the node API failed'),
    ])
    pChain.isDown = false
    pChain.fee = 512n
    await clock.advance(2_001)
    expect((await quorum(Id.format(L1_SUBNET))).body.nextChanges).toHaveLength(2)
  })

  it.each([
    [
      'a wrong percentage',
      PRIMARY,
      '?quorumPercentage=101',
      'local',
      400,
      /^quorumPercentage: expected an integer/,
    ],
    [
      'an id that is neither hex nor cb58',
      'x',
      '',
      'local',
      400,
      /^subnetId: expected a subnet id in 64 hex digits or cb58, got "x"/,
    ],
    ['another network', PRIMARY, '', 'fuji', 404, /^network: this process serves local/],
    [
      'an unknown subnet',
      Id.format(new Uint8Array(32).fill(9)),
      '',
      'local',
      400,
      /^subnetId: subnet .* is unknown on this network/,
    ],
    [
      'an unknown parameter',
      PRIMARY,
      '?quorumpercentage=80',
      'local',
      400,
      /^quorumpercentage: expected one of the parameters quorumPercentage, got/,
    ],
    ['a subnet that is not allowed', PRIMARY, '', 'local', 403, /does not collect signatures of the Primary/],
  ])('rejects %s', async (_, subnetId, query, network, status, says) => {
    const { quorum } = await startWithL1(status === 403 ? { allowed: { signingSubnets: [L1_SUBNET] } } : {})
    const response = await quorum(subnetId, query, network)
    expect([response.status, response.body.message]).toEqual([status, expect.stringMatching(says)])
  })

  it('rejects hostile paths and queries', async () => {
    const { server } = await startWithL1()
    const id = Id.format(L1_SUBNET)
    const hostile = [
      `local/${'1'.repeat(5_000)}`,
      'local/%00',
      'local/..%2f..%2fhealth',
      'local/%E0%A4%A',
      `__proto__/${id}`,
      ...['-1', '0', '1e1', '0x10', '67.5', '101', '99999999999999999999', '', '%F0%9F%98%80'].map(
        (value) => `local/${id}?quorumPercentage=${value}`,
      ),
      `local/${id}?quorumPercentage=67&quorumPercentage=68`,
    ]
    const statuses = await Promise.all(
      hostile.map(async (path) => (await server.inject(`/v1/quorum/${path}`)).statusCode),
    )
    expect(new Set(statuses)).toEqual(new Set([400, 404]))
  })

  it('requires an API key if keys are configured, and counts against the rate limit', async () => {
    const { quorum } = await startWithL1({ configuration: { apiKeys: ['k'], rateLimitPerMinute: 1 } })
    expect((await quorum(PRIMARY)).status).toBe(401)
    expect((await quorum(PRIMARY)).status).toBe(429)
  })
})

describe('metrics', () => {
  it('shows the margin over 67 % of each tracked subnet', async () => {
    const { quorum, dependencies } = await startWithL1()
    await quorum(Id.format(L1_SUBNET))
    expect(await dependencies.register.metrics()).toContain(
      `signature_aggregator_quorum_margin_percentage{subnetID="${Id.format(L1_SUBNET)}"} 33`,
    )
  })

  it('shows the seconds until configured subnets lose their quorum, and refreshes them at each collection', async () => {
    const { dependencies, connections, clock } = await startWithL1({ trackedSubnets: [L1_SUBNET] })
    await connections.start()
    const metrics = async () => {
      const text = await dependencies.register.metrics()
      await settle()
      return text.split('\n').filter((line) => line.startsWith('signature_aggregator_quorum_loss_seconds{'))
    }
    expect(await metrics()).toEqual([])
    const label = `{subnetID="${Id.format(L1_SUBNET)}"}`
    expect(await metrics()).toEqual([`signature_aggregator_quorum_loss_seconds${label} 86400`])
    await clock.advance(10_000)
    expect(await metrics()).toEqual([`signature_aggregator_quorum_loss_seconds${label} 86390`])
    connections.close()
  })
})
