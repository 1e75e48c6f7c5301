import { createFakeClock, type FakeClock } from '@firn/runtime/testing'
import type { SyncDependencies } from '../internal/Context.ts'
import * as MemoryStore from './MemoryStore.ts'
import * as Random from './Random.ts'
import * as SimulatedChain from './SimulatedChain.ts'
import * as SimulatedNetwork from './SimulatedNetwork.ts'

/** Options of {@link create}. */
export interface SceneOptions extends Partial<Omit<SimulatedNetwork.NetworkOptions, 'nodes' | 'clock'>> {
  /** Number of nodes; default 5. */
  readonly amount?: number
  /** Length of the chain; default 100. */
  readonly length?: number
  /** Changes the node at an index, which is honest and has weight 1 otherwise. */
  readonly node?: (index: number) => Partial<SimulatedNetwork.SimulatedNode>
}

/** A small network with one chain and one fork, which begins after half of the chain. */
export interface Scene {
  readonly clock: FakeClock
  readonly chain: SimulatedChain.SimulatedChain
  readonly fork: SimulatedChain.SimulatedChain
  readonly disk: MemoryStore.Disk
  readonly network: SimulatedNetwork.SimulatedNetwork
  readonly dependencies: SyncDependencies
  /** Number of events by name, as the network counts them. */
  readonly counts: ReadonlyMap<string, number>
  /** Times of all requests. */
  readonly times: readonly number[]
}

/** Returns a network without faults, except for those in the options. */
export function create(options: SceneOptions = {}): Scene {
  const { amount = 5, length = 100 } = options
  const clock = createFakeClock()
  const random = Random.create(1)
  const chain = options.chain ?? SimulatedChain.create({ random, length, proposervmHeight: 10 })
  const fork = options.fork ?? SimulatedChain.fork(chain, length / 2, length / 2, random)
  const nodes = Array.from({ length: amount }, (_, i) => ({
    nodeId: new Uint8Array(20).fill(i + 1),
    weight: 1n,
    votesForFork: false,
    isPruned: false,
    lagMs: i * 10,
    delayMs: [10, 20] as const,
    ...options.node?.(i),
  }))
  const counts = new Map<string, number>()
  const times: number[] = []
  const network = SimulatedNetwork.create({
    random,
    acceptedAt: () => Number.NEGATIVE_INFINITY,
    loss: 0,
    maxContainers: 10,
    ...options,
    clock,
    chain,
    fork,
    nodes,
    count(event) {
      counts.set(event, (counts.get(event) ?? 0) + 1)
      if (event.startsWith('request')) times.push(clock.now())
    },
  })
  return {
    clock,
    chain,
    fork,
    disk: MemoryStore.createDisk(),
    network,
    counts,
    times,
    dependencies: {
      chain: 'P',
      chainId: SimulatedChain.CHAIN_ID,
      transport: network.transport,
      clock,
      random,
      voters: () => nodes,
      verify: SimulatedChain.verify,
    },
  }
}
