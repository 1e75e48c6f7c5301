import { Id } from '@firn/codec'
import { AvaxMethods, isRpcError, type Result } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { isNodeError } from '../NodeError.ts'

const { result: STATUS } = AvaxMethods['avax.getAtomicTxStatus']

/**
 * The status of an atomic transaction that is in no block here: the upstream knows those that wait, and those that were dropped. What it
 * has accepted already is on its way here. Without an upstream that answers, nothing is known.
 */
export async function of(
  { upstream, log }: Pick<NodeContext, 'upstream' | 'log'>,
  txId: Uint8Array,
): Promise<Result<typeof AvaxMethods, 'avax.getAtomicTxStatus'>> {
  if (upstream === undefined) return { status: 'Unknown' }
  try {
    const params = { txID: Id.format(txId) }
    const told = STATUS.parse(await upstream.method('/ext/bc/C/avax', 'avax.getAtomicTxStatus', params))
    return { status: told.status === 'Accepted' ? 'Processing' : told.status }
  } catch (error) {
    if (!isRpcError(error) && !isNodeError(error)) throw error
    log.debug({ err: error, txID: Id.format(txId) }, 'the upstream told no status of an atomic transaction')
    return { status: 'Unknown' }
  }
}
