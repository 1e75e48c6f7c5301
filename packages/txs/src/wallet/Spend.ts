import { Bytes, Hex } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import type { Share } from '../avax/Flow.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Coins from './Coins.ts'
import * as Shortage from './Shortage.ts'

/** An output that spending creates: change, or stake. */
export interface Piece {
  readonly assetID: Uint8Array
  readonly amount: bigint
  readonly owners: Secp256k1.OutputOwners
  /** Unix time in seconds until which the output can only be staked; 0 without a lock. */
  readonly lock: bigint
}

/**
 * Determines how the fee grows with the transaction: the weight of each input and output, and the fee for the
 * total weight.
 */
export interface Meter {
  /** Weight of everything that is known before coins are selected. */
  readonly fixed: bigint
  readonly input: (coin: Coins.Chosen) => bigint
  readonly output: (piece: Piece) => bigint
  /** Returns the fee for a weight, in nAVAX. */
  readonly fee: (weight: bigint) => bigint
}

/** The amounts to cover, and the coins to cover them with. */
export interface Request extends Coins.Holder {
  readonly coins: readonly Coins.Coin[]
  readonly order: Coins.Order
  /** Id of the asset in which fees are paid. */
  readonly avaxAssetId: Uint8Array
  /** Amounts that are burned or sent to outputs fixed before coin selection. Excludes the fee. */
  readonly burn: readonly Share[]
  /** Amounts to stake. Locked coins are staked first. */
  readonly stake: readonly Share[]
  /** AVAX received from sources other than the coins, such as imports. */
  readonly received: bigint
  /** Owners of change, and of stake from unlocked coins. */
  readonly changeOwners: Secp256k1.OutputOwners
  /** Owners of the remainder of `received` if no AVAX coin is needed. Default: `changeOwners`. */
  readonly receivedOwners?: Secp256k1.OutputOwners
  readonly meter: Meter
}

/** The selected inputs and the outputs that spending creates. */
export interface Spent {
  /** Selected coins, in the order of selection. */
  readonly inputs: readonly Coins.Chosen[]
  readonly change: readonly Piece[]
  readonly stake: readonly Piece[]
  /** Burned nAVAX: the fee, and change that is too small to pay for its own output. */
  readonly fee: bigint
}

interface State {
  readonly request: Request
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
 * Selects coins that cover the amounts and the fee, which grows with every selected coin. For each asset,
 * inputs equal outputs plus stake plus burned amounts.
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` with the amounts in `details`, see {@link
 * Shortage.errorOf}
 */
export function spend(request: Request): Spent {
  const state: State = {
    request,
    spendable: Coins.sort(Coins.signable(request.coins, request), request.order),
    inputs: [],
    change: [],
    stake: [],
    weight: request.meter.fixed,
  }
  const needs = needsOf(request).map((need) => ({
    assetID: need.assetId,
    amount: need.burn + stakeOf(state, need),
  }))
  const isAvax = Coins.isOf(request.avaxAssetId)
  for (const need of needs) if (!isAvax(need)) cover(state, need)
  const fee = coverAvax(state, needs.find(isAvax)?.amount ?? 0n)
  return { inputs: state.inputs, change: state.change, stake: state.stake, fee }
}

function needsOf({ burn, stake }: Request): Need[] {
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

/**
 * Stakes as much as possible from locked coins, and returns the remainder, which unlocked coins must cover.
 */
function stakeOf(state: State, { assetId, stake }: Need): bigint {
  const { time, changeOwners } = state.request
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
  state.weight += state.request.meter.input(coin)
}

function put(state: State, list: Piece[], piece: Piece): void {
  if (piece.amount === 0n) return
  list.push(piece)
  state.weight += state.request.meter.output(piece)
}

function unlocked({ spendable, request }: State, assetId: Uint8Array): readonly Coins.Chosen[] {
  return spendable.filter((coin) => coin.lock <= request.time && Bytes.equals(coin.assetID, assetId))
}

function cover(state: State, { assetID: assetId, amount }: Share): void {
  let balance = -amount
  for (const coin of unlocked(state, assetId)) {
    if (balance >= 0n) break
    take(state, coin)
    balance += coin.amount
  }
  if (balance < 0n) throw shortage(state, { assetId, needed: amount, available: amount + balance, fee: 0n })
  put(state, state.change, {
    assetID: assetId,
    amount: balance,
    owners: state.request.changeOwners,
    lock: 0n,
  })
}

/**
 * Covers the needed AVAX and the fee, which grows with each coin and with the change. Returns the burned
 * amount.
 */
function coverAvax(state: State, needed: bigint): bigint {
  const { avaxAssetId: assetId, meter, received, changeOwners, receivedOwners = changeOwners } = state.request
  let balance = received - needed
  let owners = receivedOwners
  for (const coin of unlocked(state, assetId)) {
    if (balance >= meter.fee(state.weight)) break
    // A coin that raises the fee by more than its amount would only increase the shortage.
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
  // A remainder that cannot pay for its own output is burned.
  if (change <= 0n) return balance
  put(state, state.change, { ...piece, amount: change })
  return balance - change
}

function shortage(
  { request, inputs, spendable }: State,
  numbers: Pick<Shortage.Shortage, 'assetId' | 'needed' | 'available' | 'fee'>,
): Error {
  const usable = spendable.filter(({ lock }) => lock <= request.time)
  const counted = new Set([...usable, ...inputs].map(UtxoId.format))
  const coins = request.coins.filter((coin) => !counted.has(UtxoId.format(coin)))
  return Shortage.errorOf({ ...request, coins, ...numbers })
}
