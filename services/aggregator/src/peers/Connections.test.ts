import { Id, NodeId } from '@firn/codec'
import { silentLogger } from '@firn/runtime'
import { createFakeClock, settle } from '@firn/runtime/testing'
import { ValidatorSet } from '@firn/warp'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import { createFakeNetwork, createFakePChain, createValidators, L1_SUBNET } from '../testing/fakes.ts'
import { createConnections } from './Connections.ts'
import { createRecentlyLost } from './RecentlyLost.ts'

function setUp(
  options: { readonly allowPrivate?: boolean; readonly trackedSubnets?: readonly Uint8Array[] } = {},
) {
  const pChain = createFakePChain()
  const clock = createFakeClock()
  const network = createFakeNetwork()
  const register = new Registry()
  const recentlyLost = createRecentlyLost(clock)
  const at = (subnetId: Uint8Array, nodes: readonly ValidatorSet.Node[], height = 100n): SetAtHeight => ({
    subnetId,
    height,
    set: ValidatorSet.create(nodes),
  })
  const sets = new Map([
    [Id.format(Id.EMPTY), at(Id.EMPTY, createValidators([40n, 30n, 20n, 10n]))],
    [Id.format(L1_SUBNET), at(L1_SUBNET, createValidators([60n, 40n], 3))],
  ])
  const connections = createConnections({
    recentlyLost,
    network,
    pChain,
    validatorSets: {
      atAnyAge: async () => {
        throw new Error('not used')
      },
      at: async (subnetId) => {
        const known = sets.get(Id.format(subnetId))
        if (known === undefined) throw new Error('no such set')
        return known
      },
    },
    clock,
    log: silentLogger,
    register,
    trackedSubnets: options.trackedSubnets ?? [],
    manualPeers: [{ nodeId: new Uint8Array(20).fill(99), endpoint: { host: '10.0.0.9', port: 9651 } }],
    allowPrivate: options.allowPrivate ?? false,
    connectTimeoutMs: 10_000,
    refreshMs: 60_000,
  })
  return { pChain, clock, network, register, sets, connections, at, recentlyLost }
}

const nodeName = (fill: number) => NodeId.format(new Uint8Array(20).fill(fill))

describe('transport', () => {
  it('lets aggregations wait for a node whose connection was lost a moment ago', async () => {
    const { connections, clock, recentlyLost } = setUp()
    const nodeId = new Uint8Array(20).fill(1)
    const pending = () => connections.transport.connection(nodeId)
    expect(pending()).toMatchObject({ connected: false, pending: false })
    recentlyLost.add(nodeId)
    expect(pending()).toMatchObject({ connected: false, pending: true })
    await clock.advance(5_000)
    expect(pending()).toMatchObject({ connected: false, pending: false })
  })
})

describe('start', () => {
  it('tracks manually configured peers, the Primary Network and the configured subnets from the start', async () => {
    const { network, connections } = setUp({ trackedSubnets: [L1_SUBNET] })
    await connections.start()
    expect(network.tracked.size).toBe(1 + 4 + 2)
    expect(network.endpoints.get(nodeName(99))).toBe('10.0.0.9:9651')
    expect(connections.weights().map(({ isConfigured }) => isConfigured)).toEqual([true, true])
    connections.close()
  })

  it('starts without an upstream, and updates the tracked nodes at each refresh', async () => {
    const { clock, network, connections, sets, at } = setUp()
    const primary = sets.get(Id.format(Id.EMPTY))
    if (primary === undefined) throw new Error('no set')
    sets.clear()
    await connections.start()
    expect(connections.weights()).toEqual([])
    sets.set(Id.format(Id.EMPTY), primary)
    await clock.advance(60_000)
    expect(network.tracked.has(nodeName(20))).toBe(true)
    sets.set(Id.format(Id.EMPTY), at(Id.EMPTY, createValidators([1n, 2n]), 101n))
    await clock.advance(60_000)
    expect([...network.tracked].sort()).toEqual([nodeName(17), nodeName(18), nodeName(99)].sort())
    connections.close()
    sets.set(Id.format(Id.EMPTY), at(Id.EMPTY, createValidators([1n]), 102n))
    await clock.advance(120_000)
    expect(network.tracked.size).toBe(3)
  })

  it('keeps tracking manually configured peers that are no longer validators', async () => {
    const { clock, network, connections, sets, at } = setUp()
    const [validator] = createValidators([1n])
    if (validator === undefined) throw new Error('no validator')
    sets.set(Id.format(Id.EMPTY), at(Id.EMPTY, [{ ...validator, nodeId: new Uint8Array(20).fill(99) }]))
    await connections.start()
    sets.set(Id.format(Id.EMPTY), at(Id.EMPTY, [validator], 101n))
    await clock.advance(60_000)
    expect(network.tracked.has(nodeName(99))).toBe(true)
    connections.close()
  })

  it('uses addresses from the node API, but private addresses only if allowed', async () => {
    for (const allowPrivate of [false, true]) {
      const { pChain, network, connections } = setUp({ allowPrivate })
      pChain.addresses.push(
        { nodeId: new Uint8Array(20).fill(17), address: '203.0.113.7:9651' },
        { nodeId: new Uint8Array(20).fill(18), address: '192.168.1.7:9651' },
        { nodeId: new Uint8Array(20).fill(19), address: '203.0.113.7:0' },
        { nodeId: new Uint8Array(20).fill(20), address: '' },
      )
      await connections.start()
      expect(network.endpoints.get(nodeName(17))).toBe('203.0.113.7:9651')
      expect(network.endpoints.has(nodeName(18))).toBe(allowPrivate)
      expect(network.endpoints.has(nodeName(19)) || network.endpoints.has(nodeName(20))).toBe(false)
      connections.close()
    }
  })
})

describe('ready', () => {
  it('waits until enough validator weight is connected', async () => {
    const { clock, network, connections, sets } = setUp()
    const l1 = sets.get(Id.format(L1_SUBNET))
    if (l1 === undefined) throw new Error('no set')
    let isReady = false
    void connections.ready(l1, 60, 60_000).then(() => {
      isReady = true
    })
    await clock.advance(500)
    expect([isReady, network.tracked.size]).toEqual([false, 3])
    network.connected.add(nodeName(49))
    await clock.advance(25)
    expect(isReady).toBe(true)
    await connections.ready(l1, 60, 60_000)
  })

  it('gives a subnet a limited time to connect after its first request, and no additional time after later requests', async () => {
    const { clock, connections, sets } = setUp()
    const l1 = sets.get(Id.format(L1_SUBNET))
    if (l1 === undefined) throw new Error('no set')
    const first = connections.ready(l1, 67, 60_000)
    await clock.advance(10_000)
    await first
    await connections.ready(l1, 67, 60_000)
  })

  it('stops waiting for connections early enough to finish the request in time', async () => {
    const { clock, connections, sets } = setUp()
    const l1 = sets.get(Id.format(L1_SUBNET))
    if (l1 === undefined) throw new Error('no set')
    const waiting = connections.ready(l1, 67, 3_000)
    await clock.advance(3_000)
    await waiting
  })

  it('returns immediately if weight without keys makes the quorum impossible', async () => {
    const { connections, network, at } = setUp()
    const [first, second] = createValidators([50n, 50n])
    if (first === undefined || second === undefined) throw new Error('no validators')
    await connections.ready(at(L1_SUBNET, [first, { ...second, publicKey: null }]), 67, 60_000)
    expect(network.tracked.size).toBe(2)
  })

  it('stops waiting for connections when the request is aborted', async () => {
    const { connections, sets } = setUp()
    const l1 = sets.get(Id.format(L1_SUBNET))
    if (l1 === undefined) throw new Error('no set')
    const stop = new AbortController()
    const waiting = connections.ready(l1, 67, 60_000, stop.signal)
    stop.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
  })

  it('keeps at most 64 subnets, drops the least recently used ones, and untracks nodes that no other subnet has', async () => {
    const { network, connections, at } = setUp()
    const subnets = Array.from({ length: 66 }, (_, i) =>
      at(new Uint8Array(32).fill(i + 1), createValidators([1n], 4)),
    )
    const shared = subnets.map((one, i) => (i < 2 ? at(one.subnetId, createValidators([1n], 5 + i)) : one))
    for (const one of shared) await connections.ready(one, 1, 0)
    await settle()
    expect(connections.weights()).toHaveLength(64)
    expect(network.tracked.size).toBe(2)
  })
})

describe('transport', () => {
  it('prepends the handler prefix to the body only once for all nodes', async () => {
    const { network, connections, register } = setUp()
    const sent: Uint8Array[] = []
    network.onRequest = async (_nodeId, { bytes, onSent, onLateAnswer }) => {
      sent.push(bytes)
      onSent?.()
      onLateAnswer?.({ kind: 'error', code: 1, message: 'late' })
      onLateAnswer?.({ kind: 'response', bytes })
      return { kind: 'error', code: 1, message: 'no' }
    }
    let started = 0
    const late: Uint8Array[] = []
    const request = {
      chainId: Id.EMPTY,
      bytes: Uint8Array.of(7, 8),
      deadlineMs: 5,
      onSent: () => {
        started += 1
      },
      onLateResponse: (bytes: Uint8Array) => late.push(bytes),
    }
    const signal = new AbortController().signal
    await connections.transport.request(new Uint8Array(20), request, signal)
    await connections.transport.request(new Uint8Array(20), request, signal)
    expect(sent[0]).toEqual(Uint8Array.of(2, 7, 8))
    expect(sent[1]).toBe(sent[0])
    expect(started).toBe(2)
    expect(late).toEqual(sent)
    const text = await register.metrics()
    expect(text).toContain('signature_aggregator_app_request_count 2')
    expect(text).toContain('signature_aggregator_app_answers_total{kind="error"} 2')
  })

  it('reports why a node is not connected, or that a connection is in progress', () => {
    const { network, connections } = setUp()
    const nodeId = new Uint8Array(20).fill(17)
    expect(connections.transport.connection(nodeId)).toEqual({
      connected: false,
      reason: 'connection refused',
      pending: false,
    })
    network.connection = () => ({ state: 'connecting', reason: 'TLS' })
    expect(connections.transport.connection(nodeId)).toMatchObject({ connected: false, pending: true })
    network.connection = () => ({ state: 'connected' })
    expect(connections.transport.connection(nodeId)).toEqual({ connected: true })
  })
})

describe('metrics and weights', () => {
  it("reports the connected percentage of each subnet's weight", async () => {
    const { network, connections, register } = setUp()
    await connections.start()
    network.connected.add(nodeName(17)).add(nodeName(20))
    expect(connections.weights()).toMatchObject([
      { connected: 50n, total: 100n, validators: 4, connectedValidators: 2 },
    ])
    expect(await register.metrics()).toContain(
      'signature_aggregator_connected_stake_weight_percentage{subnetID="11111111111111111111111111111111LpoYY"} 50',
    )
    connections.close()
  })
})
