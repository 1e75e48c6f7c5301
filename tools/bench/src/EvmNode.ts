import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fake EVM node that responds immediately. */
export interface EvmNode {
  readonly url: string
  close(): Promise<void>
}

/** Starts a fake node that reports a balance of one wei for every address. */
export async function start(): Promise<EvmNode> {
  const server = createServer((_request, response) => {
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
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
