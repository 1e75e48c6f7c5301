import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { TxsError } from '../TxsError.ts'
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
  const { addresses, time, avaxAssetId, utxos, order, changeOwners } = wallet
  return {
    ...{ ...options, addresses, time, avaxAssetId, meter, own: Coins.of(utxos) },
    ...(order && { order }),
    ...(changeOwners && { changeOwners }),
  }
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

/**
 * Returns the owners who receive what a consolidation merges: `to`, by default the owners of the wallet's change.
 * @throws TxsError `TXS_INPUT` if other owners of the coins would lose them without having been named
 */
export function receiverOf(
  wallet: Wallet.Wallet,
  coins: readonly Coins.Coin[],
  to: Secp256k1.OutputOwners | undefined,
): Secp256k1.OutputOwners {
  if (to !== undefined) return to
  const owners = Wallet.changeOwners(wallet)
  const isShared = (coin: Coins.Coin) => coin.owners.addresses.length > 1
  const shared = wallet.changeOwners === undefined ? coins.filter(isShared) : []
  if (shared.length === 0) return owners
  const message = `${shared.length} UTXOs have several owners, and only the wallet's first address would receive them; pass the owners who receive them as \`to\``
  throw new TxsError('TXS_INPUT', message, { details: { path: 'to', count: shared.length } })
}
