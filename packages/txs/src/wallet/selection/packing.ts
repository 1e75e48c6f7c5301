import { Hex } from '@firn/codec'
import * as Amount from '../../avax/Amount.ts'
import type * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import type { GatherRequest, Reason } from './gather.ts'
import { unpaidBy } from './payers.ts'
import { type Payer, payment } from './payment.ts'

/** The coins that a transaction takes so far, and those that it leaves. */
export interface Packing {
  readonly request: GatherRequest
  readonly chosen: Coins.Chosen[]
  readonly refused: [Reason, Coins.Coin][]
  /** Amounts of the chosen coins, by asset in hex. */
  readonly amounts: Map<string, bigint>
  /** Cost of the chosen coins, and of an output for each of their assets. */
  cost: Limits.Cost
  /** Why the first coin that was refused because of its fee cannot be paid for. */
  unpaid: Error | undefined
}

/** Returns a packing without coins. */
export function emptyPacking(request: GatherRequest): Packing {
  const { fixed: cost } = request.meter
  return { request, chosen: [], refused: [], amounts: new Map(), cost, unpaid: undefined }
}

/** Returns the amount of an asset in the chosen coins. */
export function amountOf({ amounts }: Packing, assetId: Uint8Array): bigint {
  return amounts.get(Hex.encodeBare(assetId)) ?? 0n
}

/** Takes AVAX as long as it fits together with the coins that pay what it does not. */
export function takeAvax(
  packing: Packing,
  coins: readonly Coins.Chosen[],
  payers: readonly Payer[] = [],
): void {
  const { request } = packing
  for (const coin of coins) {
    const next = costWith(packing, coin)
    const avax = amountOf(packing, coin.assetID) + coin.amount
    const cost = next && payment(request, payers, { cost: next, avax }).cost
    if (cost !== undefined && Limits.isWithin(cost, request.meter.limit)) take(packing, coin)
    else packing.refused.push(['limit', coin])
  }
}

/** Takes other assets as long as they fit without raising the fee. */
export function takeFree(packing: Packing, coins: readonly Coins.Chosen[]): void {
  const { fee, limit } = packing.request.meter
  for (const coin of coins) {
    const next = costWith(packing, coin)
    const fits = next !== undefined && Limits.isWithin(next, limit)
    if (fits && fee(next.gas) === fee(packing.cost.gas)) take(packing, coin)
    else packing.refused.push(['asset', coin])
  }
}

/** Takes other assets as long as they fit together with the coins that pay the fee, and returns those. */
export function takePaid(
  packing: Packing,
  coins: readonly Coins.Chosen[],
  payers: readonly Payer[],
): readonly Payer[] {
  const { request } = packing
  let used: readonly Payer[] = []
  /** Gas for which all payers together do not suffice. Strangers can send thousands of coins, so payers are added up once. */
  let unpayable: bigint | undefined
  for (const coin of coins) {
    const next = costWith(packing, coin)
    if (next !== undefined && unpayable !== undefined && next.gas >= unpayable) {
      packing.refused.push(['funds', coin])
      continue
    }
    const paid = next && payment(request, payers, { cost: next, avax: 0n })
    if (paid?.missing !== undefined) {
      unpayable = next?.gas
      packing.refused.push(['funds', coin])
      packing.unpaid ??= unpaidBy(request, paid.missing)
    } else if (paid === undefined || !Limits.isWithin(paid.cost, request.meter.limit)) {
      packing.refused.push(['limit', coin])
    } else {
      take(packing, coin)
      used = paid.used
    }
  }
  return used
}

/** Takes a coin. */
export function take(packing: Packing, coin: Coins.Chosen): void {
  packing.cost = costWith(packing, coin) ?? packing.cost
  packing.amounts.set(Hex.encodeBare(coin.assetID), amountOf(packing, coin.assetID) + coin.amount)
  packing.chosen.push(coin)
}

/** Returns the cost with one more coin; undefined if an output cannot hold the amount of its asset, which has 64 bits. */
function costWith({ request, amounts, cost }: Packing, coin: Coins.Chosen): Limits.Cost | undefined {
  const { meter, to } = request
  const { assetID: assetId, amount } = coin
  const before = amounts.get(Hex.encodeBare(assetId))
  if ((before ?? 0n) + amount > Amount.MAX) return undefined
  const whole = Limits.add(cost, meter.input(coin))
  const output = { assetID: assetId, amount, owners: to, lock: 0n }
  return before === undefined ? Limits.add(whole, meter.output(output)) : whole
}
