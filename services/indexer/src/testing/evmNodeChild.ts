import { renderBlock } from '@firn/evm/testing'
import { busyChain } from '@firn/evm-store/testing'
import { createEvmNode } from './EvmNode.ts'
import type { NodeBlock } from './evmMethods.ts'
import { token } from './reliableToken.ts'

/**
 * Number of blocks that the process serves, each with 50 transactions and 40 transfers. The process prints
 * its URL, and exits when its standard input ends.
 */
const [count = '1000'] = process.argv.slice(2)
const chain = busyChain({
  blocks: Number(count),
  transactions: 50,
  transfers: 40,
  accounts: 100_000,
  contracts: 500,
  seconds: 2,
})
const blocks = Array.from(chain, (block): NodeBlock => renderBlock(block))
const node = await createEvmNode({ chainId: 31_337n, blocks, call: token })
process.stdout.write(`${node.url}\n`)
process.stdin.on('end', () => process.exit(0)).resume()
