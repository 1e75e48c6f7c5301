import { Bytes, Hex } from '@firn/codec'
import * as Amount from '../../avax/Amount.ts'
import * as UtxoId from '../../avax/UtxoId.ts'
import * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import * as Shortage from '../Shortage.ts'
import type { GatherRequest, Reason } from './gather.ts'
import { asPayers, type Payer, type Payment, payment } from './payment.ts'
import { byWorth } from './ranking.ts'

/** The coins that fit into one transaction, and those that do not. */
export interface Packed {
  readonly chosen: readonly Coins.Chosen[]
  readonly refused: readonly (readonly [Reason, Coins.Coin])[]
  /** Why the first coin that was refused because of its fee cannot be paid for. */
  readonly unpaid: Error | undefined
  /** Fee for spending the chosen coins. */
  readonly fee: bigint
}

/** Takes coins in their order, as long as they fit together with the own coins that pay the fee for other assets. */
export function pack(request: GatherRequest, ranked: readonly Coins.Chosen[]): Packed {
  const { meter, avaxAssetId } = request
  const payers = payersOf(request)
  const sums = new Map<string, bigint>()
  const chosen: Coins.Chosen[] = []
  const refused: [Reason, Coins.Coin][] = []
  let unpaid: Error | undefined
  let cost = meter.fixed
  for (const coin of ranked) {
    const asset = Hex.encodeBare(coin.assetID)
    const before = sums.get(asset)
    const sum = (before ?? 0n) + coin.amount
    const grown = [meter.input(coin), ...(before === undefined ? [outputOf(request, coin)] : [])]
    const next = grown.reduce(Limits.add, cost)
    const avax = sums.get(Hex.encodeBare(avaxAssetId))
    const paid = Coins.isOf(avaxAssetId)(coin)
      ? { cost: next }
      : payment(request, payers, { cost: next, avax })
    // The sum becomes one output, whose amount has 64 bits.
    if (sum > Amount.MAX || !Limits.isWithin(paid.cost, meter.limit)) refused.push(['limit', coin])
    else if ('missing' in paid) {
      refused.push(['funds', coin])
      unpaid ??= unpaidBy(request, paid)
    } else {
      cost = next
      sums.set(asset, sum)
      chosen.push(coin)
    }
  }
  return { chosen, refused, unpaid, fee: meter.fee(cost.gas) }
}

function outputOf({ meter, to }: GatherRequest, { assetID: assetId, amount }: Coins.Coin): Limits.Cost {
  return meter.output({ assetID: assetId, amount, owners: to, lock: 0n })
}

/** Returns the own coins that can pay the fee, in the order in which they are spent. */
function payersOf(request: GatherRequest): Payer[] {
  const { own = [], order = 'largest-first', meter, avaxAssetId, time } = request
  const paying = Coins.signable(own, request).filter(
    (coin) => coin.lock <= time && Bytes.equals(coin.assetID, avaxAssetId),
  )
  return asPayers(byWorth(paying, { order, meter, avaxAssetId }), request)
}

function unpaidBy(
  request: GatherRequest,
  { missing }: Extract<Payment, { readonly missing: object }>,
): Error {
  const { own = [], avaxAssetId: assetId, time } = request
  const usable = new Set(
    Coins.signable(own, request)
      .filter(({ lock }) => lock <= time)
      .map(UtxoId.key),
  )
  const coins = own.filter((coin) => !usable.has(UtxoId.key(coin)))
  return Shortage.errorOf({ ...request, ...missing, assetId, fee: missing.needed, coins })
}
