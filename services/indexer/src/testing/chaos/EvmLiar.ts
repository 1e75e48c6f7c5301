import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Call, EVM_LIES, type EvmLie } from './evmLies.ts'

/** A server that forwards requests to a node, and changes or withholds the answers. For tests only. */
export interface EvmLiar {
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

/** Starts a server in front of the node at `nodeUrl`. For tests only. */
export async function createEvmLiar(nodeUrl: string): Promise<EvmLiar> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (liar.isAway) return void response.destroy()
    const calls = [JSON.parse(body)].flat() as readonly Call[]
    const answered = await fetch(nodeUrl, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    const honest = await answered.text()
    const lie: EvmLie = (liar.lie === undefined ? undefined : EVM_LIES[liar.lie]) ?? {}
    // What contracts answer cannot be checked yet, so it is always honest.
    const isState = calls.some(({ method }) => STATE.includes(method))
    if (lie.reconnects === true && liar.told < RECONNECTS) {
      liar.told += 1
      return void response.destroy()
    }
    if (lie.answer !== undefined && !isState) {
      liar.told += 1
      return lie.answer(response, honest)
    }
    response.setHeader('content-type', 'application/json').end(changed(honest, calls, lie))
  })
  const changed = (honest: string, calls: readonly Call[], { change }: EvmLie): string => {
    if (change === undefined) return honest
    const parsed = JSON.parse(honest) as object | readonly object[]
    const byId = new Map(calls.map((call) => [call.id, call]))
    const lied = [parsed].flat().map((answer) => {
      const { id, result } = answer as { readonly id: unknown; readonly result?: unknown }
      const call = byId.get(id)
      const wrong = call === undefined || result === undefined ? undefined : change(result, call)
      if (wrong === undefined) return answer
      liar.told += 1
      return { ...answer, result: wrong }
    })
    return JSON.stringify(Array.isArray(parsed) ? lied : lied[0])
  }
  await new Promise<void>((settle) => void server.listen(0, '127.0.0.1', () => settle()))
  const { port } = server.address() as AddressInfo
  const liar: EvmLiar = {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
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

/** Number of requests that fail before the indexer reads the node's capabilities again. */
const RECONNECTS = 8
const STATE = ['eth_call', 'eth_getCode', 'eth_getStorageAt', 'eth_getProof']
