import assert from 'node:assert/strict'
import { limitAncestors, MAX_CONTAINERS } from './ChainRequests.ts'
import * as Identity from './Identity.ts'
import { createNetwork, type Network } from './Network.ts'
import { createPeerServer, type PeerServer } from './PeerServer.ts'

const NETWORK_ID = 12_345
const CHAIN = new Uint8Array(32).fill(1)
const QUESTION = new Uint8Array(100).fill(2)
const ANSWER = crypto.getRandomValues(new Uint8Array(98))
const REQUESTS = 1_000
const ANSWERS = 20
/** A full answer of blocks of 1,000 bytes. */
const containers = limitAncestors(
  Array.from({ length: MAX_CONTAINERS }, (_, i) => new Uint8Array(1_000).fill(i)),
)
/** Rate limits so high that they do not influence the benchmark. */
const limits = { inboundBytesPerSecond: 1e9, inboundBurstBytes: 1e9 }
/** Returns the point at infinity, so that BLS is not part of the measurement. */
const blsSign = (): Uint8Array => Uint8Array.from({ length: 96 }, (_, i) => (i === 0 ? 0xc0 : 0))
const [node, client] = [Identity.create({ blsSign }), Identity.create({ blsSign })]

/**
 * Runs `act` with a server and a network that is connected to it, both in this process, and then closes them.
 * The result of each round includes the time to open one connection.
 */
async function live(act: (network: Network, server: PeerServer) => Promise<void>): Promise<void> {
  const server = await createPeerServer({
    networkId: NETWORK_ID,
    identity: node,
    limits,
    chains: { ancestors: () => ({ containers }) },
    onAppRequest: (_peer, _request, reply) => reply.response(ANSWER),
  })
  const network = createNetwork({ networkId: NETWORK_ID, identity: client, limits, discovery: false })
  network.addEndpoint(server.nodeId, server.address)
  network.track([server.nodeId])
  await network.connected(server.nodeId)
  await act(network, server)
  await network.close()
  await server.close()
}

async function ask(network: Network, server: PeerServer): Promise<void> {
  const answer = await network.request(server.nodeId, {
    chainId: CHAIN,
    bytes: QUESTION.slice(),
    deadlineMs: 60_000,
  })
  assert.equal(answer.kind, 'response')
}

async function askAncestors(network: Network, server: PeerServer): Promise<void> {
  const request = { chainId: CHAIN, containerId: CHAIN, engine: 'chain', deadlineMs: 60_000 } as const
  const answer = await network.ask('ancestors', server.nodeId, request)
  assert.equal(answer.kind, 'answer')
}

/** Fetches full answers, two at a time, as a syncing client does. */
async function fetch(network: Network, server: PeerServer): Promise<void> {
  const one = async (): Promise<void> => {
    for (let i = 0; i < ANSWERS / 2; i++) await askAncestors(network, server)
  }
  await Promise.all([one(), one()])
}

async function oneByOne(network: Network, server: PeerServer): Promise<void> {
  for (let i = 0; i < REQUESTS; i++) await ask(network, server)
}

async function together(network: Network, server: PeerServer): Promise<void> {
  await Promise.all(Array.from({ length: REQUESTS }, () => ask(network, server)))
}

await live(together)
await live(fetch)

export const benchmarks = {
  'one connection, with both ends in this process': {
    'connecting and closing': () => live(() => Promise.resolve()),
    [`with ${REQUESTS} requests, 64 in flight`]: () => live(together),
    [`with ${ANSWERS} answers of ${containers.length} ancestors, 2 in flight`]: () => live(fetch),
    [`with ${REQUESTS} requests, one at a time`]: () => live(oneByOne),
  },
}
