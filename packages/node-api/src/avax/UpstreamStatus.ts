import { Id } from '@firn/codec'
import { AvaxMethods, isRpcError, type Result } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { isNodeError } from '../NodeError.ts'

const { result: STATUS } = AvaxMethods['avax.getAtomicTxStatus']

/**
 * Returns the status of an atomic transaction that is not in the ledger. The upstream reports pending and
 * dropped transactions. A transaction that the upstream has already accepted is reported as processing until
 * it is in the ledger. The status is unknown if no upstream responds.
 */
export async function of(
  { upstream, log }: Pick<NodeContext, 'upstream' | 'log'>,
  txId: Uint8Array,
): Promise<Result<typeof AvaxMethods, 'avax.getAtomicTxStatus'>> {
  if (upstream === undefined) return { status: 'Unknown' }
  try {
    const params = { txID: Id.format(txId) }
    const reported = STATUS.parse(await upstream.method('/ext/bc/C/avax', 'avax.getAtomicTxStatus', params))
    return { status: reported.status === 'Accepted' ? 'Processing' : reported.status }
  } catch (error) {
    if (!isRpcError(error) && !isNodeError(error)) throw error
    log.debug(
      { err: error, txId: Id.format(txId) },
      'the upstream did not report the status of an atomic transaction',
    )
    return { status: 'Unknown' }
  }
}
