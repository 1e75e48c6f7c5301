import { Hex } from '@firn/codec'
import { type Connection, connect, createPool, isRpcError } from '@firn/rpc'
import { DataApiError } from '../DataApiError.ts'
import type { EvmContext } from './EvmContext.ts'

/**
 * Returns a function that reads native balances from nodes of the chains, given by EVM chain id; the first of
 * a chain's nodes that knows the balance is used. The indexed rows alone do not determine it: fees, imports
 * and minting change balances without a transaction.
 */
export function createNativeBalances(
  nodes: ReadonlyMap<bigint, readonly string[]>,
  get: typeof fetch,
  now: () => number,
): NonNullable<EvmContext['nativeBalance']> {
  const pools = new Map(
    [...nodes].flatMap(([chainId, urls]) => {
      if (urls.length === 0) return []
      return [[chainId, createPool({ values: urls.map((url) => connect({ url, fetch: get })), now })]]
    }),
  )
  return async ({ chainId }, address, height, signal) => {
    const read = async (node: Connection): Promise<bigint> => {
      const params = [Hex.encode(address), `0x${height.toString(16)}`]
      const result = await node.call('eth_getBalance', params, { signal })
      if (typeof result === 'string' && /^0x[0-9a-f]{1,64}$/.test(result)) return BigInt(result)
      throw new DataApiError('DATA_UPSTREAM', 'its node did not answer with a quantity')
    }
    const pool = pools.get(chainId)
    if (pool === undefined) throw unknown('no node of this chain is configured')
    try {
      // A node may lack the state of a block that another one has, so a refusal is not final.
      return (await pool.attempt(read, { signal, isFinal: () => false })) as bigint
    } catch (error) {
      signal.throwIfAborted()
      throw unknown(reasonOf(error))
    }
  }
}

/** The URL of a node may contain a key, so the errors of the transport are not shown. */
function reasonOf(error: unknown): string {
  if (error instanceof DataApiError) return error.message
  const words = isRpcError(error) ? error.details.rpcMessage : undefined
  return words === undefined ? 'its node does not answer' : `its node answered: ${words}`
}

function unknown(reason: string): DataApiError {
  return new DataApiError('DATA_UNAVAILABLE', `the native balance is unknown: ${reason}`)
}
