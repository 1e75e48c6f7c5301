import type { ChainAlias } from '@firn/codec'
import { DataApiError } from '../DataApiError.ts'
import { chainOf } from '../evm/EvmContext.ts'
import type { WebhookContext } from './WebhookContext.ts'

const EVM = 'evm:'
const PRIMARY = 'primary:'

/** Returns the name of the source of an EVM chain's events. */
export function ofEvm(chainId: bigint): string {
  return `${EVM}${chainId}`
}

/** Returns the name of the source of the events of a chain of the Primary Network. */
export function ofPrimary(chain: ChainAlias): string {
  return `${PRIMARY}${chain}`
}

/**
 * Returns the position of the newest event of a source: a change of an EVM chain, or a height of a chain of the Primary
 * Network.
 * @throws DataApiError `DATA_NOT_FOUND` if this service does not serve the source, `DATA_UNAVAILABLE`
 */
export async function positionOf(source: string, { evm, primary }: WebhookContext): Promise<bigint> {
  if (source.startsWith(EVM)) {
    const { store } = chainOf(evm, BigInt(source.slice(EVM.length)))
    return (await store.snapshot()).sequence
  }
  if (primary === undefined)
    throw new DataApiError('DATA_NOT_FOUND', 'this service does not serve the chain of the webhook')
  return (await primary.store.snapshot())[source.slice(PRIMARY.length) as ChainAlias].height
}
