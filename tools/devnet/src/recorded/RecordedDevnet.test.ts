import { Bytes, CHAIN_ALIASES, Id, NodeId } from '@firn/codec'
import {
  type ChainAnswer,
  type ChainRequestKind,
  type ChainRequests,
  limitAncestors,
  type Network,
} from '@firn/p2p'
import { createClient, InfoMethods } from '@firn/rpc'
import { Container, PlatformBlock, Vertex } from '@firn/txs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectPeer } from '../testing/peer.ts'
import { localNetwork } from '../testing/recordings.ts'
import * as GeneratedNetwork from './GeneratedNetwork.ts'
import type { RecordedBlock, RecordedChain } from './RecordedChain.ts'
import { createRecordedDevnet, genesisFileOf, type RecordedDevnet } from './RecordedDevnet.ts'
import type { RecordedNetwork } from './RecordedNetwork.ts'

const UNKNOWN = Id.hash(new Uint8Array(1))
const [P, X, C] = CHAIN_ALIASES

let network: RecordedNetwork
let devnet: RecordedDevnet
let client: Network
beforeAll(async () => {
  network = await localNetwork()
  devnet = await createRecordedDevnet({ network, validators: 2 })
  client = await connectPeer(devnet)
})
afterEach(() => devnet.clearFaults())
afterAll(async () => {
  await client.close()
  await devnet.close()
})

/** Asks a validator, and returns its answer or the kind of failure. */
async function ask<K extends ChainRequestKind>(
  kind: K,
  request: Omit<ChainRequests[K], 'deadlineMs'>,
  validator = 0,
  deadlineMs = 30_000,
) {
  const { nodeId } = devnet.validators[validator] as { nodeId: Uint8Array }
  const full = { ...request, deadlineMs } as ChainRequests[K]
  const answer: ChainAnswer<K> = await client.ask(kind, nodeId, full)
  return answer.kind === 'answer' ? answer.answer : answer.kind
}

const blockAt = (chain: RecordedChain, height: number) => chain.blocks[height] as RecordedBlock
const tipOf = (chain: RecordedChain) => blockAt(chain, chain.blocks.length - 1)
/** Returns the containers of a chain from a height downwards. */
const below = (chain: RecordedChain, height: number) =>
  chain.blocks
    .slice(0, height + 1)
    .map(({ bytes }) => bytes)
    .reverse()

describe('a correct validator', () => {
  test.each([P, X, C])('answers with the last accepted container of the %s-chain', async (alias) => {
    const chain = network.chains[alias]
    const { id: containerId } = tipOf(chain)
    const { chainId } = chain
    expect(await ask('acceptedFrontier', { chainId })).toEqual({ containerId })
    expect(await ask('pullQuery', { chainId, containerId, requestedHeight: 7n })).toEqual({
      preferredId: containerId,
      preferredIdAtHeight: blockAt(chain, 7).id,
      acceptedId: containerId,
      acceptedHeight: BigInt(chain.blocks.length - 1),
    })
  })

  test('names the last accepted container for a requested height above it', async () => {
    const { chainId } = network.chains.P
    const { id: containerId } = tipOf(network.chains.P)
    const answer = await ask('pullQuery', { chainId, containerId, requestedHeight: 2n ** 64n - 1n })
    expect(answer).toMatchObject({ preferredIdAtHeight: containerId })
  })

  test('asks a peer for a block that it named in a query and that is unknown', async () => {
    const { chainId } = network.chains.P
    const before = devnet.validators[0]?.counters.requests ?? 0
    expect(await ask('pullQuery', { chainId, containerId: UNKNOWN, requestedHeight: 1n })).toMatchObject({
      acceptedHeight: 85n,
    })
    expect(devnet.validators[0]?.counters.requests).toBe(before + 1)
  })

  test('returns which containers are accepted, each once and without inner block ids', async () => {
    const { chainId, blocks } = network.chains.C
    const [, first, second] = blocks as [RecordedBlock, RecordedBlock, RecordedBlock]
    const containerIds = [second.id, UNKNOWN, first.id, first.innerId, second.id]
    expect(await ask('accepted', { chainId, containerIds })).toEqual({ containerIds: [second.id, first.id] })
  })

  test.each([P, X, C])(
    'returns the ancestors of a container of the %s-chain down to block 0',
    async (alias) => {
      const chain = network.chains[alias]
      const { chainId } = chain
      const request = { chainId, containerId: blockAt(chain, 20).id, engine: 'chain' } as const
      expect(await ask('ancestors', request)).toEqual({ containers: below(chain, 20) })
    },
  )

  test('returns inner blocks for the id of an inner block', async () => {
    const { chainId, blocks } = network.chains.P
    const containerId = (blocks[9] as RecordedBlock).innerId
    const answer = await ask('ancestors', { chainId, containerId, engine: 'chain' })
    const inner = blocks.slice(0, 10).map((block) => block.inner)
    expect(answer).toEqual({ containers: inner.reverse() })
  })

  test('returns no containers for an unknown id', async () => {
    const { chainId } = network.chains.X
    expect(await ask('ancestors', { chainId, containerId: UNKNOWN, engine: 'chain' })).toEqual({
      containers: [],
    })
  })

  test('returns the empty stop vertex of a network without vertices', async () => {
    const { chainId, vertices } = network.chains.X
    const containerId = Id.parse('3LdUD428gni3AFYAooqcTiN3xPGiLE7XdHowi9CsbNGH1i7QY')
    const [stop] = [...vertices.values()]
    expect(await ask('ancestors', { chainId, containerId, engine: 'dag' })).toEqual({
      containers: [stop?.bytes],
    })
  })

  test.each([
    ['of an unknown chain', { chainId: UNKNOWN, engine: 'chain' }],
    ['for vertices of the P-chain', { chainId: Id.EMPTY, engine: 'dag' }],
  ] as const)('does not answer a request %s', async (_, request) => {
    const containerId = tipOf(network.chains.P).id
    expect(await ask('ancestors', { ...request, containerId }, 0, 200)).toBe('timeout')
  })
})

describe('the limits of an answer', () => {
  test('applies the limits of a node, and continues below at the next request', async () => {
    const { network: made } = await GeneratedNetwork.create({ networkId: 5, blocks: 12_000, seed: 'limits' })
    const chain = made.chains.P
    const own = await createRecordedDevnet({ network: made, validators: 1 })
    const peer = await connectPeer(own)
    const { nodeId } = own.validators[0] as { nodeId: Uint8Array }
    let containerId = tipOf(chain).id
    let height = 12_000
    let answers = 0
    while (height >= 0) {
      const request = { chainId: chain.chainId, containerId, engine: 'chain', deadlineMs: 30_000 } as const
      const answer = await peer.ask('ancestors', nodeId, request)
      const { containers } = (answer as { readonly answer: { readonly containers: readonly Uint8Array[] } })
        .answer
      expect(containers).toEqual(limitAncestors(below(chain, height)))
      height -= containers.length
      containerId = chain.blocks[height]?.id ?? UNKNOWN
      answers += 1
    }
    expect(answers).toBe(Math.ceil(12_001 / 2_000))
    await peer.close()
    await own.close()
  })
})

describe('vertices', () => {
  test('returns vertices breadth-first over parents, from any vertex', async () => {
    const { network: made } = await GeneratedNetwork.create({
      networkId: 4321,
      blocks: 0,
      vertices: 100,
      seed: 'dag',
    })
    const { chainId, vertices } = made.chains.X
    const own = await createRecordedDevnet({ network: made, validators: 1 })
    const peer = await connectPeer(own)
    const { nodeId } = own.validators[0] as { nodeId: Uint8Array }
    const containerId = made.rules.constants.upgrades.cortinaXChainStopVertexId
    const request = { chainId, containerId, engine: 'dag', deadlineMs: 30_000 } as const
    const answer = await peer.ask('ancestors', nodeId, request)
    const { containers } = (answer as { readonly answer: { readonly containers: readonly Uint8Array[] } })
      .answer
    expect(containers).toHaveLength(vertices.size)
    const seen = [Id.format(containerId)]
    for (const [position, bytes] of containers.entries()) {
      expect(Id.format(Vertex.id(bytes))).toBe(seen[position])
      for (const id of Vertex.decode(bytes).parentIDs.map(Id.format)) if (!seen.includes(id)) seen.push(id)
    }
    await peer.close()
    await own.close()
  })
})

describe('a growing network', () => {
  test('starts at a P-chain height and accepts blocks in the recorded order', async () => {
    const own = await createRecordedDevnet({ network, validators: 1, height: 10 })
    const { X: x, C: c } = own.heights
    expect(own.heights.P).toBe(10)
    expect(network.order.slice(0, 10 + x + c).filter((alias) => alias === 'X')).toHaveLength(x)
    const peer = await connectPeer(own)
    const { nodeId } = own.validators[0] as { nodeId: Uint8Array }
    const { chainId } = network.chains.P
    const frontier = async () => {
      const answer = await peer.ask('acceptedFrontier', nodeId, { chainId, deadlineMs: 30_000 })
      return (answer as { readonly answer: { readonly containerId: Uint8Array } }).answer.containerId
    }
    expect(await frontier()).toEqual(blockAt(network.chains.P, 10).id)
    const hidden = {
      chainId,
      containerId: blockAt(network.chains.P, 11).id,
      engine: 'chain',
      deadlineMs: 30_000,
    } as const
    expect(await peer.ask('ancestors', nodeId, hidden)).toMatchObject({ answer: { containers: [] } })
    const post = (path: string, body: object) =>
      fetch(`${own.rpcUrl}/devnet/${path}`, { method: 'POST', body: JSON.stringify(body) })
    const next = network.order.indexOf('P', 10 + x + c) - (10 + x + c) + 1
    expect(await (await post('grow', { blocks: next })).json()).toMatchObject({ heights: { P: 11 } })
    expect(await frontier()).toEqual(blockAt(network.chains.P, 11).id)
    expect(await (await post('grow', { blocks: 1_000 })).json()).toEqual({ heights: { P: 85, X: 35, C: 83 } })
    expect((await post('grow', { blocks: 0 })).status).toBe(400)
    await peer.close()
    await own.close()
  })

  test('accepts a block at each interval', async () => {
    const own = await createRecordedDevnet({ network, validators: 1, height: 0, growIntervalMs: 1 })
    await expect.poll(() => own.heights).toEqual({ P: 85, X: 35, C: 83 })
    await own.close()
  })

  test.each([-1, 86, 0.5])('rejects the height %d', async (height) => {
    await expect(createRecordedDevnet({ network, height })).rejects.toMatchObject({ code: 'DEVNET_OPTIONS' })
  })
})

describe('faults', () => {
  const { chainId } = { chainId: Id.EMPTY }
  const tip = () => tipOf(network.chains.P).id
  const ancestors = (containerId = tip()) => ask('ancestors', { chainId, containerId, engine: 'chain' })
  const frontier = () => ask('acceptedFrontier', { chainId })
  const accepted = (...containerIds: Uint8Array[]) => ask('accepted', { chainId, containerIds })
  const poll = () => ask('pullQuery', { chainId, containerId: tip(), requestedHeight: 0n })
  const setFault = (fault: unknown) => devnet.setFaults({ 0: fault })

  test('silent: no answer, while the other validators answer', async () => {
    setFault('silent')
    expect(await ask('acceptedFrontier', { chainId }, 0, 200)).toBe('timeout')
    expect(await ask('acceptedFrontier', { chainId }, 1)).toEqual({ containerId: tip() })
  })

  test('slow: the answer arrives late', async () => {
    setFault({ kind: 'slow', ms: 100 })
    expect(await ask('acceptedFrontier', { chainId }, 0, 20)).toBe('timeout')
    expect(await frontier()).toEqual({ containerId: tip() })
  })

  test('disconnect and cut: the connection closes', async () => {
    for (const kind of ['disconnect', 'cut']) {
      setFault(kind)
      expect(await ancestors()).toBe('disconnected')
      devnet.clearFaults()
      await client.connected((devnet.validators[0] as { nodeId: Uint8Array }).nodeId)
    }
  })

  test('empty: no containers, no accepted ids and malformed ids', async () => {
    setFault('empty')
    expect(await ancestors()).toEqual({ containers: [] })
    expect(await accepted(tip())).toEqual({ containerIds: [] })
    expect([await frontier(), await poll()]).toEqual(['malformed', 'malformed'])
  })

  test('garbage: malformed ids and containers on a connection that stays open', async () => {
    setFault('garbage')
    expect([await frontier(), await accepted(tip()), await poll()]).toEqual(Array(3).fill('malformed'))
    const { containers } = (await ancestors()) as { readonly containers: readonly Uint8Array[] }
    expect(containers.map(({ length }) => length)).toEqual([1, 0, 1_000])
  })

  test('zeros: megabytes of nothing', async () => {
    setFault('zeros')
    expect(await ancestors()).toEqual({ containers: [new Uint8Array(2_000_000)] })
    expect(await frontier()).toEqual({ containerId: Id.EMPTY })
    // The client drops a message with so many ids.
    expect(await ask('accepted', { chainId, containerIds: [tip()] }, 0, 300)).toBe('timeout')
  })

  test('other-containers: containers of the chain without the requested one', async () => {
    setFault('other-containers')
    const { containers } = (await ancestors()) as { readonly containers: readonly Uint8Array[] }
    const known = network.chains.P.blocks.map(({ bytes }) => bytes)
    expect(containers.every((bytes) => known.some((other) => Bytes.equals(bytes, other)))).toBe(true)
    expect(containers).not.toContainEqual(tipOf(network.chains.P).bytes)
    expect(containers.length).toBeGreaterThan(50)
  })

  test('wrong-order: the oldest container first', async () => {
    setFault('wrong-order')
    expect(await ancestors()).toEqual({ containers: below(network.chains.P, 85).reverse() })
  })

  test('other-signature: containers with the right ids', async () => {
    setFault('other-signature')
    const { containers } = (await ancestors()) as { readonly containers: readonly Uint8Array[] }
    const right = below(network.chains.P, 85)
    const ids = (all: readonly Uint8Array[]) => all.map((bytes) => Id.format(Container.open(bytes).id))
    expect(ids(containers)).toEqual(ids(right))
    expect(containers).not.toEqual(right)
  })

  test('unsigned: bytes that have the right ids as hashes but are no containers', async () => {
    setFault('unsigned')
    const { containers } = (await ancestors()) as { readonly containers: readonly Uint8Array[] }
    const ids = network.chains.P.blocks.map(({ id }) => Id.format(id)).reverse()
    expect(containers.map((bytes) => Id.format(Id.hash(bytes)))).toEqual(ids)
    expect(containers).not.toEqual(below(network.chains.P, 85))
  })

  test('gaps and trickle: some of the containers', async () => {
    const right = below(network.chains.P, 85)
    setFault('gaps')
    expect(await ancestors()).toEqual({ containers: right.filter((_, position) => position % 3 !== 2) })
    setFault('trickle')
    expect(await ancestors()).toEqual({ containers: right.slice(0, 1) })
  })

  test('above-limits: more containers than a node sends', async () => {
    setFault('above-limits')
    expect(await frontier()).toBe('malformed')
    const answer = await ancestors()
    const size = (answer as { readonly containers: readonly Uint8Array[] }).containers.reduce(
      (sum, { length }) => sum + length,
      0,
    )
    expect(size).toBeGreaterThan(1_677_721)
  })

  test('unasked and repeat: more answers than requests, of which one counts', async () => {
    for (const fault of ['unasked', { kind: 'repeat', times: 4 }]) {
      setFault(fault)
      expect(await ancestors()).toEqual({ containers: below(network.chains.P, 85) })
    }
    const { counters } = client
    await expect.poll(() => [counters.unsolicitedAnswers, counters.repeatedAnswers]).toEqual([2, 3])
  })

  test('withheld: a chain that ends earlier', async () => {
    setFault({ kind: 'withheld', blocks: 5 })
    const end = blockAt(network.chains.P, 80)
    expect(await frontier()).toEqual({ containerId: end.id })
    expect(await ancestors()).toEqual({ containers: [] })
    expect(await ancestors(end.id)).toEqual({ containers: below(network.chains.P, 80) })
    expect(await accepted(tip(), end.id)).toEqual({ containerIds: [end.id] })
    expect(await poll()).toMatchObject({ acceptedHeight: 80n, acceptedId: end.id })
  })

  test('fork: another valid chain above a height', async () => {
    setFault({ kind: 'fork', blocks: 5 })
    const { containerId } = (await frontier()) as { readonly containerId: Uint8Array }
    expect(await accepted(tip(), containerId)).toEqual({ containerIds: [containerId] })
    const { containers } = (await ancestors(containerId)) as { readonly containers: readonly Uint8Array[] }
    expect(containers.slice(5)).toEqual(below(network.chains.P, 80))
    let expected = containerId
    for (const bytes of containers.slice(0, 5)) {
      const container = Container.decode(bytes)
      expect(Container.id(container)).toEqual(expected)
      Container.verify(container, chainId)
      PlatformBlock.decode(container.block)
      expected = container.parentID
    }
    expect(expected).toEqual(blockAt(network.chains.P, 80).id)
  })

  test('false-frontier: a block that does not exist', async () => {
    setFault('false-frontier')
    const { containerId } = (await frontier()) as { readonly containerId: Uint8Array }
    expect(await ancestors(containerId)).toEqual({ containers: [] })
    expect(await accepted(containerId)).toEqual({ containerIds: [containerId] })
    expect(await poll()).toMatchObject({ acceptedId: containerId, acceptedHeight: 86n })
  })

  test('false-accepted: the opposite of the truth', async () => {
    setFault('false-accepted')
    expect(await accepted(tip(), UNKNOWN)).toEqual({ containerIds: [UNKNOWN] })
  })

  test('state-synced: containers only above a height, and inner blocks a little below', async () => {
    setFault({ kind: 'state-synced', blocks: 5 })
    expect(await ancestors()).toEqual({ containers: below(network.chains.P, 85).slice(0, 5) })
    const old = blockAt(network.chains.P, 40)
    expect(await ancestors(old.id)).toEqual({ containers: [] })
    const { containers } = (await ancestors(old.innerId)) as { readonly containers: readonly Uint8Array[] }
    expect(containers).toHaveLength(41)
  })

  test('any: a correct answer or one with another fault, by turns', async () => {
    setFault('any')
    const { nodeId } = devnet.validators[0] as { nodeId: Uint8Array }
    const outcomes = new Set<string>()
    for (let i = 0; i < 30; i++) {
      await client.connected(nodeId)
      outcomes.add(JSON.stringify(await ask('accepted', { chainId, containerIds: [tip()] }, 0, 300)))
    }
    expect([...outcomes]).toContain(JSON.stringify({ containerIds: [tip()] }))
    expect(outcomes.size).toBeGreaterThan(3)
  })

  test.each(['refuse', 'wrong-signature'])(
    '%s is rejected, because it concerns signature requests',
    (kind) => {
      expect(() => setFault(kind)).toThrow(expect.objectContaining({ code: 'DEVNET_OPTIONS' }))
      expect(() => devnet.validators[0]?.setFault({ kind } as never)).toThrow(/^expected one of slow/)
    },
  )
})

describe('HTTP', () => {
  test('names the validators as a client gives them to a node', async () => {
    const described = (await (await fetch(`${devnet.rpcUrl}/devnet`)).json()) as Record<string, never>
    expect(described).toMatchObject({
      networkID: 12345,
      bootstrapIds: devnet.validators.map(({ nodeIdText }) => nodeIdText).join(),
      bootstrapIps: devnet.validators.map(({ address: { port } }) => `127.0.0.1:${port}`).join(),
      heights: { P: 85, X: 35, C: 83 },
    })
    expect(described).not.toHaveProperty('genesisFile')
  })

  test('serves the Info API', async () => {
    const info = createClient(InfoMethods, { url: `${devnet.rpcUrl}/ext/info` })
    expect(await info.call('info.getNetworkID')).toEqual({ networkID: 12345 })
    expect(await info.call('info.getBlockchainID', { alias: 'X' })).toEqual({
      blockchainID: network.chains.X.chainId,
    })
    const { peers } = await info.call('info.peers')
    expect(peers.map(({ nodeID: nodeId }) => NodeId.format(nodeId))).toEqual(
      devnet.validators.map(({ nodeIdText }) => nodeIdText),
    )
  })

  test('says that there are no chain APIs', async () => {
    const answer = await fetch(`${devnet.rpcUrl}/ext/bc/P`, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('run firn node')])
  })

  test('serves the genesis and the upgrades of a custom network', async () => {
    const { network: made, genesisConfig } = await GeneratedNetwork.create({
      networkId: 4321,
      blocks: 1,
      seed: 'files',
    })
    const genesisFile = genesisConfig && genesisFileOf(genesisConfig)
    const own = await createRecordedDevnet({ network: made, validators: 1, genesisFile })
    const described = (await (await fetch(`${own.rpcUrl}/devnet`)).json()) as Record<string, string>
    const { genesisFile: genesisUrl = '', upgradeFile = '' } = described
    expect(await (await fetch(genesisUrl)).json()).toMatchObject({ networkID: 4321 })
    expect(await (await fetch(upgradeFile)).json()).toMatchObject({ banffTime: '2022-10-18T16:00:00Z' })
    await own.close()
  })
})
