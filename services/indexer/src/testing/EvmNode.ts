import { createServer, type ServerResponse } from 'node:http'
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

/** Starts a fake node. For tests only. */
export async function createEvmNode(options: EvmNodeOptions): Promise<EvmNode> {
  const call: CallContract = options.call ?? (() => ({ error: 'execution reverted', code: 3 }))
  let blocks = options.blocks
  const firstHeight = Number(blocks[0]?.block['number'] ?? 0)
  let executed = (options.head ?? firstHeight + blocks.length - 1) - firstHeight
  let accepted = executed
  let byHash = new Map<string, NodeBlock>()
  const index = () => {
    byHash = new Map(blocks.map((one) => [String(one.block['hash']), one]))
  }
  index()
  let count = 0
  const calls = new Map<string, number>()
  const batches = { largest: 0, last: 0 }
  const traced = { asked: 0, most: 0 }
  let tracing = 0
  const traceSlowly = async (ms: number) => {
    traced.asked += 1
    traced.most = Math.max(traced.most, ++tracing)
    await new Promise((settle) => setTimeout(settle, Math.min(ms, 2 ** 31 - 1)).unref())
    tracing -= 1
  }
  const tags = new Set<string>()
  const asked = { lowest: Number.POSITIVE_INFINITY }
  const sockets = new Map<ServedSocket, string[]>()
  const responses = new Set<ServerResponse>()
  let executing: (() => void)[] = []
  const whenExecuted = async (at: number): Promise<void> => {
    while (at > executed) await new Promise<void>((settle) => void executing.push(settle))
  }
  const view = (): View => {
    const { faults } = node
    const behind = faults.lag ?? (count % 2 === 0 ? (faults.flip ?? 0) : 0)
    const vanished = faults.vanished
    const isOther = count % 2 === 0 && faults.otherBranch !== undefined
    return {
      chainId: faults.chainId ?? options.chainId,
      blocks,
      byHeight: isOther ? (faults.otherBranch ?? blocks) : blocks,
      byHash: vanished === undefined ? byHash : new Map([...byHash].filter(([hash]) => !vanished.has(hash))),
      executed: Math.max(executed - behind, 0),
      accepted: Math.max(accepted - behind, 0),
      firstHeight,
      prunedBelow: faults.prunedBelow ?? 0,
      maxLogRange: faults.maxLogRange ?? Number.POSITIVE_INFINITY,
      receiptsOf: faults.receiptsOf,
      emptyReceipts: faults.emptyReceipts ?? false,
      call,
      callsByHash: faults.noCallsByHash !== true,
      whenExecuted,
    }
  }
  const isTraceOf = ({ method, params = [] }: Request, fault?: { readonly heights: readonly number[] }) =>
    method.startsWith('debug_trace') &&
    fault?.heights
      .map((height) => blocks[height - firstHeight]?.block)
      .some((block) => [block?.['hash'], block?.['number']].includes(params[0])) === true
  const one = async (request: Request, socket: ServedSocket | undefined): Promise<string> => {
    const { id, method, params = [] } = request
    calls.set(method, (calls.get(method) ?? 0) + 1)
    for (const one of params)
      if (typeof one === 'string' && /^[a-z]+$/.test(one) && method !== 'eth_subscribe') tags.add(one)
    if (method === 'eth_getBlockByNumber' && params[1] === true)
      asked.lowest = Math.min(asked.lowest, Number(params[0]))
    if (method === 'eth_subscribe' && socket !== undefined) {
      const subscription = `0x${(count * 7919).toString(16)}`
      sockets.get(socket)?.push(subscription)
      return `{"jsonrpc":"2.0","id":${id},"result":"${subscription}"}`
    }
    const { faults } = node
    if (method === 'eth_chainId' && faults.chainIdText !== undefined)
      return `{"jsonrpc":"2.0","id":${id},"result":${faults.chainIdText}}`
    if (isTraceOf(request, faults.slowTraces)) await traceSlowly(faults.slowTraces?.ms ?? 0)
    if (isTraceOf(request, faults.refusedTraces))
      return error(id, faults.refusedTraces?.code ?? 0, faults.refusedTraces?.message ?? '')
    const isUnknown = faults.without?.includes(method) ?? false
    const answer = isUnknown
      ? { code: -32601, message: `the method ${method} does not exist/is not available` }
      : await answerMethod(view(), method, params)
    if (faults.latest !== undefined && params[0] === 'latest' && 'text' in answer) {
      const header = { ...(JSON.parse(answer.text) as object), ...faults.latest }
      return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(header)}}`
    }
    if ('text' in answer && answer.text.length > (faults.maxBytes ?? Number.POSITIVE_INFINITY))
      return error(id, -32003, 'response too large')
    return 'text' in answer
      ? `{"jsonrpc":"2.0","id":${id},"result":${answer.text}}`
      : error(id, answer.code, answer.message)
  }
  /** Returns the response body for a request body. */
  const handle = async (body: string, socket?: ServedSocket): Promise<string> => {
    const parsed = JSON.parse(body) as Request | Request[]
    const { faults } = node
    if (!Array.isArray(parsed)) return one(parsed, socket)
    batches.last = parsed.length
    batches.largest = Math.max(batches.largest, parsed.length)
    if (parsed.length > (faults.maxBatch ?? Number.POSITIVE_INFINITY))
      return error(null, -32600, 'batch too large')
    const all: string[] = []
    let size = 0
    for (const request of parsed) {
      const text = await one(request, socket)
      size += text.length
      const isOver = size > (faults.maxBytes ?? Number.POSITIVE_INFINITY)
      all.push(isOver ? error(request.id, -32003, 'response too large') : text)
    }
    const twice = faults.duplicated === true ? [...all, ...all] : all
    return `[${twice.join(',')}]`
  }
  const isFaulty = () => node.faults.mode !== undefined && Math.random() < (node.faults.rate ?? 1)
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', async () => {
      count += 1
      responses.add(response)
      response.on('close', () => responses.delete(response))
      if (isFaulty()) return misbehave(node.faults, JSON.parse(Buffer.concat(parts).toString()), response)
      const text = Buffer.concat(parts).toString()
      if (node.faults.forbidden?.some((method) => text.includes(`"${method}"`)) === true)
        return void response.writeHead(403).end('forbidden')
      const body = await handle(text)
      if (node.faults.slowMs !== undefined)
        await new Promise((settle) => setTimeout(settle, node.faults.slowMs))
      response.setHeader('content-type', 'application/json').end(body)
    })
  })
  serveSockets(server, {
    opened: (socket) => void sockets.set(socket, []),
    closed: (socket) => void sockets.delete(socket),
    async message(socket, text) {
      count += 1
      if (isFaulty()) {
        if (node.faults.mode === 'hang') return
        if (node.faults.mode === 'errors') return socket.send(JSON.stringify(errors(JSON.parse(text))))
        return socket.cut()
      }
      socket.send(await handle(text, socket))
    },
  })
  await new Promise<void>((settle) => void server.listen(options.port ?? 0, '127.0.0.1', () => settle()))
  const { port } = server.address() as AddressInfo
  const announce = (found: NodeBlock) => {
    const header = JSON.stringify(headerOf(found))
    for (const [socket, ids] of sockets) {
      for (const id of ids) {
        const text = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${header}}}`
        socket.send(text)
        if (node.faults.duplicated === true) socket.send(text)
      }
    }
  }
  const node: EvmNode = {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    port,
    faults: {},
    requests: () => count,
    calls,
    batches,
    asked,
    tags,
    traced,
    isSlow: (body) =>
      [JSON.parse(body) as Request | Request[]].flat().some((one) => isTraceOf(one, node.faults.slowTraces)),
    publish(chain, head, above) {
      const before = blocks.slice(0, executed + 1)
      blocks = chain
      executed = (head ?? firstHeight + chain.length - 1) - firstHeight
      accepted = Math.max((above ?? 0) - firstHeight, executed)
      index()
      for (const wake of executing.splice(0)) wake()
      executing = []
      const hasNews = node.faults.mode === undefined
      chain.slice(0, executed + 1).forEach((found, i) => {
        if (hasNews && before[i]?.block['hash'] !== found.block['hash']) announce(found)
      })
    },
    subscriptions: () => [...sockets.values()].reduce((sum, ids) => sum + ids.length, 0),
    cut() {
      for (const socket of sockets.keys()) socket.cut()
    },
    async close() {
      for (const socket of sockets.keys()) socket.cut()
      server.closeAllConnections()
      await new Promise((settle) => server.close(settle))
    },
  }
  return node
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
