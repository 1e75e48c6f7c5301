import { Id } from '@firn/codec'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { TxsError } from '../TxsError.ts'
import * as Coins from './Coins.ts'

/** An amount of an asset that the wallet could not cover. */
export interface Shortage extends Coins.Holder {
  readonly assetId: Uint8Array
  /** Amount that the transaction needs, including the fee. */
  readonly needed: bigint
  /** Amount available to the wallet now. */
  readonly available: bigint
  /** Part of `needed` that is the fee. */
  readonly fee: bigint
  /** Coins of the wallet that do not count towards `available`. */
  readonly coins: readonly Coins.Coin[]
}

/**
 * Returns the error that explains why an amount cannot be covered: `TXS_LOCKED` with `unlockTime` if waiting is
 * enough, `TXS_SIGNERS` if more signers, in addition to waiting, are enough, otherwise `TXS_FUNDS`. `details` has
 * `assetId`, `needed`, `available`, `missing`, `fee`, `locked` (amount of the coins that are only locked) and
 * `unsigned` (amount of the coins with too few signers).
 */
export function errorOf(shortage: Shortage): TxsError {
  const { needed, available, fee, time } = shortage
  const choose = Coins.chooser(shortage)
  const rest = shortage.coins.filter(Coins.isOf(shortage.assetId))
  const isSigned = (coin: Coins.Coin) => choose(coin.owners, Coins.unlockTime(coin)) !== undefined
  const timed = rest.filter((coin) => Coins.unlockTime(coin) > time && isSigned(coin))
  const unsigned = total(rest.filter((coin) => !isSigned(coin)))
  const [assetId, missing, locked] = [Id.format(shortage.assetId), needed - available, total(timed)]
  const details = { assetId, needed, available, missing, fee, locked, unsigned }
  const sentence = `the transaction needs ${needed} of asset ${assetId}, including the fee of ${fee}, but only ${available} is available`
  if (locked >= missing) {
    const unlockTime = timeOf(timed, missing)
    return new TxsError('TXS_LOCKED', `${sentence}; enough will be unlocked at ${unlockTime}`, {
      details: { ...details, unlockTime, time },
    })
  }
  if (unsigned + locked >= missing) {
    return new TxsError('TXS_SIGNERS', `${sentence}; other signers could spend ${unsigned} more`, { details })
  }
  return new TxsError('TXS_FUNDS', `${sentence}; ${missing} is missing`, { details })
}

/**
 * Returns the indices of the owners that sign an authorization.
 * @throws TxsError `TXS_LOCKED` with `locktime` and `time`; `TXS_SIGNERS` with `threshold`, `held`, `missing`
 */
export function authorize(owners: Secp256k1.OutputOwners, holder: Coins.Holder): number[] {
  const choose = Coins.chooser(holder)
  const found = choose(owners)
  if (found !== undefined) return found
  const { locktime, threshold, addresses } = owners
  if (locktime > holder.time) {
    throw new TxsError(
      'TXS_LOCKED',
      `the owners cannot sign before ${locktime}; the current time is ${holder.time}`,
      {
        details: { locktime, time: holder.time },
      },
    )
  }
  const held = addresses.filter((address) => choose({ locktime, threshold: 1, addresses: [address] })).length
  const details = { threshold, held, missing: threshold - held, addresses }
  throw new TxsError('TXS_SIGNERS', `expected ${threshold} signers among the owners, got ${held}`, {
    details,
  })
}

function total(coins: readonly Coins.Coin[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Returns the earliest time at which enough of the coins to cover `amount` are unlocked. */
function timeOf(coins: readonly Coins.Coin[], amount: bigint): bigint {
  const times = coins.map(Coins.unlockTime).sort((a, b) => (a < b ? -1 : 1))
  const enough = (time: bigint) => total(coins.filter((coin) => Coins.unlockTime(coin) <= time)) >= amount
  return times.find(enough) ?? 0n
}
