const HEADERS = { 'content-type': 'application/json' }

/** A JSON-RPC response. */
interface Response {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Returns the body of a JSON-RPC request. */
export function body(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Sends a JSON-RPC request and returns its result. @throws RangeError with the error that the server returns */
export async function call(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers: HEADERS, body: body(method, params) })
  const { result, error } = (await response.json()) as Response
  if (error !== undefined) throw new RangeError(`${method}: ${error.message}`)
  return result
}
