import type * as Secp256k1 from '../../fx/Secp256k1.ts'
import type * as Coins from '../Coins.ts'
import type * as Limits from '../Limits.ts'

/** An output that spending creates: change, or stake. */
export interface Piece {
  readonly assetID: Uint8Array
  readonly amount: bigint
  readonly owners: Secp256k1.OutputOwners
  /** Unix time in seconds until which the output can only be staked; 0 without a lock. */
  readonly lock: bigint
}

/** Determines how the gas, the bytes and the fee grow with the transaction, and the most that nodes accept. */
export interface Meter {
  /** Cost of everything that is known before coins are selected. */
  readonly fixed: Limits.Cost
  readonly input: (coin: Coins.Chosen) => Limits.Cost
  readonly output: (piece: Piece) => Limits.Cost
  /** Returns the fee for an amount of gas, in nAVAX. */
  readonly fee: (gas: bigint) => bigint
  readonly limit: Limits.Cost
}

/** The coins of a wallet, and how they are selected. */
export interface Source extends Coins.Holder {
  /** Id of the asset in which fees are paid. */
  readonly avaxAssetId: Uint8Array
  readonly meter: Meter
}

/**
 * Returns the nAVAX that spending a coin of AVAX adds: its amount minus the fee for its input.
 * @example
 * ```ts
 * import { type Coins, Selection } from '@firn/txs'
 *
 * declare const coin: Coins.Chosen
 * declare const meter: Selection.Meter
 * const isDust = Selection.worth(coin, meter) <= 0n
 * ```
 */
export function worth(coin: Coins.Chosen, meter: Meter): bigint {
  return coin.amount - (meter.fee(meter.input(coin).gas) - meter.fee(0n))
}
