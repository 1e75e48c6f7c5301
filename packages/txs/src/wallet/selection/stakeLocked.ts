import { Bytes } from '@firn/codec'
import * as Amount from '../../avax/Amount.ts'
import type * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import { type Need, put, type Request, type State, take, unlocked } from './covering.ts'
import type { Piece } from './meter.ts'
import { asPayers, type Payer, type Payment, payment } from './payment.ts'

/**
 * Stakes as much as possible from the locked coins that are worth their fee, and returns the remainder, which unlocked
 * coins must cover. Stops at the limit if they can.
 */
export function stakeLocked(state: State, need: Need): bigint {
  const { assetId, stake } = need
  const { changeOwners, order } = state.request
  const locked = state.spendable.filter((coin) => isStakeable(state.request, coin, assetId))
  const payers = asPayers(unlocked(state, assetId), state.request)
  // The sort is stable, so coins with equal locks keep the order of their worth.
  const ordered = order === 'given' ? locked : locked.sort((a, b) => Amount.compare(b.lock, a.lock))
  let left = stake
  for (const coin of ordered) {
    if (left === 0n) return 0n
    const use = useOf(coin, left)
    if (isSpared(state, payers, { ...need, stake: left }, use)) break
    take(state, coin)
    put(state, state.stake, use.staked)
    put(state, state.change, use.rest)
    left -= use.staked.amount
  }
  put(state, state.stake, { assetID: assetId, amount: left, owners: changeOwners, lock: 0n })
  return left
}

/** A locked coin, what of it is staked, and what remains locked. */
interface Use {
  readonly coin: Coins.Chosen
  readonly staked: Piece
  readonly rest: Piece
}

function useOf(coin: Coins.Chosen, left: bigint): Use {
  const { assetID: assetId, owners, lock } = coin
  const amount = Amount.min(coin.amount, left)
  const staked = { assetID: assetId, owners, lock, amount }
  return { coin, staked, rest: { ...staked, amount: coin.amount - amount } }
}

/** Returns whether a coin is locked and, if it is AVAX, worth more than the fee for its input and its stake. */
function isStakeable(request: Request, coin: Coins.Chosen, assetId: Uint8Array): boolean {
  const { meter, time, avaxAssetId } = request
  if (coin.lock <= time || !Bytes.equals(coin.assetID, assetId)) return false
  const { gas } = Limits.add(meter.input(coin), meter.output(coin))
  return !Bytes.equals(assetId, avaxAssetId) || coin.amount > meter.fee(gas) - meter.fee(0n)
}

/** Returns whether a locked coin no longer fits, and unlocked coins cover what remains to be staked. */
function isSpared(state: State, payers: readonly Payer[], need: Need, { coin, staked, rest }: Use): boolean {
  const { meter, avaxAssetId } = state.request
  // Another asset than AVAX does not pay the fee, so its locked coins are staked without a forecast.
  if (!Bytes.equals(need.assetId, avaxAssetId)) return false
  const pieces = [staked, rest].filter(({ amount }) => amount > 0n)
  const grown = [meter.input(coin), ...pieces.map(meter.output)]
  const beside = forecast(state, payers, { ...need, stake: need.stake - staked.amount }, grown)
  return !Limits.isWithin(beside.cost, meter.limit) && forecast(state, payers, need, []).missing === undefined
}

/** Returns the cost after unlocked AVAX covers what remains to be staked, with what else the transaction grows by. */
function forecast(
  { request, cost: before }: State,
  payers: readonly Payer[],
  { assetId, burn, stake }: Need,
  grown: readonly Limits.Cost[],
): Payment {
  const { avaxAssetId, meter, changeOwners: to } = request
  const output = { assetID: assetId, amount: stake, owners: to, lock: 0n }
  const cost = [...grown, ...(stake > 0n ? [meter.output(output)] : [])].reduce(Limits.add, before)
  return payment({ meter, avaxAssetId, to }, payers, { cost, avax: -burn - stake })
}
