import { Id } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'
import * as Coins from './Coins.ts'
import * as Limits from './Limits.ts'

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
  const unsigned = Coins.total(rest.filter((coin) => !isSigned(coin)))
  const [assetId, missing, locked] = [Id.format(shortage.assetId), needed - available, Coins.total(timed)]
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

/** Coins of which none are worth spending now. */
export interface Nothing extends Coins.Holder {
  readonly purpose: 'import' | 'consolidate'
  /** Coins that were left, by reason. */
  readonly left: ReadonlyMap<string, readonly Coins.Coin[]>
  /** Coins that could be spent, but together do not exceed the fee, or are too few. */
  readonly chosen: readonly Coins.Coin[]
  /** Fee for spending the chosen coins. */
  readonly fee: bigint
}

/**
 * Returns the error that says why there is nothing to import or to consolidate: `TXS_LOCKED`, `TXS_LIMIT`, `TXS_SIGNERS`,
 * `TXS_DUST`, otherwise `TXS_EMPTY`. `details` has `count` and `amount` of the coins that are meant.
 */
export function nothing({ purpose, left, chosen, fee, time }: Nothing): TxsError {
  const of = (reason: string) => left.get(reason) ?? []
  const error = (code: TxsErrorCode, coins: readonly Coins.Coin[], why: string, more: object = {}) =>
    new TxsError(code, `nothing to ${purpose}: ${why}`, {
      details: { count: coins.length, amount: Coins.total(coins), ...more },
    })
  const isMerged = purpose === 'consolidate' && chosen.length === 1
  const dustOf = (coins: readonly Coins.Coin[]) => {
    const why = `${coins.length} UTXOs hold ${Coins.total(coins)} nAVAX, which is less than the fee for spending them`
    return error('TXS_DUST', coins, why, { fee })
  }
  if (of('locked').length > 0) {
    const [unlockTime] = of('locked').map(Coins.unlockTime).sort(Amount.compare)
    const why = `${of('locked').length} UTXOs are locked, the first of them until ${unlockTime}`
    return error('TXS_LOCKED', of('locked'), why, { unlockTime, time })
  }
  if (chosen.length > 0 && !isMerged) return dustOf([...chosen, ...of('dust')])
  if (of('limit').length > 0)
    return error('TXS_LIMIT', of('limit'), 'not even one UTXO fits into a transaction')
  if (of('receiver').length > 0) {
    const why = `${of('receiver').length} UTXOs have several owners; pass the owners who receive them as \`to\``
    return error('TXS_EMPTY', of('receiver'), why)
  }
  if (of('signers').length > 0)
    return error('TXS_SIGNERS', of('signers'), `${of('signers').length} UTXOs need other signers`)
  if (of('dust').length > 0) return dustOf(of('dust'))
  if (isMerged) return error('TXS_EMPTY', chosen, 'the wallet has only one UTXO that it can spend now')
  if (of('asset').length > 0) return error('TXS_EMPTY', of('asset'), 'there are only UTXOs of other assets')
  const why =
    purpose === 'import'
      ? "the other chain holds no UTXOs that were exported to the wallet's addresses"
      : 'the wallet has no UTXOs'
  return error('TXS_EMPTY', [], why)
}

/** Returns the error for a transaction whose inputs do not fit, with the number of those that do. */
export function tooMany(about: {
  readonly cost: Limits.Cost
  readonly limit: Limits.Cost
  /** Number of inputs that the transaction needs. */
  readonly inputs: number
  /** Number of inputs that fit. */
  readonly fit: number
  /** Asset of the inputs that do not fit, in cb58. */
  readonly assetId: string
  /** Amount of the asset in the inputs that fit, including the fee if it is AVAX. */
  readonly worth: bigint
  /** nAVAX that spending them costs. */
  readonly fee: bigint
}): TxsError {
  const { cost, limit, inputs, fit, assetId, worth, fee } = about
  const message =
    fit === 0
      ? `${Limits.excess(cost, limit)}; make it smaller`
      : `${Limits.excess(cost, limit)}: it spends ${inputs} UTXOs, of which ${fit} fit, with ${worth} of asset ${assetId} before the fee of ${fee} nAVAX; pay less at once, or consolidate the UTXOs first`
  return new TxsError('TXS_LIMIT', message, { details: { ...about } })
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

/** Returns the earliest time at which enough of the coins to cover `amount` are unlocked. */
function timeOf(coins: readonly Coins.Coin[], amount: bigint): bigint {
  const times = coins.map(Coins.unlockTime).sort(Amount.compare)
  const enough = (time: bigint) =>
    Coins.total(coins.filter((coin) => Coins.unlockTime(coin) <= time)) >= amount
  return times.find(enough) ?? 0n
}
