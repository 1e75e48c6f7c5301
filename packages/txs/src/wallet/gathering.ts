import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Coins from './Coins.ts'
import * as Given from './Given.ts'
import type * as Selection from './Selection.ts'
import * as Wallet from './Wallet.ts'

/** What a transaction gathers. */
export type GatherOptions = Pick<
  Selection.GatherRequest,
  'purpose' | 'coins' | 'isIncluded' | 'to' | 'isReceiverNamed'
>

/** Returns the request for gathering coins, with the wallet's own coins for the fee. */
export function gathering(
  wallet: Wallet.Wallet,
  meter: Selection.Meter,
  options: GatherOptions,
): Selection.GatherRequest {
  const { addresses, time, avaxAssetId, utxos, order, changeOwners } = wallet
  return {
    ...{ ...options, addresses, time, avaxAssetId, meter, own: Coins.of(utxos) },
    ...(order && { order }),
    ...(changeOwners && { changeOwners }),
  }
}

/** The asset that a consolidation merges, and the owners who receive it. */
export interface Consolidation {
  /** Default: AVAX. */
  readonly assetID?: Uint8Array | undefined
  /**
   * Default: the owners of the wallet's change. If these are not named either, the wallet's first address receives the
   * amount, and UTXOs with several owners are left.
   */
  readonly to?: Secp256k1.OutputOwners | undefined
}

/** Returns what a consolidation gathers: the wallet's coins of one asset. */
export function consolidation(wallet: Wallet.Wallet, given: Consolidation): GatherOptions {
  const { assetID: assetId = wallet.avaxAssetId, to = Wallet.changeOwners(wallet) } = given
  Given.assertBytes(assetId, 'assetID', 32)
  Given.assertOwners(to, 'to')
  const coins = Coins.of(wallet.utxos).filter(Coins.isOf(assetId))
  const isReceiverNamed = given.to !== undefined || wallet.changeOwners !== undefined
  return { purpose: 'consolidate', coins, isIncluded: () => true, to, isReceiverNamed }
}
