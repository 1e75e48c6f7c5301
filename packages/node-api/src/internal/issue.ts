import { Id } from '@firn/codec'
import type { IssueTx, Schema } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { methodError } from '../Service.ts'
import * as ByteText from './ByteText.ts'

/** Which method of the upstream takes a transaction, and what a text that is none is called there. */
export interface IssueRoute {
  readonly path: string
  readonly method: string
  readonly undecodable: string
}

/**
 * Has the upstream issue a transaction; what it says is passed on.
 * @throws RpcError `RPC_REMOTE` with the node's text; NodeError `NODE_UPSTREAM`
 */
export async function issue(
  { upstream }: Pick<NodeContext, 'upstream'>,
  { path, method, undecodable }: IssueRoute,
  { tx, encoding = 'hex' }: Schema.Infer<(typeof IssueTx)['params']>,
): Promise<Schema.Infer<(typeof IssueTx)['result']>> {
  const bytes = ByteText.decode(tx, encoding)
  if (typeof bytes === 'string') throw methodError(`${undecodable}: ${bytes}`)
  if (upstream === undefined) throw methodError('this node follows no other, which could issue a transaction')
  const result = (await upstream.method(path, method, { tx, encoding })) as { readonly txID?: unknown } | null
  if (typeof result?.txID !== 'string') throw methodError('the upstream node named no transaction')
  return { txID: Id.parse(result.txID) }
}
