import { Hex } from '@firn/codec'
import { type Connection, isRpcError } from '@firn/rpc'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { NodePools } from '../../upstream/nodePools.ts'
import type { EvmContext } from '../chain/EvmContext.ts'

/**
 * Creates a function that requests native balances from the nodes of a chain. The first node that returns the balance
 * is used. Balances cannot be computed from indexed rows, because fee rewards, imports and minting change balances
 * without an indexed transfer.
 */
export function createNativeBalances(pools: NodePools): NonNullable<EvmContext['nativeBalance']> {
  return async ({ chainId }, address, height, signal) => {
    const read = async (node: Connection): Promise<bigint> => {
      const params = [Hex.encode(address), `0x${height.toString(16)}`]
      const result = await node.call('eth_getBalance', params, { signal })
      if (typeof result === 'string' && /^0x[0-9a-f]{1,64}$/.test(result)) return BigInt(result)
      throw new DataApiError('DATA_UPSTREAM', 'the node returned no hexadecimal quantity')
    }
    const pool = pools.get(chainId)
    if (pool === undefined) throw unknown('no node of this chain is configured')
    try {
      // The next node is tried after any error, because it may have a state that this node has pruned.
      return (await pool.attempt(read, { signal, isFinal: () => false })) as bigint
    } catch (error) {
      signal.throwIfAborted()
      throw unknown(reasonOf(error))
    }
  }
}

/**
 * Returns the reason that callers see. It omits transport errors, because they may contain a node's URL with
 * a secret.
 */
function reasonOf(error: unknown): string {
  if (error instanceof DataApiError) return error.message
  const words = isRpcError(error) ? error.details.rpcMessage : undefined
  return words === undefined ? 'the node does not respond' : `the node returned the error: ${words}`
}

function unknown(reason: string): DataApiError {
  return new DataApiError('DATA_UNAVAILABLE', `the native balance is unavailable: ${reason}`)
}
