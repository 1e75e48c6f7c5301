import { Id } from '@firn/codec'
import * as UtxoId from '../../avax/UtxoId.ts'
import * as Coins from '../Coins.ts'
import * as Limits from '../Limits.ts'
import * as Shortage from '../Shortage.ts'
import type { State } from './covering.ts'

/** Returns the error that says what is missing, and why coins of the wallet do not count. */
export function shortage(
  { request, inputs }: State,
  numbers: Pick<Shortage.Shortage, 'assetId' | 'needed' | 'available' | 'fee'>,
): Error {
  // Locked coins that are staked count.
  const staked = new Set(inputs.map(UtxoId.key))
  const coins = request.coins.filter((coin) => !staked.has(UtxoId.key(coin)))
  return Shortage.errorOf({ ...request, coins, ...numbers })
}

/** Returns the error that says how many of the selected coins fit into one transaction. */
export function tooMany({ inputs, request: { meter, avaxAssetId }, cost }: State): Error {
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
