import type { FakeNode } from '../fakeNode.ts'
import { createLiar, type Liar } from './Liar.ts'
import { type GivenContainer, NETWORK_LIES, type NetworkLie } from './networkLies.ts'

const BARE_BLOCKS = /getBlockByHeight|debug_getRawBlock/

function withoutMethod(body: string): string {
  const { id } = JSON.parse(body) as { readonly id: unknown }
  const error = { code: -32601, message: 'the method does not exist/is not available' }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

/** Starts a server for a node. `elsewhere` is a node of another network. For tests only. */
export function createNetworkLiar(node: FakeNode, elsewhere: FakeNode): Promise<Liar> {
  return createLiar((liar, body, response, request) => {
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
    const answer = status === 200 ? changed(liar, honest, lie) : honest
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
  })
}

function changed(liar: Liar, honest: string, { containers, height }: NetworkLie): string {
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
