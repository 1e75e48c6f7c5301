import assert from 'node:assert/strict'
import { Hex } from '@firn/codec'
import { systemClock } from '@firn/runtime'
import type { Block } from './BlockStore.ts'
import { bootstrap } from './Bootstrap.ts'
import type { ChainAnswers, ChainRequestKind, ChainRequests, Transport } from './Transport.ts'
import * as MemoryStore from './testing/MemoryStore.ts'
import * as Random from './testing/Random.ts'
import * as SimulatedChain from './testing/SimulatedChain.ts'
import * as Voters from './Voters.ts'

const PEERS = 5
const BLOCKS = 10_000
/** Number of containers in an answer of a node with containers of about 3 kB. */
const PER_ANSWER = 500

const { blocks } = SimulatedChain.create({
  random: Random.create(1),
  length: BLOCKS,
  proposervmHeight: BLOCKS / 10,
})
const heights = new Map(blocks.map(({ id }, height) => [Hex.encodeBare(id), height]))
const [genesis, tip] = [blocks[0] as Block, blocks[BLOCKS] as Block]
const nodeIds = Array.from({ length: PEERS }, (_, i) => new Uint8Array(20).fill(i))

const answers: { [Kind in ChainRequestKind]: (request: ChainRequests[Kind]) => ChainAnswers[Kind] } = {
  acceptedFrontier: () => ({ containerId: tip.id }),
  accepted: ({ containerIds }) => ({ containerIds }),
  ancestors({ containerId }) {
    const end = (heights.get(Hex.encodeBare(containerId)) ?? -1) + 1
    const found = blocks.slice(Math.max(0, end - PER_ANSWER), end)
    return { containers: found.reverse().map(({ bytes }) => bytes) }
  },
  pullQuery: () => {
    throw new RangeError('not polled')
  },
}

/** Peers that answer without delay, so that the benchmark measures only the sync. */
const transport: Transport = {
  connected: () => nodeIds,
  ask: async (kind, _nodeId, request) => ({ kind: 'answer', answer: answers[kind](request) }),
}

async function fetch(checkpoints: number): Promise<void> {
  const disk = MemoryStore.createDisk()
  await bootstrap({
    chain: 'P',
    chainId: SimulatedChain.CHAIN_ID,
    transport,
    clock: systemClock,
    voters: () => Voters.beacons(nodeIds),
    verify: SimulatedChain.verify,
    root: genesis,
    store: MemoryStore.open(disk),
    checkpoints: Array.from({ length: checkpoints }, (_, i) => ({
      id: (blocks[Math.floor(((i + 1) * BLOCKS) / (checkpoints + 1))] as Block).id,
    })),
    // One vote is enough, because all peers answer alike.
    options: { closeEnough: BigInt(BLOCKS) },
  })
  assert.equal(disk.blocks.size, BLOCKS)
}

export const benchmarks = {
  [`fetch ${BLOCKS} blocks of ${PEERS} peers with simulated signatures`]: {
    'from the tip': () => fetch(0),
    'from the tip and 20 checkpoints': () => fetch(20),
  },
}
