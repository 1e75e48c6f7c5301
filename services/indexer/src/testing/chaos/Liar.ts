import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A server that answers for a node, and changes or withholds the answers. For tests only. */
export interface Liar {
  readonly url: string
  readonly host: string
  /** Name of the lie that it tells; undefined if it is honest. */
  lie: string | undefined
  /** Whether it refuses all requests. */
  isAway: boolean
  /** Number of requests that it has answered honestly since the last change of `lie`. */
  answered: number
  /** Number of lies since the last change of `lie`. */
  told: number
  close(): Promise<void>
}

/** Answers a request with the given body for a liar that is not away. */
export type Answer = (
  liar: Liar,
  body: string,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<void> | void

/** Starts a server that answers with `answer`. For tests only. */
export async function createLiar(answer: Answer): Promise<Liar> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    // A caller that gave up has sent no body.
    if (liar.isAway || body === '') return void response.destroy()
    // At the end, the node may be closed before the liar.
    await answer(liar, body, response, request)?.catch(() => response.destroy())
  })
  await new Promise<void>((settle) => void server.listen(0, '127.0.0.1', () => settle()))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const liar: Liar = {
    url: `http://${host}`,
    host,
    lie: undefined,
    isAway: false,
    answered: 0,
    told: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((settle) => server.close(settle))
    },
  }
  return liar
}
