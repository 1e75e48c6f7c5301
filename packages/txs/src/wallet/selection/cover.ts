import { Hex } from '@firn/codec'
import * as Amount from '../../avax/Amount.ts'
import type { Share } from '../../avax/Flow.ts'
import * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import { shortage, tooMany } from './coverErrors.ts'
import {
  type Need,
  put,
  type Request,
  requiredAmount,
  type Spent,
  type State,
  take,
  unlocked,
} from './covering.ts'
import { worth } from './meter.ts'
import { byWorth } from './ranking.ts'
import { stakeLocked } from './stakeLocked.ts'

/**
 * Selects coins that cover the amounts and the fee, which grows with every selected coin. For each asset,
 * inputs equal outputs plus stake plus burned amounts. A coin that is listed several times is spent once.
 * @example
 * ```ts
 * import { Selection } from '@firn/txs'
 *
 * declare const request: Selection.Request
 * const { inputs, change, fee } = Selection.cover(request)
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` with the amounts in `details`; `TXS_LIMIT` if more coins are
 * needed than fit into one transaction, with `fit` and `worth` in `details`
 */
export function cover(request: Request): Spent {
  const coins = Coins.unique(request.coins)
  const state: State = {
    request: { ...request, coins },
    spendable: byWorth(Coins.signable(coins, request), request),
    taken: new Set(),
    inputs: [],
    change: [],
    stake: [],
    cost: request.meter.fixed,
  }
  for (const coin of request.required ?? []) take(state, coin)
  const needs = needsOf(request).map((need) => ({
    assetID: need.assetId,
    amount: need.burn + stakeLocked(state, need),
  }))
  const isAvax = Coins.isOf(request.avaxAssetId)
  for (const need of needs) if (!isAvax(need)) coverAsset(state, need)
  const fee = coverAvax(state, needs.find(isAvax)?.amount ?? 0n)
  if (!Limits.isWithin(state.cost, request.meter.limit)) throw tooMany(state)
  return { inputs: state.inputs, change: state.change, stake: state.stake, fee }
}

function needsOf({ burn, stake, required = [] }: Request): Need[] {
  const needs = new Map<string, Need>()
  const add = ({ assetID: assetId }: Pick<Share, 'assetID'>, more: Pick<Need, 'burn' | 'stake'>) => {
    const key = Hex.encodeBare(assetId)
    const before = needs.get(key) ?? { burn: 0n, stake: 0n }
    needs.set(key, { assetId, burn: before.burn + more.burn, stake: before.stake + more.stake })
  }
  for (const share of burn) add(share, { burn: share.amount, stake: 0n })
  for (const share of stake) add(share, { burn: 0n, stake: share.amount })
  for (const coin of required) add(coin, { burn: 0n, stake: 0n })
  return [...needs.values()]
}

function coverAsset(state: State, { assetID: assetId, amount }: Share): void {
  const { changeOwners, receivedOwners = changeOwners } = state.request
  let balance = requiredAmount(state, assetId) - amount
  let owners = receivedOwners
  for (const coin of unlocked(state, assetId)) {
    if (balance >= 0n) break
    take(state, coin)
    balance += coin.amount
    owners = changeOwners
  }
  if (balance < 0n) throw shortage(state, { assetId, needed: amount, available: amount + balance, fee: 0n })
  put(state, state.change, { assetID: assetId, amount: balance, owners, lock: 0n })
}

/**
 * Covers the needed AVAX and the fee, which grows with each coin and with the change. Returns the burned
 * amount.
 */
function coverAvax(state: State, needed: bigint): bigint {
  const { avaxAssetId: assetId, meter, received, changeOwners, receivedOwners = changeOwners } = state.request
  let balance = received + requiredAmount(state, assetId) - needed
  let owners = receivedOwners
  for (const coin of unlocked(state, assetId)) {
    if (balance >= meter.fee(state.cost.gas)) break
    // A coin that raises the fee by more than its amount would only increase the shortage.
    if (worth(coin, meter) <= 0n) continue
    take(state, coin)
    balance += coin.amount
    owners = changeOwners
  }
  const fee = meter.fee(state.cost.gas)
  if (balance < fee)
    throw shortage(state, { assetId, needed: needed + fee, available: balance + needed, fee })
  const piece = { assetID: assetId, owners, lock: 0n }
  const ofChange = Limits.add(state.cost, meter.output({ ...piece, amount: balance }))
  // A remainder that cannot pay for its own output is burned.
  const change = balance - Amount.min(balance, meter.fee(ofChange.gas))
  put(state, state.change, { ...piece, amount: change })
  return balance - change
}
