import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A fake EVM node that responds immediately. */
export interface EvmNode {
  readonly url: string
  close(): Promise<void>
}

/** Starts a fake node that reports a balance of one for every address, in wei and in every token. */
export async function start(): Promise<EvmNode> {
  const server = createServer(async (request, response) => {
    const asked = (await json(request)) as Call | readonly Call[]
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked as Call)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Call {
  readonly id: number
  readonly method: string
}

function answerTo({ id, method }: Call) {
  return { jsonrpc: '2.0', id, result: method === 'eth_call' ? `0x${'1'.padStart(64, '0')}` : '0x1' }
}
