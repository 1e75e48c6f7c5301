import { Bytes } from '@firn/codec'
import * as UtxoId from '../../avax/UtxoId.ts'
import * as Coins from '../Coins.ts'
import * as Shortage from '../Shortage.ts'
import type { GatherRequest } from './gather.ts'
import { asPayers, type Payer, type Payment } from './payment.ts'
import { byWorth } from './ranking.ts'

/** Returns the coins that can pay the fee for other assets, in the order in which they are spent. */
export function payersOf(request: GatherRequest, imported: readonly Coins.Chosen[] = []): Payer[] {
  const { own = [], order = 'largest-first', meter, avaxAssetId, time } = request
  const paying = Coins.signable(own, request).filter(
    (coin) => coin.lock <= time && Bytes.equals(coin.assetID, avaxAssetId),
  )
  return asPayers(
    byWorth([...paying, ...imported], { order, meter, avaxAssetId }),
    request,
    new Set(imported),
  )
}

/** Returns the error that says what is missing for the fee, and why own coins do not count. */
export function unpaidBy(request: GatherRequest, missing: NonNullable<Payment['missing']>): Error {
  const { own = [], avaxAssetId: assetId, time } = request
  const usable = new Set(
    Coins.signable(own, request)
      .filter(({ lock }) => lock <= time)
      .map(UtxoId.key),
  )
  const coins = own.filter((coin) => !usable.has(UtxoId.key(coin)))
  return Shortage.errorOf({ ...request, ...missing, assetId, fee: missing.needed, coins })
}
