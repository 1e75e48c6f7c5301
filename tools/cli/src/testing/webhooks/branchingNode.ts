import { type InventedOptions, type InventedParts, inventedChain } from '@firn/evm/testing'
import { type NodeProcess, startNode } from '../growing.ts'

const PROGRAM = new URL('../../../../../services/indexer/src/testing/inventedEvmNode.ts', import.meta.url)

/** A node in its own process whose chain grows and branches on demand. For tests only. */
export interface BranchingNode extends Pick<NodeProcess, 'url' | 'close'> {
  readonly chainId: bigint
  /** The blocks of the chain that the node serves. */
  readonly blocks: () => readonly InventedParts[]
  /** Hashes of all blocks that the node has served. */
  readonly served: ReadonlySet<string>
  /** Replaces the last blocks, if `depth` is above 0, and adds more of them than it replaces. */
  readonly advance: (depth: number, count: number) => void
  /** Sets the fraction of requests that fail. */
  readonly fail: (rate: number) => void
}

/** Starts a node with some blocks of a generated chain. For tests only. */
export const startBranchingNode = async (
  chainId: bigint,
  options: InventedOptions,
  count: number,
): Promise<BranchingNode> => {
  const node = await startNode(PROGRAM, [String(chainId), JSON.stringify(options), String(count)])
  let chain = inventedChain(options)
  const served = new Set(chain.grow(count).map(({ block }) => block.hash))
  let forks = 0
  return {
    chainId,
    url: node.url,
    blocks: () => chain.blocks,
    served,
    advance: (depth, count) => {
      const height = chain.blocks.length - 1 - depth
      const fork = depth === 0 ? undefined : { height, name: `fork ${++forks}` }
      if (fork !== undefined) chain = chain.branch(BigInt(height), fork.name)
      const grow = depth + count
      for (const { block } of chain.grow(grow)) served.add(block.hash)
      node.write(JSON.stringify({ fork, grow }))
    },
    fail: (rate) => node.write(JSON.stringify({ faults: rate === 0 ? {} : { mode: 'badGateway', rate } })),
    close: node.close,
  }
}
