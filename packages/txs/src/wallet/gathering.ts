import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Coins from './Coins.ts'
import * as Given from './Given.ts'
import type * as Selection from './Selection.ts'
import * as Wallet from './Wallet.ts'

/** What a transaction gathers. */
export type GatherOptions = Pick<Selection.GatherRequest, 'purpose' | 'coins' | 'isIncluded' | 'to'>

/** Returns the request for gathering coins, with the wallet's own coins for the fee. */
export function gathering(
  wallet: Wallet.Wallet,
  meter: Selection.Meter,
  options: GatherOptions,
): Selection.GatherRequest {
  const { addresses, time, avaxAssetId, utxos } = wallet
  return { ...options, addresses, time, avaxAssetId, meter, own: Coins.of(utxos) }
}

/** Returns what a consolidation gathers: the wallet's coins of one asset. */
export function consolidation(
  wallet: Wallet.Wallet,
  {
    assetID: assetId = wallet.avaxAssetId,
    to = Wallet.changeOwners(wallet),
  }: {
    readonly assetID?: Uint8Array | undefined
    readonly to?: Secp256k1.OutputOwners | undefined
  },
): GatherOptions {
  Given.assertBytes(assetId, 'assetID', 32)
  Given.assertOwners(to, 'to')
  const coins = Coins.of(wallet.utxos).filter(Coins.isOf(assetId))
  return { purpose: 'consolidate', coins, isIncluded: () => true, to }
}
