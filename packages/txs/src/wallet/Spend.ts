import { Bytes, Hex } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import type { Share } from '../avax/Flow.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Coins from './Coins.ts'
import * as Shortage from './Shortage.ts'

/** An output that spending makes: change, or stake. */
export interface Piece {
  readonly assetID: Uint8Array
  readonly amount: bigint
  readonly owners: Secp256k1.OutputOwners
  /** As with coins. */
  readonly lock: bigint
}

/** How the fee grows with the transaction: what each part weighs, and what the whole costs. */
export interface Meter {
  /** Weight of all that is settled before coins are chosen. */
  readonly fixed: bigint
  readonly input: (coin: Coins.Chosen) => bigint
  readonly output: (piece: Piece) => bigint
  /** Fee of a weight, in nAVAX. */
  readonly fee: (weight: bigint) => bigint
}

/** What is to be covered, and from what. */
export interface Wish extends Coins.Holder {
  readonly coins: readonly Coins.Coin[]
  readonly order: Coins.Order
  /** The asset that fees are paid in. */
  readonly avaxAssetId: Uint8Array
  /** What leaves the coins for good or into outputs that are settled; the fee is not among it. */
  readonly burn: readonly Share[]
  /** What is staked: from locked coins first, the rest from others. */
  readonly stake: readonly Share[]
  /** AVAX that comes in beside the coins, as imports do. */
  readonly received: bigint
  /** To whom change and what is staked of unlocked coins returns. */
  readonly changeOwners: Secp256k1.OutputOwners
  /** To whom goes what is left of `received` when no coin of AVAX was needed; default: `changeOwners`. */
  readonly receivedOwners?: Secp256k1.OutputOwners
  readonly meter: Meter
}

/** What covers a wish. */
export interface Spent {
  /** Coins in the order in which they were chosen. */
  readonly inputs: readonly Coins.Chosen[]
  readonly change: readonly Piece[]
  readonly stake: readonly Piece[]
  /** nAVAX that are burned: the fee, and change that is not worth an output. */
  readonly fee: bigint
}

interface State {
  readonly wish: Wish
  readonly spendable: readonly Coins.Chosen[]
  readonly inputs: Coins.Chosen[]
  readonly change: Piece[]
  readonly stake: Piece[]
  weight: bigint
}

interface Need {
  readonly assetId: Uint8Array
  readonly burn: bigint
  readonly stake: bigint
}

/**
 * Chooses coins that cover amounts and the fee of the transaction that grows with each of them. Inputs = outputs + stake + fee,
 * of each asset.
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` with the numbers, see {@link Shortage.errorOf}
 */
export function spend(wish: Wish): Spent {
  const state: State = {
    wish,
    spendable: Coins.sort(Coins.signable(wish.coins, wish), wish.order),
    inputs: [],
    change: [],
    stake: [],
    weight: wish.meter.fixed,
  }
  const needs = needsOf(wish).map((need) => ({
    assetID: need.assetId,
    amount: need.burn + stakeOf(state, need),
  }))
  const isAvax = Coins.isOf(wish.avaxAssetId)
  for (const need of needs) if (!isAvax(need)) cover(state, need)
  const fee = coverAvax(state, needs.find(isAvax)?.amount ?? 0n)
  return { inputs: state.inputs, change: state.change, stake: state.stake, fee }
}

function needsOf({ burn, stake }: Wish): Need[] {
  const needs = new Map<string, Need>()
  const add = ({ assetID: assetId }: Share, more: Pick<Need, 'burn' | 'stake'>) => {
    const key = Hex.encodeBare(assetId)
    const before = needs.get(key) ?? { burn: 0n, stake: 0n }
    needs.set(key, { assetId, burn: before.burn + more.burn, stake: before.stake + more.stake })
  }
  for (const share of burn) add(share, { burn: share.amount, stake: 0n })
  for (const share of stake) add(share, { burn: 0n, stake: share.amount })
  return [...needs.values()]
}

/** Stakes an amount, of locked coins as far as they go, and gives what is left to be covered by others. */
function stakeOf(state: State, { assetId, stake }: Need): bigint {
  const { time, changeOwners } = state.wish
  let left = stake
  for (const coin of state.spendable.filter(Coins.isOf(assetId))) {
    if (left === 0n) return 0n
    if (coin.lock <= time) continue
    const staked = Amount.min(coin.amount, left)
    const { owners, lock } = coin
    take(state, coin)
    put(state, state.stake, { assetID: assetId, amount: staked, owners, lock })
    put(state, state.change, { assetID: assetId, amount: coin.amount - staked, owners, lock })
    left -= staked
  }
  put(state, state.stake, { assetID: assetId, amount: left, owners: changeOwners, lock: 0n })
  return left
}

function take(state: State, coin: Coins.Chosen): void {
  state.inputs.push(coin)
  state.weight += state.wish.meter.input(coin)
}

function put(state: State, list: Piece[], piece: Piece): void {
  if (piece.amount === 0n) return
  list.push(piece)
  state.weight += state.wish.meter.output(piece)
}

function unlocked({ spendable, wish }: State, assetId: Uint8Array): readonly Coins.Chosen[] {
  return spendable.filter((coin) => coin.lock <= wish.time && Bytes.equals(coin.assetID, assetId))
}

function cover(state: State, { assetID: assetId, amount }: Share): void {
  let balance = -amount
  for (const coin of unlocked(state, assetId)) {
    if (balance >= 0n) break
    take(state, coin)
    balance += coin.amount
  }
  if (balance < 0n) throw shortage(state, { assetId, needed: amount, available: amount + balance, fee: 0n })
  put(state, state.change, { assetID: assetId, amount: balance, owners: state.wish.changeOwners, lock: 0n })
}

/** Covers what is needed of AVAX and the fee, which each coin and the change raise; gives what is burned. */
function coverAvax(state: State, needed: bigint): bigint {
  const { avaxAssetId: assetId, meter, received, changeOwners, receivedOwners = changeOwners } = state.wish
  let balance = received - needed
  let owners = receivedOwners
  for (const coin of unlocked(state, assetId)) {
    if (balance >= meter.fee(state.weight)) break
    // A coin that raises the fee by more than it holds only makes things worse.
    if (coin.amount <= meter.fee(meter.input(coin)) - meter.fee(0n)) continue
    take(state, coin)
    balance += coin.amount
    owners = changeOwners
  }
  const fee = meter.fee(state.weight)
  if (balance < fee)
    throw shortage(state, { assetId, needed: needed + fee, available: balance + needed, fee })
  const piece = { assetID: assetId, owners, lock: 0n }
  const change = balance - meter.fee(state.weight + meter.output({ ...piece, amount: balance }))
  // The rest is burned when it would not pay for its own output.
  if (change <= 0n) return balance
  put(state, state.change, { ...piece, amount: change })
  return balance - change
}

function shortage(
  { wish, inputs, spendable }: State,
  numbers: Pick<Shortage.Shortage, 'assetId' | 'needed' | 'available' | 'fee'>,
): Error {
  const usable = spendable.filter(({ lock }) => lock <= wish.time)
  const counted = new Set([...usable, ...inputs].map(UtxoId.format))
  const coins = wish.coins.filter((coin) => !counted.has(UtxoId.format(coin)))
  return Shortage.errorOf({ ...wish, coins, ...numbers })
}
