import { Bytes, Hex, Id } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import type { Share } from '../avax/Flow.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Coins from './Coins.ts'
import * as Limits from './Limits.ts'
import { type Payer, type Payment, payment } from './payment.ts'
import * as Shortage from './Shortage.ts'

/** An output that spending creates: change, or stake. */
export interface Piece {
  readonly assetID: Uint8Array
  readonly amount: bigint
  readonly owners: Secp256k1.OutputOwners
  /** Unix time in seconds until which the output can only be staked; 0 without a lock. */
  readonly lock: bigint
}

/** Determines how the gas, the bytes and the fee grow with the transaction, and the most that nodes accept. */
export interface Meter {
  /** Cost of everything that is known before coins are selected. */
  readonly fixed: Limits.Cost
  readonly input: (coin: Coins.Chosen) => Limits.Cost
  readonly output: (piece: Piece) => Limits.Cost
  /** Returns the fee for an amount of gas, in nAVAX. */
  readonly fee: (gas: bigint) => bigint
  readonly limit: Limits.Cost
}

/** The coins of a wallet, and how they are selected. */
interface Source extends Coins.Holder {
  /** Id of the asset in which fees are paid. */
  readonly avaxAssetId: Uint8Array
  readonly meter: Meter
}

/** The amounts to cover, and the coins to cover them with. */
export interface Request extends Source {
  readonly coins: readonly Coins.Coin[]
  readonly order: Coins.Order
  /** Amounts that are burned or sent to outputs fixed before coin selection. Excludes the fee. */
  readonly burn: readonly Share[]
  /** Amounts to stake. Locked coins are staked first, those that unlock last before the others. */
  readonly stake: readonly Share[]
  /** Coins that are spent in any case. */
  readonly required?: readonly Coins.Chosen[]
  /** AVAX received from sources other than the coins, such as imports. */
  readonly received: bigint
  /** Owners of change, and of stake from unlocked coins. */
  readonly changeOwners: Secp256k1.OutputOwners
  /** Owners of what remains of an asset whose `required` coins and `received` amount suffice. Default: `changeOwners`. */
  readonly receivedOwners?: Secp256k1.OutputOwners
}

/** Why a coin was left: what would have to change before it is spent. */
export type Reason = 'asset' | 'signers' | 'locked' | 'dust' | 'limit' | 'funds'

/**
 * Coins that a transaction left, and why: `asset` the transaction does not take their asset; `signers` too few of their
 * owners sign; `locked` they are locked; `dust` they are worth less than the fee for spending them; `funds` the wallet has
 * too little AVAX for that fee; `limit` they did not fit, so another transaction can take them.
 */
export interface Left {
  readonly reason: Reason
  readonly coins: readonly Coins.Coin[]
}

/** The coins that a transaction takes because of their number, and those that it leaves. */
export interface Gathered {
  readonly chosen: readonly Coins.Chosen[]
  readonly left: readonly Left[]
}

/** Coins of which a transaction takes as many as are worth it and fit. */
export interface GatherRequest extends Source {
  /** An import takes the most valuable coins first, a consolidation the least valuable ones that pay the fee. */
  readonly purpose: 'import' | 'consolidate'
  readonly coins: readonly Coins.Coin[]
  /** Returns whether coins of an asset are taken. */
  readonly isIncluded: (coin: Coins.Coin) => boolean
  /** Owners of the outputs, one for each asset. */
  readonly to: Secp256k1.OutputOwners
  /** Coins that pay the fee if the gathered AVAX does not suffice. */
  readonly own?: readonly Coins.Coin[]
  /** Order in which `own` coins pay. Default: `largest-first`. */
  readonly order?: Coins.Order
  /** Owners of the change of `own` coins. Default: `to`. */
  readonly changeOwners?: Secp256k1.OutputOwners
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
  readonly taken: Set<string>
  readonly inputs: Coins.Chosen[]
  readonly change: Piece[]
  readonly stake: Piece[]
  cost: Limits.Cost
}

interface Need {
  readonly assetId: Uint8Array
  readonly burn: bigint
  readonly stake: bigint
}

/**
 * Returns the nAVAX that spending a coin of AVAX adds: its amount minus the fee for its input.
 * @example
 * ```ts
 * import { type Coins, Selection } from '@firn/txs'
 *
 * declare const coin: Coins.Chosen
 * declare const meter: Selection.Meter
 * const isDust = Selection.worth(coin, meter) <= 0n
 * ```
 */
export function worth(coin: Coins.Chosen, meter: Meter): bigint {
  return coin.amount - (meter.fee(meter.input(coin).gas) - meter.fee(0n))
}

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
    amount: need.burn + stakeOf(state, need),
  }))
  const isAvax = Coins.isOf(request.avaxAssetId)
  for (const need of needs) if (!isAvax(need)) coverAsset(state, need)
  const fee = coverAvax(state, needs.find(isAvax)?.amount ?? 0n)
  if (!Limits.isWithin(state.cost, request.meter.limit)) throw tooMany(state)
  return { inputs: state.inputs, change: state.change, stake: state.stake, fee }
}

/** Sorts coins by what they are worth after their own fee; with the order `given`, keeps their order. */
function byWorth(
  coins: readonly Coins.Chosen[],
  { order, meter, avaxAssetId }: Pick<Request, 'order' | 'meter' | 'avaxAssetId'>,
): Coins.Chosen[] {
  if (order === 'given') return [...coins]
  return sortBy(coins, (coin) => (Bytes.equals(coin.assetID, avaxAssetId) ? worth(coin, meter) : coin.amount))
}

/** Sorts coins by a value, the largest first, and equal ones by id. */
function sortBy(coins: readonly Coins.Chosen[], value: (coin: Coins.Chosen) => bigint): Coins.Chosen[] {
  return coins
    .map((coin) => ({ coin, by: value(coin) }))
    .sort((a, b) => Amount.compare(b.by, a.by) || UtxoId.compare(a.coin, b.coin))
    .map(({ coin }) => coin)
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

/**
 * Stakes as much as possible from the locked coins that are worth their fee, and returns the remainder, which unlocked
 * coins must cover. Stops at the limit if they can.
 */
function stakeOf(state: State, need: Need): bigint {
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
  if (!Bytes.equals(assetId, avaxAssetId)) return { cost, missing: { needed: stake, available: 0n } }
  const avax = received + requiredAmount(state, assetId) - burn - stake
  return payment({ meter, avaxAssetId, to: owners }, payers, { cost, avax })
}

function take(state: State, coin: Coins.Chosen): void {
  state.inputs.push(coin)
  state.taken.add(UtxoId.key(coin))
  state.cost = Limits.add(state.cost, state.request.meter.input(coin))
}

function put(state: State, list: Piece[], piece: Piece): void {
  if (piece.amount === 0n) return
  list.push(piece)
  state.cost = Limits.add(state.cost, state.request.meter.output(piece))
}

/** Returns the coins of an asset that can be spent and are not taken yet. */
function unlocked({ spendable, request, taken }: State, assetId: Uint8Array): readonly Coins.Chosen[] {
  return spendable.filter(
    (coin) =>
      coin.lock <= request.time && Bytes.equals(coin.assetID, assetId) && !taken.has(UtxoId.key(coin)),
  )
}

function requiredAmount({ request }: State, assetId: Uint8Array): bigint {
  return Coins.total((request.required ?? []).filter(Coins.isOf(assetId)))
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
  const change = balance - meter.fee(ofChange.gas)
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
  const counted = new Set([...usable, ...inputs].map(UtxoId.key))
  const coins = request.coins.filter((coin) => !counted.has(UtxoId.key(coin)))
  return Shortage.errorOf({ ...request, coins, ...numbers })
}

/** Returns the error that says how many of the selected coins fit into one transaction. */
function tooMany({ inputs, request: { meter, avaxAssetId }, cost }: State): Error {
  let sum = meter.fixed
  const over = inputs.findIndex((coin) => {
    sum = Limits.add(sum, meter.input(coin))
    return !Limits.isWithin(sum, meter.limit)
  })
  // All inputs fit, but not together with the outputs that they create.
  const last = over < 0 ? inputs.length - 1 : over
  const fit = inputs.slice(0, Math.max(last, 0))
  const assetId = inputs[last]?.assetID ?? avaxAssetId
  const gas = fit.reduce((all, coin) => all + meter.input(coin).gas, meter.fixed.gas)
  return Shortage.tooMany({
    cost,
    limit: meter.limit,
    inputs: inputs.length,
    fit: fit.length,
    assetId: Id.format(assetId),
    worth: Coins.total(fit.filter(Coins.isOf(assetId))),
    fee: meter.fee(gas),
  })
}

/**
 * Returns the coins that an import or a consolidation takes, with AVAX first: all that are worth more than the fee for
 * spending them, as far as they fit into one transaction. Call it again with the coins that are left.
 * @example
 * ```ts
 * import { Selection } from '@firn/txs'
 *
 * declare const request: Selection.GatherRequest
 * const { chosen, left } = Selection.gather(request)
 * const waiting = left.find(({ reason }) => reason === 'limit')?.coins ?? []
 * ```
 * @throws TxsError `TXS_EMPTY` if there are no coins, `TXS_LOCKED`, `TXS_SIGNERS` if none can be spent, `TXS_DUST` if they
 * are worth less than the fee, `TXS_FUNDS` if the wallet cannot pay the fee for other assets, `TXS_LIMIT` if not even one
 * fits
 */
export function gather(request: GatherRequest): Gathered {
  const { meter, avaxAssetId, purpose } = request
  const isAvax = Coins.isOf(avaxAssetId)
  const { usable, left } = sift(request)
  const ranked = [
    ...sortBy(usable.filter(isAvax), (coin) => worth(coin, meter)),
    ...sortBy(
      usable.filter((coin) => !isAvax(coin)),
      ({ amount }) => amount,
    ),
  ]
  const isWorthIt = ({ chosen, fee }: Packed) =>
    chosen.length >= LEAST[purpose] && (chosen.some((coin) => !isAvax(coin)) || Coins.total(chosen) > fee)
  let packed = pack(request, purpose === 'consolidate' ? ranked.toReversed() : ranked)
  // The least valuable coins may not pay the fee, although others do.
  if (purpose === 'consolidate' && !isWorthIt(packed)) packed = pack(request, ranked)
  const { chosen, refused, unpaid, fee } = packed
  for (const [reason, coin] of refused) leave(left, reason, coin)
  if (!isWorthIt(packed)) throw unpaid ?? Shortage.nothing({ ...request, left, chosen, fee })
  return { chosen, left: [...left].map(([reason, coins]) => ({ reason, coins })) }
}

interface Packed {
  readonly chosen: readonly Coins.Chosen[]
  readonly refused: readonly (readonly [Reason, Coins.Coin])[]
  /** Why the first coin that was refused because of its fee cannot be paid for. */
  readonly unpaid: Error | undefined
  /** Fee for spending the chosen coins. */
  readonly fee: bigint
}

/** Takes coins in their order, as long as they fit together with the own coins that pay the fee for other assets. */
function pack(request: GatherRequest, ranked: readonly Coins.Chosen[]): Packed {
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

/** Least number of coins that a transaction takes. */
const LEAST = { import: 1, consolidate: 2 } as const

type Leaving = Map<Reason, Coins.Coin[]>

function leave(left: Leaving, reason: Reason, coin: Coins.Coin): void {
  const coins = left.get(reason)
  if (coins === undefined) left.set(reason, [coin])
  else coins.push(coin)
}

/** Separates the coins that are worth spending now from the others. */
function sift(request: GatherRequest): { readonly usable: Coins.Chosen[]; readonly left: Leaving } {
  const { coins, avaxAssetId, meter, time, isIncluded } = request
  const choose = Coins.chooser(request)
  const usable: Coins.Chosen[] = []
  const left: Leaving = new Map()
  for (const coin of Coins.unique(coins)) {
    const signatureIndices = choose(coin.owners, Coins.unlockTime(coin))
    if (!isIncluded(coin)) leave(left, 'asset', coin)
    else if (signatureIndices === undefined) leave(left, 'signers', coin)
    else if (Coins.unlockTime(coin) > time) leave(left, 'locked', coin)
    else {
      const chosen = { ...coin, signatureIndices }
      const isDust = Bytes.equals(coin.assetID, avaxAssetId) && worth(chosen, meter) <= 0n
      if (isDust) leave(left, 'dust', coin)
      else usable.push(chosen)
    }
  }
  return { usable, left }
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

function asPayers(coins: readonly Coins.Chosen[], { meter }: Source): Payer[] {
  return coins
    .filter((coin) => worth(coin, meter) > 0n)
    .map((coin) => ({ amount: coin.amount, cost: meter.input(coin) }))
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
