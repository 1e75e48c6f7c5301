import { Bytes } from '@firn/codec'
import * as Amount from '../../avax/Amount.ts'
import * as UtxoId from '../../avax/UtxoId.ts'
import type * as Coins from '../Coins.ts'
import { type Source, worth } from './meter.ts'

/** Sorts coins by what they are worth after their own fee; with the order `given`, keeps their order. */
export function byWorth(
  coins: readonly Coins.Chosen[],
  { order, meter, avaxAssetId }: Pick<Source, 'meter' | 'avaxAssetId'> & { readonly order?: Coins.Order },
): Coins.Chosen[] {
  if (order === 'given') return [...coins]
  return sortBy(coins, (coin) => (Bytes.equals(coin.assetID, avaxAssetId) ? worth(coin, meter) : coin.amount))
}

/** Sorts coins by a value, the largest first, and equal ones by id. */
export function sortBy(
  coins: readonly Coins.Chosen[],
  value: (coin: Coins.Chosen) => bigint,
): Coins.Chosen[] {
  return coins
    .map((coin) => ({ coin, by: value(coin) }))
    .sort((a, b) => Amount.compare(b.by, a.by) || UtxoId.compare(a.coin, b.coin))
    .map(({ coin }) => coin)
}
