import type { ChainAlias } from '@firn/codec'
import { chainOf } from '../evm/chain/EvmContext.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { WebhookContext } from './WebhookContext.ts'

const EVM = 'evm:'
const PRIMARY = 'primary:'
const UNDELIVERED = 'undelivered:'

/** Returns the name of the source of an EVM chain's events. */
export function ofEvm(chainId: bigint): string {
  return `${EVM}${chainId}`
}

/** Returns the name of the source of the events of a chain of the Primary Network. */
export function ofPrimary(chain: ChainAlias): string {
  return `${PRIMARY}${chain}`
}

/** Returns the name of the source of the messages of an EVM chain that were not delivered in time. */
export function ofUndelivered(chainId: bigint): string {
  return `${UNDELIVERED}${chainId}`
}

/**
 * Returns the position of the newest event of a source: a change of an EVM chain, a height of a chain of the Primary
 * Network, or the time in milliseconds for undelivered messages.
 * @throws DataApiError `DATA_NOT_FOUND` if this service does not serve the source, `DATA_UNAVAILABLE`
 */
export async function positionOf(source: string, { evm, primary, now }: WebhookContext): Promise<bigint> {
  if (source.startsWith(UNDELIVERED)) return BigInt(Math.floor(now()))
  if (source.startsWith(EVM)) {
    const { store } = chainOf(evm, BigInt(source.slice(EVM.length)))
    return (await store.snapshot()).sequence
  }
  if (primary === undefined)
    throw new DataApiError('DATA_NOT_FOUND', 'this service does not serve the chain of the webhook')
  return (await primary.store.snapshot())[source.slice(PRIMARY.length) as ChainAlias].height
}
