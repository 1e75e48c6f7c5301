import type { Flow, UnsignedTx } from '@firn/txs'
import type { PlatformDraft } from './PlatformDraft.ts'

/**
 * Applies what a type of transaction does in a standard block beside spending and making UTXOs. Returns what it locks beside its
 * outputs and stake, if anything: balances of L1 validators, or a supply to be minted.
 */
export type Effect<T extends UnsignedTx.TxType> = (
  draft: PlatformDraft,
  txId: Uint8Array,
  tx: UnsignedTx.Of<T>,
) => Flow.Share | undefined
