import { Hex } from '@firn/codec'
import { DataApiError } from '../DataApiError.ts'
import type { EvmContext } from './EvmContext.ts'

/**
 * Returns what reads native balances from nodes of the chains, by EVM chain id: the first of a chain's URLs that answers is believed. A
 * chain's rows alone don't tell them: fees, imports and minting move them without a transaction that says so.
 */
export function createNativeBalances(
  nodes: ReadonlyMap<bigint, readonly string[]>,
  get: typeof fetch,
): NonNullable<EvmContext['nativeBalance']> {
  return async ({ chainId }, address, height, signal) => {
    const params = [Hex.encode(address), `0x${height.toString(16)}`]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params })
    let reason = 'no node of this chain is configured'
    for (const url of nodes.get(chainId) ?? []) {
      try {
        return await ask(url, body, get, signal)
      } catch (error) {
        signal.throwIfAborted()
        reason = error instanceof DataApiError ? error.message : 'its node does not answer'
      }
    }
    throw new DataApiError('DATA_UNAVAILABLE', `the native balance is not known: ${reason}`)
  }
}

async function ask(url: string, body: string, get: typeof fetch, signal: AbortSignal): Promise<bigint> {
  const headers = { 'content-type': 'application/json' }
  const response = await get(url, { method: 'POST', headers, body, signal })
  const answer = (await response.json()) as { result?: unknown; error?: { message?: unknown } } | null
  const { result, error } = answer ?? {}
  if (typeof result === 'string' && /^0x[0-9a-f]{1,64}$/.test(result)) return BigInt(result)
  throw new DataApiError('DATA_UPSTREAM', `its node answered: ${String(error?.message ?? response.status)}`)
}
