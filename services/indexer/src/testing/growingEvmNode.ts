import { createInterface } from 'node:readline'
import { createEvmNode } from './EvmNode.ts'
import { token } from './reliableToken.ts'
import { extend } from './transferChain.ts'

/**
 * Arguments of the process: the port, and the initial number of blocks in the served chain of transfers. Each line of
 * standard input sets a new number of blocks. The process prints its URL, and exits when its standard input ends.
 */
const [port = '0', count = '1'] = process.argv.slice(2)
let blocks = extend([], Number(count), { name: 'growing' })
const node = await createEvmNode({ chainId: 31_337n, blocks, call: token, port: Number(port) })
process.stdout.write(`${node.url}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  blocks = extend(blocks, Number(line) - blocks.length, { name: 'growing' })
  node.publish(blocks)
}
process.exit(0)
