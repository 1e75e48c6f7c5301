import { createEvmNode } from './EvmNode.ts'
import { token } from './reliableToken.ts'
import { extend } from './transferChain.ts'

/**
 * Number of blocks that the process serves, each with 50 transactions and 40 transfers. The process prints
 * its URL, and exits when its standard input ends.
 */
const [count = '1000'] = process.argv.slice(2)
const blocks = extend([], Number(count), { name: 'bench', transactions: 50, transfers: 40 })
const node = await createEvmNode({ chainId: 31_337n, blocks, call: token })
process.stdout.write(`${node.url}\n`)
process.stdin.on('end', () => process.exit(0)).resume()
