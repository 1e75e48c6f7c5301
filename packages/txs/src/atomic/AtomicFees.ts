import { Bytes } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import { TxsError } from '../TxsError.ts'
import * as AtomicTx from './AtomicTx.ts'

/** Gas of one signature. */
export const SIGNATURE_GAS = 1_000n
/** Gas of any atomic transaction since Apricot phase 5. */
export const INTRINSIC_GAS = 10_000n
/** Wei in one nAVAX. */
export const WEI_PER_NAVAX = 1_000_000_000n

/**
 * Returns the gas of a transaction's content: one for each signed byte, and {@link SIGNATURE_GAS} for each
 * signature of an import, or for each input of an export.
 */
export function contentGas({ unsignedTx }: AtomicTx.AtomicTx): bigint {
  const imported = AtomicTx.imported(unsignedTx)?.inputs ?? []
  const signatures = imported.reduce((sum, { input }) => sum + input.signatureIndices.length, 0)
  const all = signatures + AtomicTx.debited(unsignedTx).length
  return BigInt(AtomicTx.unsignedSize(unsignedTx)) + BigInt(all) * SIGNATURE_GAS
}

/** Returns the gas of a transaction since Apricot phase 5: {@link contentGas} plus {@link INTRINSIC_GAS}. */
export function gasUsed(tx: AtomicTx.AtomicTx): bigint {
  return contentGas(tx) + INTRINSIC_GAS
}

/**
 * Returns how much of an asset a transaction consumes and does not produce; AVAX in nAVAX.
 * @throws TxsError `TXS_OVERFLOW`; `TXS_FUNDS`: it produces more than it consumes
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
  throw new TxsError('TXS_FUNDS', `expected to produce at most ${consumed}, got ${produced}`, {
    details: { consumed, produced },
  })
}

function totalOf(
  list: readonly { readonly assetID: Uint8Array; readonly amount: bigint }[],
  assetId: Uint8Array,
): bigint {
  return Amount.sum(list.filter((item) => Bytes.equals(item.assetID, assetId)).map(({ amount }) => amount))
}

/**
 * Returns the cost of `gas` at a base fee (wei per gas), in nAVAX, rounded up.
 * @throws TxsError `TXS_OVERFLOW`
 */
export function dynamicFee(gas: bigint, baseFee: bigint): bigint {
  return Amount.sum([(gas * baseFee + WEI_PER_NAVAX - 1n) / WEI_PER_NAVAX])
}

/**
 * Returns how much more than its fee a transaction burns, in wei, which is its contribution to the fee of its
 * block. `gas` is {@link gasUsed}, or {@link contentGas} before Apricot phase 5.
 * @throws TxsError `TXS_BASE_FEE`: not above 0; `TXS_FUNDS`: it burns less than its fee; `TXS_OVERFLOW`
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
    throw new TxsError('TXS_FUNDS', `expected at least ${fee} nAVAX to be burned, got ${paid}`, {
      details: { needed: fee, burned: paid },
    })
  }
  return (paid - fee) * WEI_PER_NAVAX
}

/**
 * Returns what a transaction pays per gas, in wei, rounded down.
 * @throws TxsError those of {@link burned}
 */
export function effectiveGasPrice(
  tx: AtomicTx.AtomicTx,
  avaxAssetId: Uint8Array,
  gas: bigint = gasUsed(tx),
): bigint {
  return (burned(tx, avaxAssetId) * WEI_PER_NAVAX) / gas
}
