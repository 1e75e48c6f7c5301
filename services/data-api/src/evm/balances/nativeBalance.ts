import { DataApiError, isDataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { DEFAULT_CURRENCY } from '../../metadata/Currency.ts'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import { NativeTokenBalance, nativeTokenBalance } from '../shapes/NativeTokenBalance.ts'

/**
 * Returns an address's native balance at the end of a block, in the Data API's format.
 * @throws DataApiError `DATA_UNAVAILABLE`, `DATA_UPSTREAM`
 */
export async function nativeBalance(
  { nativeBalance }: EvmContext,
  source: EvmChainSource,
  address: Uint8Array,
  height: bigint,
  signal: AbortSignal,
  currency = DEFAULT_CURRENCY,
): Promise<Body> {
  if (nativeBalance !== undefined) {
    const balance = await nativeBalance(source.chain, address, height, signal)
    return nativeTokenBalance(source, balance, currency)
  }
  const message = 'the native balance requires a node of this chain, but no node is configured'
  throw new DataApiError('DATA_UNAVAILABLE', message)
}

/** Schema of the native balance in a list of token balances. */
export const NativeMember: Schema.Schema = Schema.optional(
  Schema.as(NativeTokenBalance, 'Balance in the native token; absent while no node of the chain responds'),
)

/**
 * Returns the native balance of a list's address as a member of the list's answer, or no member if no node of the chain
 * tells the balance: balances of tokens are known without a node.
 */
export async function nativeMember(
  ...asked: Parameters<typeof nativeBalance>
): Promise<{ readonly nativeTokenBalance: Body } | Record<never, never>> {
  try {
    return { nativeTokenBalance: await nativeBalance(...asked) }
  } catch (error) {
    if (isDataApiError(error) && error.code === 'DATA_UNAVAILABLE') return {}
    throw error
  }
}
