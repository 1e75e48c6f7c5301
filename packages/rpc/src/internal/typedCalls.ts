import type { Call } from '../Asker.ts'
import type { Target } from '../Endpoint.ts'
import type { ClientTable } from '../MethodTable.ts'
import { isRpcError, RpcError } from '../RpcError.ts'

/**
 * Returns a call with its argument as JSON.
 * @throws RpcError `RPC_SCHEMA` if the method is not in the table, or the argument doesn't fit its schema
 */
export function formatCall(table: ClientTable, method: string, params: unknown = {}): Call {
  const schema = table[method]
  if (schema === undefined)
    throw new RpcError('RPC_SCHEMA', `unknown method ${method}: it is not in the method table of this client`)
  return { method, params: schema.params.format(params as never, 'params') }
}

/**
 * Returns the value of a result.
 * @throws RpcError `RPC_RESPONSE` if it doesn't fit the schema of the method
 */
export function parseResult(
  table: ClientTable,
  method: string,
  result: unknown,
  { name, location: url }: Target,
): unknown {
  try {
    return table[method]?.result.parse(result, 'result')
  } catch (cause) {
    if (!isRpcError(cause)) throw cause
    const { path } = cause.details
    throw new RpcError('RPC_RESPONSE', `${cause.message}, from ${name} (${method})`, {
      details: { url, method, ...(path === undefined ? {} : { path }) },
      cause,
    })
  }
}
