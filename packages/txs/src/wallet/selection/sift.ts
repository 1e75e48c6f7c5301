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
  const choose = Coins.chooser(request)
  const usable: Coins.Chosen[] = []
  const left: Leaving = new Map()
  for (const coin of Coins.unique(request.coins)) {
    const signatureIndices = choose(coin.owners, Coins.unlockTime(coin))
    if (!request.isIncluded(coin)) leave(left, 'asset', coin)
    else if (signatureIndices === undefined) leave(left, 'signers', coin)
    else {
      const chosen = { ...coin, signatureIndices }
      const reason = reasonToLeave(request, chosen)
      if (reason === undefined) usable.push(chosen)
      else leave(left, reason, coin)
    }
  }
  return { usable, left }
}

function reasonToLeave(
  { avaxAssetId, meter, time, isReceiverNamed = true }: GatherRequest,
  coin: Coins.Chosen,
): Reason | undefined {
  if (Coins.unlockTime(coin) > time) return 'locked'
  if (Bytes.equals(coin.assetID, avaxAssetId) && worth(coin, meter) <= 0n) return 'dust'
  return !isReceiverNamed && coin.owners.addresses.length > 1 ? 'receiver' : undefined
}
