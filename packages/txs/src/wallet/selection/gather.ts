import type * as Secp256k1 from '../../fx/Secp256k1.ts'
import * as Coins from '../Coins.ts'
import * as Shortage from '../Shortage.ts'
import { type Source, worth } from './meter.ts'
import { emptyPacking, type Packing, take, takeAvax, takeFree, takePaid } from './packing.ts'
import { payersOf } from './payers.ts'
import { sortBy } from './ranking.ts'
import { leave, sift } from './sift.ts'

/** Why a coin was left: what would have to change before it is spent. */
export type Reason = 'asset' | 'signers' | 'locked' | 'dust' | 'limit' | 'funds' | 'receiver'

/**
 * Coins that a transaction left, and why: `asset` the transaction does not take their asset, or an import of AVAX would
 * pay a fee for it; `signers` too few of their owners sign; `locked` they are locked; `dust` they are worth less than the fee
 * for spending them; `funds` the wallet has too little AVAX for that fee; `receiver` they have several owners, and nobody
 * said who receives them; `limit` they did not fit, so another transaction can take them.
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
  /**
   * An import takes the most valuable coins first: AVAX, and other assets as long as they do not raise the fee. If the AVAX
   * does not exceed the fee, it takes other assets first, for which `own` coins pay. A consolidation takes the least valuable
   * coins of an asset that pay the fee.
   */
  readonly purpose: 'import' | 'consolidate'
  readonly coins: readonly Coins.Coin[]
  /** Returns whether coins of an asset are taken. */
  readonly isIncluded: (coin: Coins.Coin) => boolean
  /** Owners of the outputs, one for each asset. */
  readonly to: Secp256k1.OutputOwners
  /** Whether the caller named the owners of the outputs. If not, coins with several owners are left. Default: true. */
  readonly isReceiverNamed?: boolean
  /** Coins that pay the fee if the gathered AVAX does not suffice. */
  readonly own?: readonly Coins.Coin[]
  /** Order in which `own` coins pay. Default: `largest-first`. */
  readonly order?: Coins.Order
  /** Owners of the change of `own` coins. Default: `to`. */
  readonly changeOwners?: Secp256k1.OutputOwners
}

/**
 * Returns the coins that an import or a consolidation takes: those that are worth more than the fee for spending them, as
 * far as they fit into one transaction. Call it again with the coins that are left.
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
  const { meter, avaxAssetId } = request
  const isAvax = Coins.isOf(avaxAssetId)
  const { usable, left } = sift(request)
  const avax = sortBy(usable.filter(isAvax), (coin) => worth(coin, meter))
  const others = sortBy(
    usable.filter((coin) => !isAvax(coin)),
    ({ amount }) => amount,
  )
  const packing = PACKING[request.purpose](request, avax, others)
  const { chosen, refused, unpaid } = packing
  for (const [reason, coin] of refused) leave(left, reason, coin)
  if (!isWorthIt(packing)) throw unpaid ?? Shortage.nothing({ ...request, left, chosen, fee: feeOf(packing) })
  return { chosen, left: [...left].map(([reason, coins]) => ({ reason, coins })) }
}

type Pack = (
  request: GatherRequest,
  avax: readonly Coins.Chosen[],
  others: readonly Coins.Chosen[],
) => Packing

/** How coins are packed, of which the most valuable ones come first. */
const PACKING: Readonly<Record<GatherRequest['purpose'], Pack>> = {
  import(request, avax, others) {
    return isWorthIt(packAvax(request, avax))
      ? packAvax(request, avax, others)
      : packOthers(request, avax, others)
  },
  consolidate(request, avax, others) {
    const pack = others.length === 0 ? packAvax : packOthers
    const packing = pack(request, avax.toReversed(), others.toReversed())
    // The least valuable coins may not pay the fee, although others do.
    return isWorthIt(packing) ? packing : pack(request, avax, others)
  },
}

/** Least number of coins that a transaction takes. */
const LEAST = { import: 1, consolidate: 2 } as const

/** Returns whether a transaction takes enough coins, and other assets or more AVAX than the fee. */
function isWorthIt(packing: Packing): boolean {
  const { request, chosen } = packing
  const isAvax = Coins.isOf(request.avaxAssetId)
  const brings = chosen.some((coin) => !isAvax(coin)) || Coins.total(chosen) > feeOf(packing)
  return brings && chosen.length >= LEAST[request.purpose]
}

function feeOf({ request: { meter }, cost }: Packing): bigint {
  return meter.fee(cost.gas)
}

/** Takes AVAX, which pays the fee, and other assets that do not raise it. */
function packAvax(
  request: GatherRequest,
  avax: readonly Coins.Chosen[],
  others: readonly Coins.Chosen[] = [],
): Packing {
  const packing = emptyPacking(request)
  const first = countBeforeOthers(request, avax)
  takeAvax(packing, avax.slice(0, first))
  takeFree(packing, others)
  takeAvax(packing, avax.slice(first))
  return packing
}

/**
 * Returns how many coins of AVAX are taken before other assets: those that pay the fee, and those that are worth the room
 * that they use. Many small coins would leave no room for another asset where an input does not raise the fee.
 */
function countBeforeOthers({ meter }: GatherRequest, avax: readonly Coins.Chosen[]): number {
  const fee = meter.fee(meter.fixed.gas)
  let [count, sum] = [0, 0n]
  for (const coin of avax) {
    const isSmall = coin.amount * meter.limit.bytes < fee * meter.input(coin).bytes
    if (isSmall && sum > fee) break
    count++
    sum += coin.amount
  }
  return count
}

/** Takes other assets, for which the most valuable coins pay, and then AVAX. */
function packOthers(
  request: GatherRequest,
  avax: readonly Coins.Chosen[],
  others: readonly Coins.Chosen[],
): Packing {
  const packing = emptyPacking(request)
  const used = takePaid(packing, others, payersOf(request, avax))
  const paying = new Set(used.filter(({ isImported }) => isImported).map(({ coin }) => coin))
  for (const coin of paying) take(packing, coin)
  takeAvax(
    packing,
    avax.filter((coin) => !paying.has(coin)),
    payersOf(request),
  )
  return packing
}
