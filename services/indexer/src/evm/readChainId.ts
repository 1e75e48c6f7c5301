import { isFirnError } from '@firn/codec'
import { type Clock, pause } from '@firn/runtime'
import { IndexerError } from '../IndexerError.ts'
import { createJsonRpc, type JsonRpcOptions } from './JsonRpc.ts'

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
  const all = upstreams.map(createJsonRpc)
  try {
    for (let failures = 1; ; failures += 1) {
      for (const rpc of all) {
        const found = await ask(rpc.ask([{ method: 'eth_chainId', params: [] }], signal))
        if (found !== undefined) return found
      }
      signal.throwIfAborted()
      await pause(failures, timing, signal)
    }
  } finally {
    for (const rpc of all) rpc.close()
  }
}

async function ask(asked: ReturnType<ReturnType<typeof createJsonRpc>['ask']>): Promise<bigint | undefined> {
  try {
    const result = (await asked).answers[0]?.result
    return typeof result === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(result) ? BigInt(result) : undefined
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
