import type { Flow, UnsignedTx } from '@firn/txs'
import type { PlatformDraft } from './PlatformDraft.ts'

/**
 * Applies the effects of a transaction type in a standard block, except spending and creating UTXOs. Returns
 * the amount that the transaction locks in addition to its outputs and stake, if any: balances of L1
 * validators, or a supply to be minted.
 */
export type Effect<T extends UnsignedTx.TxType> = (
  draft: PlatformDraft,
  txId: Uint8Array,
  tx: UnsignedTx.Of<T>,
) => Flow.Share | undefined
