import { Bytes } from '@firn/codec'
import * as Coins from '../Coins.ts'
import * as Shortage from '../Shortage.ts'
import type { GatherRequest } from './gather.ts'
import { asPayers, type Payer, type Payment } from './payment.ts'
import { byWorth } from './ranking.ts'

/** Returns the coins that can pay the fee for other assets, in the order in which they are spent. */
export function payersOf(request: GatherRequest, imported: readonly Coins.Chosen[] = []): Payer[] {
  const { own = [], avaxAssetId, time } = request
  const paying = Coins.signable(own, request).filter(
    (coin) => coin.lock <= time && Bytes.equals(coin.assetID, avaxAssetId),
  )
  return asPayers(byWorth([...paying, ...imported], request), request, new Set(imported))
}

/** Returns the error that says what is missing for the fee, and why own coins do not count. */
export function unpaidBy(request: GatherRequest, missing: NonNullable<Payment['missing']>): Error {
  const { own: coins = [], avaxAssetId: assetId } = request
  return Shortage.errorOf({ ...request, ...missing, assetId, fee: missing.needed, coins })
}
