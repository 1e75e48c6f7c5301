import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A JSON-RPC proxy of a node that counts balance calls. For tests only. */
export interface EvmProxy {
  readonly url: string
  /** Number of batches with balance calls, by the block that the calls name. */
  readonly batches: ReadonlyMap<string, number>
  /** Number of newest blocks whose state the node has; undefined if it has the state of all. Can be changed. */
  states: number | undefined
  /** Sends a call and returns its result. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
  close(): Promise<void>
}

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

interface Response {
  readonly result?: unknown
}

/** Start of the data of `balanceOf(address)` and `balanceOf(address,uint256)`. */
const BALANCE_CALL = /^0x(70a08231|00fdd58e)/
const STATELESS = { code: -32_000, message: 'missing trie node 00 (path ) state 0x00 is not available' }

/** Starts a proxy of a node on a free port of the loopback address. For tests only. */
export async function createEvmProxy(nodeUrl: string): Promise<EvmProxy> {
  const batches = new Map<string, number>()

  const send = async <T>(body: unknown): Promise<T> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(nodeUrl, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as T
  }
  const ask = async (method: string, params: readonly unknown[]) =>
    (await send<Response>({ jsonrpc: '2.0', id: 1, method, params })).result
  const heightOf = async (block: unknown): Promise<number> => {
    if (block === 'latest') return Number.POSITIVE_INFINITY
    if (typeof block === 'string') return Number(block)
    const { blockHash } = block as { readonly blockHash: string }
    const found = await ask('eth_getBlockByHash', [blockHash, false])
    return Number((found as { readonly number: string } | null)?.number ?? Number.POSITIVE_INFINITY)
  }
  /** Returns whether the node has the states that the calls read. */
  const hasStates = async (calls: readonly Request[]): Promise<boolean> => {
    if (proxy.states === undefined) return true
    const head = Number(await ask('eth_blockNumber', []))
    const blocks = new Set(calls.map(({ params }) => JSON.stringify(params?.[1])))
    const heights = await Promise.all([...blocks].map((block) => heightOf(JSON.parse(block))))
    return Math.min(...heights) > head - proxy.states
  }
  const answer = async (requests: readonly Request[]): Promise<unknown> => {
    const calls = requests.filter(({ method }) => method === 'eth_call')
    const named = calls.filter(({ params }) => {
      const { data, input = '' } = (params?.[0] ?? {}) as { readonly data?: string; readonly input?: string }
      return BALANCE_CALL.test(data ?? input)
    })
    for (const block of new Set(named.map(({ params }) => JSON.stringify(params?.[1]))))
      batches.set(block, (batches.get(block) ?? 0) + 1)
    if (calls.length === 0 || (await hasStates(calls))) return send(requests)
    const others = requests.filter(({ method }) => method !== 'eth_call')
    const responses = others.length === 0 ? [] : await send<Response[]>(others)
    return [...responses, ...calls.map(({ id }) => ({ jsonrpc: '2.0', id, error: STATELESS }))]
  }
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Request | readonly Request[]
    // anvil may answer a call with the state of a block that it mines meanwhile, so requests are sent in turn.
    const turn = last.then(() => answer([body].flat() as Request[]))
    last = turn.catch(() => undefined)
    const answers = await last
    if (answers === undefined) response.writeHead(502)
    response.end(JSON.stringify(Array.isArray(body) ? answers : (answers as unknown[] | undefined)?.[0]))
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const proxy: EvmProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    states: undefined,
    ask,
    close: () =>
      new Promise((settle) => {
        server.close(() => settle())
        server.closeAllConnections()
      }),
  }
  return proxy
}
