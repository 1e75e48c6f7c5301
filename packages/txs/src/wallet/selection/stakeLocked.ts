import { Bytes } from '@firn/codec'
import * as Amount from '../../avax/Amount.ts'
import type * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import { type Need, put, type Request, requiredAmount, type State, take, unlocked } from './covering.ts'
import { asPayers, type Payer, type Payment, payment } from './payment.ts'

/**
 * Stakes as much as possible from the locked coins that are worth their fee, and returns the remainder, which unlocked
 * coins must cover. Stops at the limit if they can.
 */
export function stakeLocked(state: State, need: Need): bigint {
  const { assetId, stake } = need
  const { changeOwners, order, meter } = state.request
  const locked = state.spendable.filter((coin) => isStakeable(state.request, coin, assetId))
  const payers = asPayers(unlocked(state, assetId), state.request)
  // The sort is stable, so coins with equal locks keep the order of their worth.
  const ordered = order === 'given' ? locked : locked.sort((a, b) => Amount.compare(b.lock, a.lock))
  let left = stake
  for (const coin of ordered) {
    if (left === 0n) return 0n
    const staked = Amount.min(coin.amount, left)
    const piece = { assetID: assetId, owners: coin.owners, lock: coin.lock }
    const [part, rest] = [
      { ...piece, amount: staked },
      { ...piece, amount: coin.amount - staked },
    ]
    const grown = [meter.input(coin), ...[part, rest].filter(({ amount }) => amount > 0n).map(meter.output)]
    const next = afterwards(state, payers, { ...need, stake: left - staked }, grown)
    const isSpared = !('missing' in afterwards(state, payers, { ...need, stake: left }, []))
    if (isSpared && !Limits.isWithin(next.cost, meter.limit)) break
    take(state, coin)
    put(state, state.stake, part)
    put(state, state.change, rest)
    left -= staked
  }
  put(state, state.stake, { assetID: assetId, amount: left, owners: changeOwners, lock: 0n })
  return left
}

/** Returns whether a coin is locked and, if it is AVAX, worth more than the fee for its input and its stake. */
function isStakeable(request: Request, coin: Coins.Chosen, assetId: Uint8Array): boolean {
  const { meter, time, avaxAssetId } = request
  if (coin.lock <= time || !Bytes.equals(coin.assetID, assetId)) return false
  const { gas } = Limits.add(meter.input(coin), meter.output(coin))
  return !Bytes.equals(assetId, avaxAssetId) || coin.amount > meter.fee(gas) - meter.fee(0n)
}

/** Returns the cost after unlocked coins cover what remains to be staked, with what else the transaction grows by. */
function afterwards(
  state: State,
  payers: readonly Payer[],
  { assetId, burn, stake }: Need,
  grown: readonly Limits.Cost[],
): Payment {
  const { request } = state
  const { avaxAssetId, meter, changeOwners: owners, received } = request
  const output = { assetID: assetId, amount: stake, owners, lock: 0n }
  const cost = [...grown, ...(stake > 0n ? [meter.output(output)] : [])].reduce(Limits.add, state.cost)
  // Another asset than AVAX does not pay the fee, so its locked coins are staked without a forecast.
  if (!Bytes.equals(assetId, avaxAssetId))
    return { cost, used: [], missing: { needed: stake, available: 0n } }
  const avax = received + requiredAmount(state, assetId) - burn - stake
  return payment({ meter, avaxAssetId, to: owners }, payers, { cost, avax })
}
