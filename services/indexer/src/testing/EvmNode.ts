import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EvmFaults } from './evmFaults.ts'
import { answerMethod, type CallContract, headerOf, type NodeBlock, type View } from './evmMethods.ts'
import { type ServedSocket, serveSockets } from './socketServer.ts'

/** Options of {@link createEvmNode}. For tests only. */
export interface EvmNodeOptions {
  readonly chainId: bigint
  readonly blocks: readonly NodeBlock[]
  /** Height of the newest executed block; by default the height of the last block. */
  readonly head?: number
  readonly call?: CallContract
  /** Port to listen on; by default any free port. */
  readonly port?: number
}

/**
 * A node on the loopback address that serves a chain over HTTP and WebSocket, with configurable faults. For
 * tests only.
 */
export interface EvmNode {
  readonly url: string
  readonly wsUrl: string
  readonly port: number
  /** Active faults. They may be changed at any time. */
  faults: EvmFaults
  /** Returns the number of requests so far. A batch counts as one request. */
  readonly requests: () => number
  /** Number of calls so far, by method. */
  readonly calls: ReadonlyMap<string, number>
  /** Number of calls in the largest batch so far, and in the most recent batch. */
  readonly batches: { largest: number; last: number }
  /** How often the traces of a slow block were requested, and how many of the requests ran at most at the same time. */
  readonly traced: { asked: number; most: number }
  /** Returns whether the body of a request asks for traces that are slow now. */
  isSlow(body: string): boolean
  /** Block tags, such as `latest`, that requests have used instead of heights. */
  readonly tags: ReadonlySet<string>
  /** Lowest height whose full block was requested. A test can set it to a high value to reset it. */
  readonly asked: { lowest: number }
  /**
   * Replaces the chain, and notifies subscribers of new blocks and the head. `accepted` may be higher than
   * the executed height.
   */
  publish(blocks: readonly NodeBlock[], head?: number, accepted?: number): void
  /** Returns the number of active subscriptions. */
  readonly subscriptions: () => number
  /** Breaks all WebSocket connections. */
  cut(): void
  close(): Promise<void>
}

/** State of a fake node. Blocks above `executed` are accepted up to `accepted`; both count from the first block. */
type State = Pick<EvmNode, 'faults' | 'calls' | 'batches' | 'traced' | 'asked'> & {
  readonly chainId: bigint
  readonly call: CallContract
  readonly firstHeight: number
  blocks: readonly NodeBlock[]
  byHash: ReadonlyMap<string, NodeBlock>
  executed: number
  accepted: number
  /** Calls that wait until a block is executed. */
  executing: (() => void)[]
  count: number
  tracing: number
  readonly calls: Map<string, number>
  readonly tags: Set<string>
  /** Subscriptions of each connection. */
  readonly sockets: Map<ServedSocket, string[]>
}

/** Starts a fake node. For tests only. */
export async function createEvmNode(options: EvmNodeOptions): Promise<EvmNode> {
  const { chainId, blocks, call = () => ({ error: 'execution reverted', code: 3 }) } = options
  const firstHeight = Number(blocks[0]?.block['number'] ?? 0)
  const executed = (options.head ?? firstHeight + blocks.length - 1) - firstHeight
  const state: State = {
    ...{ chainId, call, firstHeight, blocks, byHash: byHash(blocks), executed, accepted: executed },
    ...{ faults: {}, calls: new Map(), tags: new Set(), sockets: new Map(), executing: [], count: 0 },
    ...{ batches: { largest: 0, last: 0 }, traced: { asked: 0, most: 0 }, tracing: 0 },
    asked: { lowest: Number.POSITIVE_INFINITY },
  }
  const server = serve(state)
  await new Promise<void>((settle) => void server.listen(options.port ?? 0, '127.0.0.1', () => settle()))
  const { port } = server.address() as AddressInfo
  const { calls, batches, asked, tags, traced, sockets } = state
  const cut = () => {
    for (const socket of sockets.keys()) socket.cut()
  }
  return {
    ...{ port, calls, batches, asked, tags, traced, cut },
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    get faults() {
      return state.faults
    },
    set faults(faults) {
      state.faults = faults
    },
    requests: () => state.count,
    isSlow(body) {
      const requests = [JSON.parse(body) as Request | Request[]].flat()
      return requests.some((one) => isTraceOf(state, state.faults.slowTraces, one))
    },
    publish: (chain, head, above) => publish(state, chain, head, above),
    subscriptions: () => [...sockets.values()].reduce((sum, ids) => sum + ids.length, 0),
    async close() {
      cut()
      server.closeAllConnections()
      await new Promise((settle) => server.close(settle))
    },
  }
}

function byHash(blocks: readonly NodeBlock[]): ReadonlyMap<string, NodeBlock> {
  return new Map(blocks.map((one) => [String(one.block['hash']), one]))
}

function serve(state: State): Server {
  const isFaulty = () => state.faults.mode !== undefined && Math.random() < (state.faults.rate ?? 1)
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', async () => {
      state.count += 1
      const { faults } = state
      const text = Buffer.concat(parts).toString()
      if (isFaulty()) return misbehave(faults, JSON.parse(text), response)
      if (faults.forbidden?.some((method) => text.includes(`"${method}"`)) === true)
        return void response.writeHead(403).end('forbidden')
      const body = await handle(state, text)
      if (state.faults.slowMs !== undefined)
        await new Promise((settle) => setTimeout(settle, state.faults.slowMs))
      response.setHeader('content-type', 'application/json').end(body)
    })
  })
  serveSockets(server, {
    opened: (socket) => void state.sockets.set(socket, []),
    closed: (socket) => void state.sockets.delete(socket),
    async message(socket, text) {
      state.count += 1
      if (isFaulty()) {
        if (state.faults.mode === 'hang') return
        if (state.faults.mode === 'errors') return socket.send(JSON.stringify(errors(JSON.parse(text))))
        return socket.cut()
      }
      socket.send(await handle(state, text, socket))
    },
  })
  return server
}

/** Returns the response body for a request body. */
async function handle(state: State, body: string, socket?: ServedSocket): Promise<string> {
  const parsed = JSON.parse(body) as Request | Request[]
  const { faults, batches } = state
  if (!Array.isArray(parsed)) return answer(state, parsed, socket)
  batches.last = parsed.length
  batches.largest = Math.max(batches.largest, parsed.length)
  if (parsed.length > (faults.maxBatch ?? Number.POSITIVE_INFINITY))
    return error(null, -32600, 'batch too large')
  const all: string[] = []
  let size = 0
  for (const request of parsed) {
    const text = await answer(state, request, socket)
    size += text.length
    const isOver = size > (faults.maxBytes ?? Number.POSITIVE_INFINITY)
    all.push(isOver ? error(request.id, -32003, 'response too large') : text)
  }
  const twice = faults.duplicated === true ? [...all, ...all] : all
  return `[${twice.join(',')}]`
}

async function answer(state: State, request: Request, socket: ServedSocket | undefined): Promise<string> {
  const { id, method, params = [] } = request
  record(state, method, params)
  const { faults } = state
  const respond = (result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  if (method === 'eth_subscribe' && socket !== undefined) {
    const subscription = `0x${(state.count * 7919).toString(16)}`
    state.sockets.get(socket)?.push(subscription)
    return respond(`"${subscription}"`)
  }
  if (method === 'eth_chainId' && faults.chainIdText !== undefined) return respond(faults.chainIdText)
  if (isTraceOf(state, faults.slowTraces, request)) await traceSlowly(state, faults.slowTraces?.ms ?? 0)
  if (isTraceOf(state, faults.refusedTraces, request))
    return error(id, faults.refusedTraces?.code ?? 0, faults.refusedTraces?.message ?? '')
  if (faults.without?.includes(method) === true)
    return error(id, -32601, `the method ${method} does not exist/is not available`)
  const found = await answerMethod(view(state), method, params)
  if (!('text' in found)) return error(id, found.code, found.message)
  if (faults.latest !== undefined && params[0] === 'latest')
    return respond(JSON.stringify({ ...(JSON.parse(found.text) as object), ...faults.latest }))
  if (found.text.length > (faults.maxBytes ?? Number.POSITIVE_INFINITY))
    return error(id, -32003, 'response too large')
  return respond(found.text)
}

function record({ calls, tags, asked }: State, method: string, params: readonly unknown[]): void {
  calls.set(method, (calls.get(method) ?? 0) + 1)
  for (const one of params)
    if (typeof one === 'string' && /^[a-z]+$/.test(one) && method !== 'eth_subscribe') tags.add(one)
  if (method === 'eth_getBlockByNumber' && params[1] === true)
    asked.lowest = Math.min(asked.lowest, Number(params[0]))
}

/** Returns whether a request is for the traces of a block that a fault names. */
function isTraceOf(
  { blocks, firstHeight }: State,
  fault: { readonly heights: readonly number[] } | undefined,
  { method, params = [] }: Request,
): boolean {
  if (fault === undefined || !method.startsWith('debug_trace')) return false
  const named = fault.heights.map((height) => blocks[height - firstHeight]?.block)
  return named.some((block) => [block?.['hash'], block?.['number']].includes(params[0]))
}

async function traceSlowly(state: State, ms: number): Promise<void> {
  const { traced } = state
  traced.asked += 1
  traced.most = Math.max(traced.most, ++state.tracing)
  await new Promise((settle) => setTimeout(settle, Math.min(ms, 2 ** 31 - 1)).unref())
  state.tracing -= 1
}

/** Returns the chain as the node shows it to the current request. */
function view(state: State): View {
  const { chainId, faults, blocks, firstHeight, count, call } = state
  const behind = faults.lag ?? (count % 2 === 0 ? (faults.flip ?? 0) : 0)
  const { vanished } = faults
  const isOther = count % 2 === 0 && faults.otherBranch !== undefined
  return {
    chainId: faults.chainId ?? chainId,
    blocks,
    byHeight: isOther ? (faults.otherBranch ?? blocks) : blocks,
    byHash:
      vanished === undefined
        ? state.byHash
        : new Map([...state.byHash].filter(([hash]) => !vanished.has(hash))),
    executed: Math.max(state.executed - behind, 0),
    accepted: Math.max(state.accepted - behind, 0),
    firstHeight,
    prunedBelow: faults.prunedBelow ?? 0,
    maxLogRange: faults.maxLogRange ?? Number.POSITIVE_INFINITY,
    receiptsOf: faults.receiptsOf,
    emptyReceipts: faults.emptyReceipts ?? false,
    call,
    callsByHash: faults.noCallsByHash !== true,
    async whenExecuted(at) {
      while (at > state.executed) await new Promise<void>((settle) => void state.executing.push(settle))
    },
  }
}

function publish(state: State, chain: readonly NodeBlock[], head?: number, above?: number): void {
  const { firstHeight, faults } = state
  const before = state.blocks.slice(0, state.executed + 1)
  const executed = (head ?? firstHeight + chain.length - 1) - firstHeight
  const accepted = Math.max((above ?? 0) - firstHeight, executed)
  const waiting = state.executing
  Object.assign(state, { blocks: chain, byHash: byHash(chain), executed, accepted, executing: [] })
  for (const wake of waiting) wake()
  if (faults.mode !== undefined) return
  chain.slice(0, executed + 1).forEach((found, i) => {
    if (before[i]?.block['hash'] !== found.block['hash']) announce(state, found)
  })
}

function announce({ sockets, faults }: State, found: NodeBlock): void {
  const header = JSON.stringify(headerOf(found))
  for (const [socket, ids] of sockets) {
    for (const id of ids) {
      const text = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${header}}}`
      socket.send(text)
      if (faults.duplicated === true) socket.send(text)
    }
  }
}

interface Request {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

function error(id: number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

function errors(request: Request | Request[]): unknown {
  const of = ({ id }: Request) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'internal error' } })
  return Array.isArray(request) ? request.map(of) : of(request)
}

function misbehave(
  { mode, retryAfterSeconds }: EvmFaults,
  request: Request | Request[],
  response: ServerResponse,
): void {
  switch (mode) {
    case 'hang':
      return
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json' }).write('[{"jsonrpc"')
      setTimeout(() => response.destroy(), 1)
      return
    case 'limited':
      if (retryAfterSeconds !== undefined) response.setHeader('retry-after', `${retryAfterSeconds}`)
      response.writeHead(429).end(error(null, -32005, 'too many requests'))
      return
    case 'badGateway':
      response.writeHead(502).end('<html>bad gateway</html>')
      return
    case 'garbage':
      response.end('<html>hello</html>')
      return
    case 'refuseAll':
      response.end(error(null, -32000, 'no backend is available'))
      return
    default:
      response.end(JSON.stringify(errors(request)))
  }
}
