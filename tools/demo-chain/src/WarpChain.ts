import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Hex, Id } from '@firn/codec'
import { WarpEvent } from '@firn/warp'
import { isHex } from 'viem'
import { call } from './internal/call.ts'
import { createPrecompile, type Precompile } from './internal/precompile.ts'
import { createPredicates } from './internal/predicates.ts'
import { startLocalEvm } from './LocalEvm.ts'

/** Options of {@link startWarpChain}. */
export interface WarpChainOptions {
  /** Port of the chain's API; defaults to any free port. */
  readonly port?: number
  /** EVM chain id. */
  readonly chainId: number
  /** Id of the network that the messages name, such as 12345. */
  readonly networkId: number
  /** Id of the blockchain on the P-chain, 32 bytes. */
  readonly blockchainId: Uint8Array
  /** Base URL of a node that serves the P-chain's API and the chain's `proposervm` API, such as a devnet. */
  readonly nodeUrl: string
  /** Called with each unsigned message (bytes) that the chain has accepted. */
  readonly onMessage?: (message: Uint8Array) => void
  readonly signal: AbortSignal
}

/** A running local EVM chain with an emulated Warp precompile. */
export interface WarpChain {
  /** URL of the Ethereum JSON-RPC. It has the path that a node uses: `/ext/bc/<blockchain id>/rpc`. */
  readonly rpcUrl: string
  close(): Promise<void>
}

interface RpcRequest {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}
type RpcResponse = { readonly result?: unknown; readonly error?: unknown }

const HOST = '127.0.0.1'
const SENDING = ['eth_sendRawTransaction', 'eth_sendTransaction']

/**
 * Starts a local EVM chain on which contracts can send and receive Warp messages.
 *
 * The chain emulates the Warp precompile: its address holds a contract (`contracts/Warp.sol`), and a JSON-RPC proxy in
 * front of the EVM does what a real chain does natively. It mines each transaction in a separate block, reports the
 * messages that the block sent, and verifies the predicates in the transaction's access list with the signing subnet's
 * validators at the P-chain height of the chain's current epoch. As on a real chain, a message that fails verification
 * is executed, but the precompile returns it as not valid. A transaction is rejected only if a predicate does not
 * decode. Unlike on a real chain, predicates cost no additional gas, and `eth_call` and `eth_estimateGas` see no
 * verified messages.
 * @throws DemoChainError `DEMO_CHAIN_START`, `DEMO_CHAIN_CALL`
 */
export async function startWarpChain(options: WarpChainOptions): Promise<WarpChain> {
  const { chainId, signal, blockchainId } = options
  const genesisTime = Math.floor(Date.now() / 1_000)
  const evm = await startLocalEvm({ chainId, genesisTime, signal })
  try {
    const precompile = createPrecompile(evm.url)
    await precompile.install(options)
    const base = `/ext/bc/${Id.format(blockchainId)}`
    const rpc = createRpc(evm.url, precompile, options)
    const server = createServer((request, response) => {
      if (request.url === `${base}/rpc`) void serve(request, response, rpc)
      else if (request.url === `${base}/proposervm`)
        void serve(request, response, (body) => post(`${options.nodeUrl}${base}/proposervm`, body))
      else response.writeHead(404).end()
    })
    const port = await listen(server, options.port ?? 0)
    const close = async () => {
      server.close()
      server.closeAllConnections()
      await evm.close()
    }
    return { rpcUrl: `http://${HOST}:${port}${base}/rpc`, close }
  } catch (error) {
    await evm.close()
    throw error
  }
}

type Answer = (body: string) => Promise<string>

async function serve(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  try {
    const body = await answer(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  } catch {
    response.writeHead(502).end()
  }
}

/** Returns the function that answers JSON-RPC requests and batches. */
function createRpc(evmUrl: string, precompile: Precompile, options: WarpChainOptions): Answer {
  const predicates = createPredicates(options)
  const inTurn = createTurns()

  const forward = async (request: RpcRequest): Promise<RpcResponse> =>
    JSON.parse(await post(evmUrl, JSON.stringify(request)))

  const transact = async (request: RpcRequest): Promise<RpcResponse> => {
    const [raw] = request.params ?? []
    const results = isHex(raw) ? await predicates.verify(raw) : []
    await precompile.setResults(results)
    try {
      const response = await forward(request)
      if (response.error === undefined) await accept()
      return response
    } finally {
      await precompile.clearResults(results.length)
    }
  }

  const accept = async (): Promise<void> => {
    await call(evmUrl, 'evm_mine', [])
    const [address, topic] = [WarpEvent.ADDRESS, WarpEvent.TOPIC].map(Hex.encode)
    const filter = { fromBlock: 'latest', toBlock: 'latest', address, topics: [topic] }
    for (const { data } of await call<{ data: string }[]>(evmUrl, 'eth_getLogs', [filter]))
      options.onMessage?.(WarpEvent.decodeData(Hex.decode(data)))
  }

  const answer = async (request: RpcRequest): Promise<RpcResponse> => {
    if (!SENDING.includes(request.method)) return forward(request)
    try {
      return await inTurn(() => transact(request))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { ...{ jsonrpc: '2.0', id: request.id }, error: { code: -32_000, message } }
    }
  }

  return async (body) => {
    const parsed = JSON.parse(body) as RpcRequest | RpcRequest[]
    return JSON.stringify(
      Array.isArray(parsed) ? await Promise.all(parsed.map(answer)) : await answer(parsed),
    )
  }
}

/** Returns a function that calls one function after the other. */
function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const next = last.then(act)
    last = next.catch(() => undefined)
    return next
  }
}

async function post(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).text()
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((settle, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => settle((server.address() as AddressInfo).port))
  })
}
