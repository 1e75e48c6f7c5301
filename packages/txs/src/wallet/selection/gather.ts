import type * as Secp256k1 from '../../fx/Secp256k1.ts'
import * as Coins from '../Coins.ts'
import * as Shortage from '../Shortage.ts'
import { type Source, worth } from './meter.ts'
import { type Packed, pack } from './pack.ts'
import { sortBy } from './ranking.ts'
import { leave, sift } from './sift.ts'

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

/** Least number of coins that a transaction takes. */
const LEAST = { import: 1, consolidate: 2 } as const
