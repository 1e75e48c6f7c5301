import { DemoChainError } from '../DemoChainError.ts'

/** A JSON-RPC call: its method and parameters. */
export type Call = readonly [method: string, params: readonly unknown[]]

interface Response {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/**
 * Sends a JSON-RPC call and returns its result.
 * @throws DemoChainError `DEMO_CHAIN_CALL`
 */
export async function call<T = unknown>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const [result] = await callAll<T>(url, [[method, params]])
  return result as T
}

/**
 * Sends JSON-RPC calls in one batch and returns their results in the same order.
 * @throws DemoChainError `DEMO_CHAIN_CALL` if one of them fails
 */
export async function callAll<T>(url: string, calls: readonly Call[]): Promise<readonly T[]> {
  return (await post(url, calls)).map(({ result, error }, i) => {
    if (error === undefined) return result as T
    const method = calls[i]?.[0] as string
    const message = `${method} failed: ${error.message}`
    throw new DemoChainError('DEMO_CHAIN_CALL', message, { details: { method } })
  })
}

/** Sends JSON-RPC calls in one batch and returns their results in the same order; undefined for calls that fail. */
export async function tryAll<T>(url: string, calls: readonly Call[]): Promise<readonly (T | undefined)[]> {
  return (await post(url, calls)).map(({ result }) => result as T | undefined)
}

async function post(url: string, calls: readonly Call[]): Promise<readonly Response[]> {
  const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return ((await response.json()) as Response[]).sort((one, other) => one.id - other.id)
}
