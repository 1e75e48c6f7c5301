import type { Json } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import type { BlockBuilder } from './BlockBuilder.ts'
import * as EvmAccounts from './EvmAccounts.ts'
import { BASE_FEE } from './EvmBlocks.ts'

/** The EVM chain id of the local network's C-chain genesis. */
const CHAIN_ID = 43_112n

const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602

interface Request {
  readonly id?: Json.Json
  readonly method?: Json.Json
  readonly params?: Json.Json
}

/**
 * Returns a function that answers JSON-RPC requests to the C-chain's EVM. There is no EVM: only the methods that
 * wallets call before they import or export are answered.
 */
export function createEvmRpc(
  builder: Pick<BlockBuilder, 'accounts' | 'chains'>,
): (request: Json.Json) => Json.Json {
  const account = (params: readonly Json.Json[]) =>
    EvmAccounts.get(builder.accounts, EvmAddress.parse(String(params[0])))
  const methods: Readonly<Record<string, (params: readonly Json.Json[]) => Json.Json>> = {
    eth_chainId: () => quantity(CHAIN_ID),
    net_version: () => CHAIN_ID.toString(),
    eth_blockNumber: () => quantity(BigInt(builder.chains.C.blocks.length - 1)),
    eth_baseFee: () => quantity(BASE_FEE),
    eth_gasPrice: () => quantity(BASE_FEE),
    eth_maxPriorityFeePerGas: () => quantity(0n),
    eth_getBalance: (params) => quantity(account(params).balance),
    eth_getTransactionCount: (params) => quantity(account(params).nonce),
  }
  return (request) => (Array.isArray(request) ? request.map(answer) : answer(request))

  function answer(request: Json.Json): Json.Json {
    const { id = null, method, params } = (request ?? {}) as Request
    const respond = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (respond === undefined) {
      const message = `the method ${String(method)} does not exist: the devnet's C-chain has no EVM`
      return { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message } }
    }
    try {
      return { jsonrpc: '2.0', id, result: respond(Array.isArray(params) ? params : []) }
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message: (error as Error).message } }
    }
  }
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
