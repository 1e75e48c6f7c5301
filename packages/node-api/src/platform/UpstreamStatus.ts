import { Id } from '@firn/codec'
import { isRpcError, PlatformMethods, type Schema } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { isNodeError } from '../NodeError.ts'

const { result: STATUS } = PlatformMethods['platform.getTxStatus']

/**
 * Returns the status of a transaction that is not in the ledger. The upstream reports pending transactions,
 * and the reason for dropped transactions. A transaction that the upstream has already accepted is reported
 * as processing until it is in the ledger. The status is unknown if no upstream responds.
 */
export async function of(
  { upstream, log }: Pick<NodeContext, 'upstream' | 'log'>,
  txId: Uint8Array,
): Promise<Schema.Infer<typeof STATUS>> {
  if (upstream === undefined) return { status: 'Unknown' }
  try {
    const params = { txID: Id.format(txId) }
    const answer = STATUS.parse(await upstream.method('/ext/bc/P', 'platform.getTxStatus', params))
    return answer.status === 'Committed' || answer.status === 'Aborted' ? { status: 'Processing' } : answer
  } catch (error) {
    if (!isRpcError(error) && !isNodeError(error)) throw error
    log.debug(
      { err: error, txId: Id.format(txId) },
      'the upstream did not report the status of a transaction',
    )
    return { status: 'Unknown' }
  }
}
