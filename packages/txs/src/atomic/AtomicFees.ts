import { Bytes } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import { TxsError } from '../TxsError.ts'
import * as AtomicTx from './AtomicTx.ts'

/** Gas charged for one signature. */
export const SIGNATURE_GAS = 1_000n
/** Fixed gas charged for every atomic transaction since Apricot phase 5. */
export const INTRINSIC_GAS = 10_000n
/** Number of wei in one nAVAX. */
export const WEI_PER_NAVAX = 1_000_000_000n

/**
 * Returns the gas for a transaction's content: 1 for each byte of the unsigned transaction, plus {@link
 * SIGNATURE_GAS} for each signature of an import or each input of an export.
 * @example
 * ```ts
 * import { AtomicFees, type AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.AtomicTx
 * const gas = AtomicFees.contentGas(tx) // before Apricot phase 5
 * ```
 */
export function contentGas({ unsignedTx }: AtomicTx.AtomicTx): bigint {
  const imported = AtomicTx.imported(unsignedTx)?.inputs ?? []
  const signatures = imported.reduce((sum, { input }) => sum + input.signatureIndices.length, 0)
  const all = signatures + AtomicTx.debited(unsignedTx).length
  return BigInt(AtomicTx.unsignedSize(unsignedTx)) + BigInt(all) * SIGNATURE_GAS
}

/**
 * Returns the gas that a transaction uses since Apricot phase 5: {@link contentGas} plus {@link
 * INTRINSIC_GAS}.
 * @example
 * ```ts
 * import { AtomicFees, type AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.AtomicTx
 * const fee = AtomicFees.dynamicFee(AtomicFees.gasUsed(tx), 25_000_000_000n) // nAVAX at 25 gwei
 * ```
 */
export function gasUsed(tx: AtomicTx.AtomicTx): bigint {
  return contentGas(tx) + INTRINSIC_GAS
}

/**
 * Returns the amount of an asset that a transaction burns: consumed minus produced, in nAVAX for AVAX.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { AtomicFees, type AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.AtomicTx
 * const avaxAssetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * const fee = AtomicFees.burned(tx, avaxAssetId)
 * ```
 * @throws TxsError `TXS_OVERFLOW`; `TXS_FUNDS` if the transaction produces more than it consumes
 */
export function burned({ unsignedTx }: AtomicTx.AtomicTx, assetId: Uint8Array): bigint {
  const imported = AtomicTx.imported(unsignedTx)?.inputs ?? []
  const exported = AtomicTx.exported(unsignedTx)?.outputs ?? []
  const produced = totalOf(
    [
      ...AtomicTx.credited(unsignedTx),
      ...exported.map(({ assetID: assetId, output }) => ({ assetID: assetId, ...output })),
    ],
    assetId,
  )
  const consumed = totalOf(
    [
      ...imported.map(({ assetID: assetId, input }) => ({ assetID: assetId, ...input })),
      ...AtomicTx.debited(unsignedTx),
    ],
    assetId,
  )
  if (produced <= consumed) return consumed - produced
  throw new TxsError(
    'TXS_FUNDS',
    `the transaction produces ${produced} of the asset but consumes only ${consumed}`,
    {
      details: { consumed, produced },
    },
  )
}

function totalOf(
  list: readonly { readonly assetID: Uint8Array; readonly amount: bigint }[],
  assetId: Uint8Array,
): bigint {
  return Amount.sum(list.filter((item) => Bytes.equals(item.assetID, assetId)).map(({ amount }) => amount))
}

/**
 * Returns the cost of `gas` at a base fee (wei per gas), in nAVAX, rounded up.
 * @example
 * ```ts
 * import { AtomicFees } from '@firn/txs'
 *
 * AtomicFees.dynamicFee(11_230n, 25_000_000_000n) // 280750n
 * ```
 * @throws TxsError `TXS_OVERFLOW`
 */
export function dynamicFee(gas: bigint, baseFee: bigint): bigint {
  return Amount.sum([(gas * baseFee + WEI_PER_NAVAX - 1n) / WEI_PER_NAVAX])
}

/**
 * Returns a transaction's contribution to the fee of its block, in wei: the burned amount minus the fee for `gas` at
 * `baseFee` (wei per gas). `gas` is {@link gasUsed}, or {@link contentGas} before Apricot phase 5.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { AtomicFees, type AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.AtomicTx
 * const avaxAssetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * const wei = AtomicFees.blockFeeContribution(tx, avaxAssetId, 25_000_000_000n)
 * ```
 * @throws TxsError `TXS_BASE_FEE` if the base fee is not above 0; `TXS_FUNDS` if the transaction burns less
 * than its fee; `TXS_OVERFLOW`
 */
export function blockFeeContribution(
  tx: AtomicTx.AtomicTx,
  avaxAssetId: Uint8Array,
  baseFee: bigint,
  gas: bigint = gasUsed(tx),
): bigint {
  if (baseFee <= 0n) {
    throw new TxsError('TXS_BASE_FEE', `expected a base fee above 0, got ${baseFee}`, {
      details: { baseFee },
    })
  }
  const fee = dynamicFee(gas, baseFee)
  const paid = burned(tx, avaxAssetId)
  if (fee > paid) {
    throw new TxsError('TXS_FUNDS', `expected the transaction to burn at least ${fee} nAVAX, got ${paid}`, {
      details: { needed: fee, burned: paid },
    })
  }
  return (paid - fee) * WEI_PER_NAVAX
}

/**
 * Returns the price per gas that a transaction pays, in wei, rounded down.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { AtomicFees, type AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.AtomicTx
 * const avaxAssetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * const price = AtomicFees.effectiveGasPrice(tx, avaxAssetId)
 * ```
 * @throws TxsError the errors of {@link burned}
 */
export function effectiveGasPrice(
  tx: AtomicTx.AtomicTx,
  avaxAssetId: Uint8Array,
  gas: bigint = gasUsed(tx),
): bigint {
  return (burned(tx, avaxAssetId) * WEI_PER_NAVAX) / gas
}
