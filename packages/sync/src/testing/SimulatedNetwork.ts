import { Hex } from '@firn/codec'
import type { FakeClock } from '@firn/runtime/testing'
import type { Block } from '../BlockStore.ts'
import type { ChainAnswer, ChainAnswers, ChainRequestKind, ChainRequests, Transport } from '../Transport.ts'
import type { Voter } from '../Voters.ts'
import * as Lies from './Lies.ts'
import type { SimulatedChain } from './SimulatedChain.ts'

/** One node of a simulated network. */
export interface SimulatedNode extends Voter {
  /** What the node does; undefined if it is honest. */
  readonly hostile?: Lies.Hostile
  /** True if the node votes for the fork, whatever else it does. */
  readonly votesForFork: boolean
  /** True if an honest node has no blocks to give, as after a state sync. */
  readonly isPruned: boolean
  /** Milliseconds after the first node accepted a block, until this one has. */
  readonly lagMs: number
  /** Minimum and maximum delay of an answer. */
  readonly delayMs: readonly [number, number]
  /** Times between which the node is not connected. */
  readonly down?: readonly [number, number]
}

/** A network whose nodes accept the blocks of one chain. */
export interface NetworkOptions {
  readonly clock: FakeClock
  readonly random: () => number
  readonly nodes: readonly SimulatedNode[]
  readonly chain: SimulatedChain
  /** The chain that hostile nodes claim to have accepted. */
  readonly fork: SimulatedChain
  /** Returns the time at which the first node accepts the block at a height. */
  readonly acceptedAt: (height: number) => number
  /** Share of answers that are lost. */
  readonly loss: number
  /** Maximum number of containers in an answer. */
  readonly maxContainers: number
  /** Answers requests for vertices. */
  readonly vertices?: (id: Uint8Array, limit: number) => readonly Uint8Array[]
  /** Counts an event, by name. */
  readonly count: (event: string) => void
}

/** A simulated network. */
export interface SimulatedNetwork {
  readonly transport: Transport
  /** Returns the height that a node has accepted now. */
  heightOf(node: SimulatedNode): number
  /** Returns whether honest nodes of more than half of the weight are connected. */
  isReachable(): boolean
}

const NO_ID = new Uint8Array(32)
const UNCHANGED = new Set(['slow', 'trickle'])

/** Returns a network. Its behaviour depends only on the options and the requests. */
export function create(options: NetworkOptions): SimulatedNetwork {
  const { chain, clock, count, fork, loss, maxContainers, nodes, random } = options
  const byKey = new Map(nodes.map((node) => [Hex.encodeBare(node.nodeId), node]))
  const blocksById = new Map<string, { readonly chain: SimulatedChain; readonly height: number }>()
  for (const one of [fork, chain]) {
    for (const [height, { id }] of one.blocks.entries())
      blocksById.set(Hex.encodeBare(id), { chain: one, height })
  }
  const total = nodes.reduce((sum, { weight }) => sum + weight, 0n)
  const isUp = ({ down }: SimulatedNode) =>
    down === undefined || clock.now() < down[0] || clock.now() >= down[1]
  const heightOf = (node: SimulatedNode) => {
    let height = chain.blocks.length - 1
    while (height > 0 && options.acceptedAt(height) + node.lagMs > clock.now()) height -= 1
    return height
  }
  const acceptedBlocks = (node: SimulatedNode) =>
    node.votesForFork ? fork.blocks : chain.blocks.slice(0, heightOf(node) + 1)

  const ancestorsOf = (node: SimulatedNode, request: ChainRequests['ancestors']): readonly Uint8Array[] => {
    if (request.engine === 'dag') return options.vertices?.(request.containerId, maxContainers) ?? []
    const found = blocksById.get(Hex.encodeBare(request.containerId))
    if (found === undefined) return []
    if (node.hostile === undefined && (node.isPruned || found.chain !== chain)) return []
    if (node.hostile === undefined && found.height > heightOf(node)) return []
    return found.chain.blocks
      .slice(Math.max(0, found.height + 1 - maxContainers), found.height + 1)
      .reverse()
      .map(({ bytes }) => bytes)
  }

  const answers: {
    [Kind in ChainRequestKind]: (
      node: SimulatedNode,
      request: ChainRequests[Kind],
    ) => ChainAnswers[Kind] | undefined
  } = {
    acceptedFrontier: (node) =>
      node.hostile === 'boasts'
        ? { containerId: NO_ID.map(() => Math.floor(random() * 256)) }
        : { containerId: (acceptedBlocks(node).at(-1) as Block).id },
    accepted: (node, { containerIds }) => ({
      containerIds:
        node.hostile === 'boasts'
          ? [...containerIds, ...containerIds, NO_ID]
          : containerIds.filter((id) => {
              const found = blocksById.get(Hex.encodeBare(id))
              const blocks = acceptedBlocks(node)
              return found !== undefined && blocks[found.height] === found.chain.blocks[found.height]
            }),
    }),
    ancestors: (node, request) => {
      const right = ancestorsOf(node, request)
      if (node.hostile === undefined) return { containers: right }
      const containers = Lies.containers(node.hostile, right, fork.blocks, random)
      if (!UNCHANGED.has(node.hostile)) count(`lie: ${node.hostile}`)
      return { containers }
    },
    pullQuery: (node, { requestedHeight }) => {
      const blocks = acceptedBlocks(node)
      const last = blocks.at(-1) as Block
      const asked = Number(requestedHeight)
      if (node.hostile === 'boasts') {
        const id = NO_ID.map(() => Math.floor(random() * 256))
        const acceptedHeight = requestedHeight + BigInt(Math.floor(random() * 1_000_000))
        return { preferredId: id, preferredIdAtHeight: id, acceptedId: id, acceptedHeight }
      }
      const preferred = blocks[asked] ?? chain.blocks[asked]
      return {
        preferredId: last.id,
        preferredIdAtHeight: preferred?.id ?? last.id,
        acceptedId: last.id,
        acceptedHeight: last.height,
      }
    },
  }

  const transport: Transport = {
    connected: () => nodes.filter(isUp).map(({ nodeId }) => nodeId),
    ask<Kind extends ChainRequestKind>(
      kind: Kind,
      nodeId: Uint8Array,
      request: ChainRequests[Kind],
      signal?: AbortSignal,
    ) {
      const node = byKey.get(Hex.encodeBare(nodeId)) as SimulatedNode
      count(`request: ${kind}`)
      return new Promise<ChainAnswer<Kind>>((resolve, reject) => {
        const settle = (ms: number, outcome: () => ChainAnswer<Kind>) => {
          clock.after(Math.min(ms, request.deadlineMs), () => {
            if (signal?.aborted) reject(signal.reason)
            else if (!isUp(node)) resolve({ kind: 'disconnected', reason: 'down' })
            else resolve(ms > request.deadlineMs ? { kind: 'timeout' } : outcome())
          })
        }
        const never = () => settle(Number.POSITIVE_INFINITY, () => ({ kind: 'timeout' }))
        if (random() < loss) {
          count('lost answers')
          return never()
        }
        const [least, most] = node.delayMs
        const ms = least + random() * (most - least)
        switch (node.hostile) {
          case 'silent':
            count('lie: silent')
            return never()
          case 'malformed':
            count('lie: malformed')
            return settle(ms, () => ({ kind: 'malformed', reason: 'simulated' }))
          case 'disconnects':
            count('lie: disconnects')
            return settle(ms, () => ({ kind: 'disconnected', reason: 'simulated' }))
          case 'throws':
            count('lie: throws')
            return void clock.after(ms, () => reject(new RangeError('simulated')))
        }
        if (node.hostile === 'slow' || node.hostile === 'trickle') count(`lie: ${node.hostile}`)
        const answer = answers[kind](node, request)
        if (answer === undefined) return never()
        settle(node.hostile === 'slow' ? request.deadlineMs * 0.95 : ms, () => ({ kind: 'answer', answer }))
      })
    },
  }
  return {
    transport,
    heightOf,
    isReachable: () =>
      2n *
        nodes.reduce(
          (sum, node) => (node.hostile === undefined && isUp(node) ? sum + node.weight : sum),
          0n,
        ) >
      total,
  }
}
