import { type ChainAlias, Id } from '@firn/codec'
import type { IssueTx, Schema } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import { methodError } from '../Service.ts'
import * as ByteText from './ByteText.ts'

/**
 * The chain of a transaction, and the path and method of the upstream that issue it. `undecodable` is the start of the
 * error text for a string that is not an encoded transaction.
 */
export interface IssueRoute {
  readonly chain: ChainAlias
  readonly path: string
  readonly method: string
  readonly undecodable: string
}

/**
 * Sends a transaction to the upstream, which issues it, and returns the response. Without an upstream, the issuer of this
 * process checks the transaction and pushes it to validators.
 * @throws RpcError `RPC_REMOTE` with the node's text; NodeError `NODE_UPSTREAM`
 */
export async function issue(
  { upstream, issuer }: Pick<NodeContext, 'upstream' | 'issuer'>,
  { chain, path, method, undecodable }: IssueRoute,
  { tx, encoding = 'hex' }: Schema.Infer<(typeof IssueTx)['params']>,
): Promise<Schema.Infer<(typeof IssueTx)['result']>> {
  const bytes = ByteText.decode(tx, encoding)
  if (typeof bytes === 'string') throw methodError(`${undecodable}: ${bytes}`)
  if (upstream === undefined) {
    if (issuer !== undefined) return { txID: await issuer.issue(chain, new Uint8Array(bytes)) }
    throw methodError(
      'issuing a transaction needs an upstream node or peers; start with --upstream or --bootstrap-ids',
    )
  }
  const result = (await upstream.method(path, method, { tx, encoding }, { isOnce: true })) as {
    readonly txID?: unknown
  } | null
  if (typeof result?.txID !== 'string') throw methodError('the upstream node returned no transaction id')
  return { txID: Id.parse(result.txID) }
}
