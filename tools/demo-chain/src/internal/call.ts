import { DemoChainError } from '../DemoChainError.ts'

let id = 0

/**
 * Sends a JSON-RPC call and returns its result.
 * @throws DemoChainError `DEMO_CHAIN_CALL`
 */
export async function call<T = unknown>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
  if (error === undefined) return result as T
  const message = `${method} failed: ${error.message}`
  throw new DemoChainError('DEMO_CHAIN_CALL', message, { details: { method } })
}
