import type { TxType } from './AvmTx.ts'

/** Fees of the X-chain in nAVAX: a fixed amount per transaction type. */
export interface Fees {
  readonly tx: bigint
  readonly createAsset: bigint
}

/** Fees on Mainnet and Fuji: 0.001 AVAX, and 0.01 AVAX to create an asset. */
export const DEFAULT: Fees = { tx: 1_000_000n, createAsset: 10_000_000n }

/** Fees on local and custom networks: 0.001 AVAX for every type. */
export const LOCAL: Fees = { tx: 1_000_000n, createAsset: 1_000_000n }

const FEE_OF: { readonly [T in TxType]: keyof Fees } = {
  BaseTx: 'tx',
  CreateAssetTx: 'createAsset',
  OperationTx: 'tx',
  ImportTx: 'tx',
  ExportTx: 'tx',
}

/**
 * Returns the amount that a transaction must burn, in nAVAX.
 * @example
 * ```ts
 * import { AvmFees } from '@firn/txs'
 *
 * AvmFees.required({ type: 'CreateAssetTx' }) // 10000000n
 * ```
 */
export function required({ type }: { readonly type: TxType }, fees: Fees = DEFAULT): bigint {
  return fees[FEE_OF[type]]
}
