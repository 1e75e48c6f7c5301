import { Id } from '@firn/codec'
import { isRpcError, PlatformMethods, type Schema } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { isNodeError } from '../NodeError.ts'

const { result: STATUS } = PlatformMethods['platform.getTxStatus']

/**
 * The status of a transaction that is not in the ledger: the upstream knows those that wait, and why one was dropped. What it has
 * accepted already is on its way here. Without an upstream that answers, nothing is known.
 */
export async function of(
  { upstream, log }: Pick<NodeContext, 'upstream' | 'log'>,
  txId: Uint8Array,
): Promise<Schema.Infer<typeof STATUS>> {
  if (upstream === undefined) return { status: 'Unknown' }
  try {
    const params = { txID: Id.format(txId) }
    const told = STATUS.parse(await upstream.method('/ext/bc/P', 'platform.getTxStatus', params))
    return told.status === 'Committed' || told.status === 'Aborted' ? { status: 'Processing' } : told
  } catch (error) {
    if (!isRpcError(error) && !isNodeError(error)) throw error
    log.debug({ err: error, txID: Id.format(txId) }, 'the upstream told no status of a transaction')
    return { status: 'Unknown' }
  }
}
