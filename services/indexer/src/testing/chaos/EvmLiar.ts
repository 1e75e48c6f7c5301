import { type Call, EVM_LIES, type EvmLie } from './evmLies.ts'
import { createLiar, type Liar } from './Liar.ts'

/** Starts a server in front of the node at `nodeUrl`. For tests only. */
export function createEvmLiar(nodeUrl: string): Promise<Liar> {
  return createLiar(async (liar, body, response) => {
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
    if (liar.lie === undefined) liar.answered += 1
    response.setHeader('content-type', 'application/json').end(changed(liar, honest, calls, lie))
  })
}

function changed(liar: Liar, honest: string, calls: readonly Call[], { change }: EvmLie): string {
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

/** Number of requests that fail before the indexer reads the node's capabilities again. */
const RECONNECTS = 8
const STATE = ['eth_call', 'eth_getCode', 'eth_getStorageAt', 'eth_getProof']
