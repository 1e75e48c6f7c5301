import { Bytes } from '@firn/codec'
import type { Share } from '../../avax/Flow.ts'
import * as UtxoId from '../../avax/UtxoId.ts'
import type * as Secp256k1 from '../../fx/Secp256k1.ts'
import * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import type { Piece, Source } from './meter.ts'

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

/** The selected inputs and the outputs that spending creates. */
export interface Spent {
  /** Selected coins, in the order of selection. */
  readonly inputs: readonly Coins.Chosen[]
  readonly change: readonly Piece[]
  readonly stake: readonly Piece[]
  /** Burned nAVAX: the fee, and change that is too small to pay for its own output. */
  readonly fee: bigint
}

/** What is selected so far, and what it costs. */
export interface State {
  readonly request: Request
  readonly spendable: readonly Coins.Chosen[]
  readonly taken: Set<string>
  readonly inputs: Coins.Chosen[]
  readonly change: Piece[]
  readonly stake: Piece[]
  cost: Limits.Cost
}

/** The amounts of an asset that the coins must cover. */
export interface Need {
  readonly assetId: Uint8Array
  readonly burn: bigint
  readonly stake: bigint
}

export function take(state: State, coin: Coins.Chosen): void {
  state.inputs.push(coin)
  state.taken.add(UtxoId.key(coin))
  state.cost = Limits.add(state.cost, state.request.meter.input(coin))
}

export function put(state: State, list: Piece[], piece: Piece): void {
  if (piece.amount === 0n) return
  list.push(piece)
  state.cost = Limits.add(state.cost, state.request.meter.output(piece))
}

/** Returns the coins of an asset that can be spent and are not taken yet. */
export function unlocked({ spendable, request, taken }: State, assetId: Uint8Array): readonly Coins.Chosen[] {
  return spendable.filter(
    (coin) =>
      coin.lock <= request.time && Bytes.equals(coin.assetID, assetId) && !taken.has(UtxoId.key(coin)),
  )
}

export function requiredAmount({ request }: State, assetId: Uint8Array): bigint {
  return Coins.total((request.required ?? []).filter(Coins.isOf(assetId)))
}
