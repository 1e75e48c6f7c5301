import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FakeNode } from '../fakeNode.ts'
import { type GivenContainer, NETWORK_LIES, type NetworkLie } from './networkLies.ts'

/** A server that answers for a node of the Primary Network, and changes or withholds the answers. For tests only. */
export interface NetworkLiar {
  readonly url: string
  readonly host: string
  /** Name of the lie that it tells; undefined if it is honest. */
  lie: string | undefined
  /** Whether it refuses all requests. */
  isAway: boolean
  /** Number of lies told since the last change of `lie`. */
  told: number
  close(): Promise<void>
}

const BARE_BLOCKS = /getBlockByHeight|debug_getRawBlock/

function withoutMethod(body: string): string {
  const { id } = JSON.parse(body) as { readonly id: unknown }
  const error = { code: -32601, message: 'the method does not exist/is not available' }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

/** Starts a server for a node. `elsewhere` is a node of another network. For tests only. */
export async function createNetworkLiar(node: FakeNode, elsewhere: FakeNode): Promise<NetworkLiar> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (liar.isAway) return void response.destroy()
    const path = request.url ?? ''
    const lie: NetworkLie = (liar.lie === undefined ? undefined : NETWORK_LIES[liar.lie]) ?? {}
    if (lie.answer !== undefined) {
      liar.told += 1
      return lie.answer(response)
    }
    // Bare blocks are valid, but the stored data would differ from those with containers.
    if (BARE_BLOCKS.test(body)) return void response.end(withoutMethod(body))
    const isRange = body.includes('index.getContainerRange')
    const asked = lie.isElsewhere === true && isRange ? elsewhere : node
    if (asked === elsewhere) liar.told += 1
    const { status, body: honest } = asked.answer(path, body)
    const answer = status === 200 ? changed(honest, lie) : honest
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
  })
  const changed = (honest: string, { containers, height }: NetworkLie): string => {
    const answer = JSON.parse(honest) as { result?: Record<string, unknown> }
    const { result } = answer
    if (Array.isArray(result?.['containers']) && containers !== undefined) {
      liar.told += 1
      result['containers'] = containers(result['containers'] as GivenContainer[])
    } else if (typeof result?.['height'] === 'string' && height !== undefined) {
      liar.told += 1
      result['height'] = String(height(Number(result['height'])))
    }
    return JSON.stringify(answer)
  }
  await new Promise<void>((settle) => void server.listen(0, '127.0.0.1', () => settle()))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const liar: NetworkLiar = {
    url: `http://${host}`,
    host,
    lie: undefined,
    isAway: false,
    told: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((settle) => server.close(settle))
    },
  }
  return liar
}
