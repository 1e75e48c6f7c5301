import { type MethodTable, RpcError } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import type { Handlers } from '../Service.ts'

/** The `reason` in the data of errors about a C-chain that is not followed, and the start of their message. */
export const REASON = 'C_CHAIN_NOT_FOLLOWED'

/**
 * Checks that the store follows the C-chain.
 * @param what names what is not known otherwise
 * @throws RpcError `RPC_REMOTE` with the {@link REASON}
 */
export function assertFollowed({ followsCChain }: Pick<NodeContext, 'followsCChain'>, what: string): void {
  if (!followsCChain) throw unknown(what)
}

/** Returns handlers that reject every method of a table, because the C-chain is not followed. */
export function rejecting<const T extends MethodTable>(table: T, what: string): Handlers<T> {
  const reject = () => Promise.reject(unknown(what))
  return Object.fromEntries(Object.keys(table).map((method) => [method, reject])) as unknown as Handlers<T>
}

function unknown(what: string): RpcError {
  const rpcMessage = `${REASON}: ${what} not known here, because the C-chain is not followed. Ask a node, or index with the C-chain from a node (--upstream) into an empty database.`
  const data = { reason: REASON }
  return new RpcError('RPC_REMOTE', rpcMessage, { details: { rpcCode: -32000, rpcMessage, data } })
}
