import { Bytes } from '@firn/codec'
import * as Coins from '../Coins.ts'
import type { GatherRequest, Reason } from './gather.ts'
import { worth } from './meter.ts'

/** The coins that are left, by reason. */
export type Leaving = Map<Reason, Coins.Coin[]>

export function leave(left: Leaving, reason: Reason, coin: Coins.Coin): void {
  const coins = left.get(reason)
  if (coins === undefined) left.set(reason, [coin])
  else coins.push(coin)
}

/** Separates the coins that are worth spending now from the others. */
export function sift(request: GatherRequest): { readonly usable: Coins.Chosen[]; readonly left: Leaving } {
  const { coins, avaxAssetId, meter, time, isIncluded } = request
  const choose = Coins.chooser(request)
  const usable: Coins.Chosen[] = []
  const left: Leaving = new Map()
  for (const coin of Coins.unique(coins)) {
    const signatureIndices = choose(coin.owners, Coins.unlockTime(coin))
    if (!isIncluded(coin)) leave(left, 'asset', coin)
    else if (signatureIndices === undefined) leave(left, 'signers', coin)
    else if (Coins.unlockTime(coin) > time) leave(left, 'locked', coin)
    else {
      const chosen = { ...coin, signatureIndices }
      const isDust = Bytes.equals(coin.assetID, avaxAssetId) && worth(chosen, meter) <= 0n
      if (isDust) leave(left, 'dust', coin)
      else usable.push(chosen)
    }
  }
  return { usable, left }
}
