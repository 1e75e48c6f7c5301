import { Id } from '@firn/codec'
import type { IssueTx, Schema } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { methodError } from '../Service.ts'
import * as ByteText from './ByteText.ts'

/**
 * The path and method of the upstream that issue a transaction. `undecodable` is the start of the error text for a
 * string that is not an encoded transaction.
 */
export interface IssueRoute {
  readonly path: string
  readonly method: string
  readonly undecodable: string
}

/**
 * Sends a transaction to the upstream, which issues it, and returns the response.
 * @throws RpcError `RPC_REMOTE` with the node's text; NodeError `NODE_UPSTREAM`
 */
export async function issue(
  { upstream }: Pick<NodeContext, 'upstream'>,
  { path, method, undecodable }: IssueRoute,
  { tx, encoding = 'hex' }: Schema.Infer<(typeof IssueTx)['params']>,
): Promise<Schema.Infer<(typeof IssueTx)['result']>> {
  const bytes = ByteText.decode(tx, encoding)
  if (typeof bytes === 'string') throw methodError(`${undecodable}: ${bytes}`)
  if (upstream === undefined)
    throw methodError('issuing a transaction needs an upstream node; start with --upstream')
  const result = (await upstream.method(path, method, { tx, encoding })) as { readonly txID?: unknown } | null
  if (typeof result?.txID !== 'string') throw methodError('the upstream node returned no transaction id')
  return { txID: Id.parse(result.txID) }
}
