import { isFirnError } from '@firn/codec'
import { createPool } from '@firn/rpc'
import { type Clock, pause } from '@firn/runtime'
import { IndexerError } from '../../common/IndexerError.ts'
import { createJsonRpc, type JsonRpc, type JsonRpcOptions } from './JsonRpc.ts'

/**
 * Returns the EVM chain id that the first responding node reports. Retries until a node responds. The chain
 * ids of the other nodes are checked when they are first used for blocks. Rejects with the signal's reason
 * when it is aborted.
 * @throws IndexerError `INDEXER_CONFIGURATION`
 */
export async function readChainId(
  upstreams: readonly JsonRpcOptions[],
  timing: { readonly clock: Clock; readonly random: () => number },
  signal: AbortSignal,
): Promise<bigint> {
  if (upstreams.length === 0)
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      'expected at least one node for the chain, got an empty list',
    )
  const pool = createPool({ values: upstreams.map(createJsonRpc), now: timing.clock.now })
  const ask = async (rpc: JsonRpc) => {
    const { answers } = await rpc.ask([{ method: 'eth_chainId', params: [] }], signal)
    const result = answers[0]?.result
    return typeof result === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(result) ? BigInt(result) : undefined
  }
  try {
    for (let failures = 1; ; failures += 1) {
      const found = await pool.attempt(ask, { signal }).catch((error) => {
        if (!isFirnError(error)) throw error
      })
      if (found !== undefined) return found
      signal.throwIfAborted()
      await pause(failures, timing, signal)
    }
  } finally {
    for (const { value } of pool.members) value.close()
  }
}
