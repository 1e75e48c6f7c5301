import { DataApiError } from '../DataApiError.ts'
import type { Body } from '../front/Endpoint.ts'
import type { EvmChainSource, EvmContext } from './EvmContext.ts'
import { nativeTokenBalance } from './shapes/NativeTokenBalance.ts'

/**
 * Returns an address's native balance at the end of a block, in the Data API's format.
 * @throws DataApiError `DATA_UNAVAILABLE`, `DATA_UPSTREAM`
 */
export async function nativeBalance(
  { nativeBalance }: EvmContext,
  { chain }: EvmChainSource,
  address: Uint8Array,
  height: bigint,
  signal: AbortSignal,
): Promise<Body> {
  if (nativeBalance !== undefined) {
    return nativeTokenBalance(chain, await nativeBalance(chain, address, height, signal))
  }
  const message = 'the native balance requires a node of this chain, but no node is configured'
  throw new DataApiError('DATA_UNAVAILABLE', message)
}
