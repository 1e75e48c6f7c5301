import { createInterface } from 'node:readline'
import { type InventedOptions, inventedChain, inventedFacts } from '@firn/evm/testing'
import { createEvmNode } from './EvmNode.ts'
import { createFakeContracts } from './evmContracts.ts'
import type { EvmFaults } from './evmFaults.ts'

/** A line of the standard input. For tests only. */
export interface Step {
  /** Height of the last block that is kept, before the chain goes on with blocks that depend on `name`. */
  readonly fork?: { readonly height: number; readonly name: string }
  /** Number of blocks to add. */
  readonly grow?: number
  readonly faults?: EvmFaults
}

/**
 * Serves a generated chain like a node. Arguments of the process: the chain id, the options of the chain as JSON, and the
 * initial number of blocks. Each line of standard input is a {@link Step} as JSON. The process prints its URL, and exits
 * when its standard input ends.
 */
const [id = '1337', options = '{"seed":1}', count = '1'] = process.argv.slice(2)
let chain = inventedChain(JSON.parse(options) as InventedOptions)
chain.grow(Number(count))
const call = createFakeContracts(inventedFacts)
const node = await createEvmNode({ chainId: BigInt(id), blocks: chain.blocks.slice(), call })
process.stdout.write(`${node.url}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const { fork, grow = 0, faults } = JSON.parse(line) as Step
  if (faults !== undefined) node.faults = faults
  if (fork !== undefined) chain = chain.branch(BigInt(fork.height), fork.name)
  chain.grow(grow)
  node.publish(chain.blocks.slice())
}
process.exit(0)
