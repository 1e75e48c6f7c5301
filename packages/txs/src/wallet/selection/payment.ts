import type * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import type { GatherRequest } from './gather.ts'
import { type Source, worth } from './meter.ts'

/** What a coin pays, and what it costs to spend it. */
export interface Payer {
  readonly amount: bigint
  readonly cost: Limits.Cost
}

/** The cost of a transaction with the own coins that pay for it, and the AVAX if they do not suffice. */
export type Payment =
  | { readonly cost: Limits.Cost }
  | {
      readonly cost: Limits.Cost
      readonly missing: { readonly needed: bigint; readonly available: bigint }
    }

/** Returns how the fewest own coins pay the fee that the gathered AVAX does not cover. */
export function payment(
  {
    meter,
    avaxAssetId,
    to,
    changeOwners: owners = to,
  }: Pick<GatherRequest, 'meter' | 'avaxAssetId' | 'to' | 'changeOwners'>,
  payers: readonly Payer[],
  { cost, avax = 0n }: { readonly cost: Limits.Cost; readonly avax: bigint | undefined },
): Payment {
  let total = cost
  let available = avax
  for (const payer of payers) {
    if (available >= meter.fee(total.gas)) break
    total = Limits.add(total, payer.cost)
    available += payer.amount
  }
  const needed = meter.fee(total.gas)
  const change = meter.output({ assetID: avaxAssetId, amount: available, owners, lock: 0n })
  const whole = available === avax ? total : Limits.add(total, change)
  return available < needed ? { cost: whole, missing: { needed, available } } : { cost: whole }
}

/** Returns what coins pay, without those that cost more than they bring. */
export function asPayers(coins: readonly Coins.Chosen[], { meter }: Source): Payer[] {
  return coins
    .filter((coin) => worth(coin, meter) > 0n)
    .map((coin) => ({ amount: coin.amount, cost: meter.input(coin) }))
}
