import { isJsonObject, Json } from '@firn/codec'
import { Blocks } from '@firn/store'
import { EvmBlock } from '@firn/txs'
import type { NodeContext } from '../Context.ts'
import * as Exchange from '../Exchange.ts'
import * as Units from '../Units.ts'

/** Maximum number of calls in a batch. */
const MAX_CALLS = 100
/** Base fee of block 0 in wei, 225 gwei. */
const INITIAL_BASE_FEE = 225_000_000_000n
const HEADERS = ['Content-Type', 'application/json']

const NO_STATE =
  'this process has the blocks of the C-chain, but not its state. Ask a node, or start with --upstream.'
const NO_ACCOUNTS =
  'balances and nonces are not known without the state of the C-chain. Pass firn tx --nonce, or --c-chain-rpc, or start with --upstream.'
const NOT_FOLLOWED =
  'the C-chain is not followed here, so its base fee is not known. Pass firn tx --base-fee, or --c-chain-rpc, or start with --upstream.'

interface Reply {
  readonly result?: Json.Json
  readonly error?: { readonly code: number; readonly message: string }
}

/**
 * Returns the C-chain's EVM endpoint of a process without an upstream node. It answers what follows from the blocks that
 * it follows: `eth_baseFee` and `eth_blockNumber`. Answers to all other methods say where to ask.
 */
export function create(context: NodeContext): Exchange.Endpoint {
  return {
    handle(exchange) {
      Exchange.readBody(exchange, (body) => {
        const calls = readCalls(body)
        const list = Array.isArray(calls) ? calls : [calls]
        const waitMs = exchange.budget.take(Units.FORWARDED * list.length)
        if (waitMs > 0) return Exchange.limit(exchange, waitMs)
        Promise.all(list.map((call) => answer(context, call)))
          .then((answers) => (Array.isArray(calls) ? answers : (answers[0] as Json.Json)))
          .then((json) => Exchange.send(exchange, 200, HEADERS, `${Json.stringify(json)}\n`))
          .catch((error: unknown) => Exchange.fail(exchange, error))
      })
    },
  }
}

/** Returns the call or the batch in a body; undefined if it contains neither. */
function readCalls(body: Uint8Array): Json.Json | undefined {
  try {
    const json = Json.parse(new TextDecoder().decode(body))
    return Array.isArray(json) && (json.length === 0 || json.length > MAX_CALLS) ? undefined : json
  } catch {
    return undefined
  }
}

async function answer(context: NodeContext, call: Json.Json | undefined): Promise<Json.Json> {
  const isObject = isJsonObject(call)
  const { id = null, method } = (isObject ? call : {}) as Readonly<Record<string, Json.Json>>
  const reply = await replyTo(context, method)
  return { jsonrpc: '2.0', id, ...reply }
}

async function replyTo(context: NodeContext, method: Json.Json | undefined): Promise<Reply> {
  if (typeof method !== 'string') return failure('invalid request', -32600)
  switch (method) {
    case 'eth_blockNumber':
      return context.followsCChain ? quantity((await context.snapshot()).C.height) : failure(NOT_FOLLOWED)
    case 'eth_baseFee':
      return context.followsCChain ? quantity(await baseFee(context)) : failure(NOT_FOLLOWED)
    case 'eth_getTransactionCount':
    case 'eth_getBalance':
      return failure(NO_ACCOUNTS)
    default:
      return failure(`${method} is not available: ${NO_STATE}`, -32601)
  }
}

/** Returns the base fee of the last block in wei. */
async function baseFee(context: NodeContext): Promise<bigint> {
  const at = await context.snapshot()
  const last = await Blocks.byHeight(context.store, at, 'C', at.C.height)
  const fee = last && EvmBlock.decode(last.bytes).header.baseFeePerGas
  return fee ?? INITIAL_BASE_FEE
}

const quantity = (value: bigint): Reply => ({ result: `0x${value.toString(16)}` })

const failure = (message: string, code = -32000): Reply => ({ error: { code, message } })
