import { Hex } from '@firn/codec'
import type { Connection } from '@firn/rpc'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { NodePools } from '../../upstream/nodePools.ts'
import type { EvmContext } from '../chain/EvmContext.ts'

/** Gas limit of a call. It is needed because some nodes have no limit. */
const GAS = '0x1c9c380'

/**
 * Creates a function that makes read-only calls at the end of a block with the nodes of a chain, in one batch. The
 * result of a call is undefined if it reverts. If no node answers, or no node has the block's state, all are undefined.
 */
export function createContractCalls(pools: NodePools): NonNullable<EvmContext['callContracts']> {
  return async ({ chainId }, calls, height, signal) => {
    const pool = pools.get(chainId)
    if (pool === undefined || calls.length === 0) return calls.map(() => undefined)
    const block = `0x${height.toString(16)}`
    const sent = calls.map(({ to, data }) => ({
      method: 'eth_call',
      params: [{ to: Hex.encode(to), data, gas: GAS }, block],
    }))
    const read = async (node: Connection): Promise<readonly unknown[]> => {
      const { answers } = await node.ask(sent, { signal })
      // A node without the block's state refuses all calls, so the next node is tried.
      if (answers.every(({ error }) => error !== undefined))
        throw answers[0]?.error ?? new DataApiError('DATA_UPSTREAM', 'the node returned no answer')
      return answers.map(({ result }) => result)
    }
    try {
      return (await pool.attempt(read, { signal, isFinal: () => false })) as readonly unknown[]
    } catch {
      signal.throwIfAborted()
      return calls.map(() => undefined)
    }
  }
}
