import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A server that forwards JSON-RPC requests to a node API, and can fail on purpose. */
export interface UpstreamProxy {
  readonly url: string
  /** While true, all requests are answered with 502. */
  isDown: boolean
  close(): Promise<void>
}

/** Starts a proxy in front of the API at `target`. */
export async function start(target: string): Promise<UpstreamProxy> {
  const proxy = { isDown: false }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (proxy.isDown) return void response.writeHead(502).end()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body }).catch(
      () => undefined,
    )
    response.writeHead(answer?.status ?? 502, headers).end(await answer?.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
