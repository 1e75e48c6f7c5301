import type * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import type { GatherRequest } from './gather.ts'
import { type Source, worth } from './meter.ts'

/** A coin of AVAX that can pay for a transaction, and what it costs to spend it. */
export interface Payer {
  readonly coin: Coins.Chosen
  readonly cost: Limits.Cost
  /** Whether the coin is imported. If not, it is one of the wallet. */
  readonly isImported: boolean
}

/** The cost of a transaction with the coins that pay for it, and the AVAX if they do not suffice. */
export interface Payment {
  readonly cost: Limits.Cost
  /** The first payers, as many as are needed. */
  readonly used: readonly Payer[]
  readonly missing?: { readonly needed: bigint; readonly available: bigint }
}

/** Returns how the fewest payers pay the fee that the gathered AVAX does not cover. */
export function payment(
  {
    meter,
    avaxAssetId,
    to,
    changeOwners = to,
  }: Pick<GatherRequest, 'meter' | 'avaxAssetId' | 'to' | 'changeOwners'>,
  payers: readonly Payer[],
  { cost, avax }: { readonly cost: Limits.Cost; readonly avax: bigint },
): Payment {
  let total = cost
  let available = avax
  const used: Payer[] = []
  for (const payer of payers) {
    if (available >= meter.fee(total.gas)) break
    total = Limits.add(total, payer.cost)
    available += payer.coin.amount
    used.push(payer)
  }
  const needed = meter.fee(total.gas)
  const owners = used.every(({ isImported }) => isImported) ? to : changeOwners
  const change = meter.output({ assetID: avaxAssetId, amount: available, owners, lock: 0n })
  const whole = used.length === 0 ? total : Limits.add(total, change)
  return { cost: whole, used, ...(available < needed && { missing: { needed, available } }) }
}

/** Returns what coins pay, without those that cost more than they bring. */
export function asPayers(
  coins: readonly Coins.Chosen[],
  { meter }: Pick<Source, 'meter'>,
  imported: ReadonlySet<Coins.Chosen> = new Set(),
): Payer[] {
  return coins
    .filter((coin) => worth(coin, meter) > 0n)
    .map((coin) => ({ coin, cost: meter.input(coin), isImported: imported.has(coin) }))
}
