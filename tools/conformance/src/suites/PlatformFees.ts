import { Id } from '@firn/codec'
import { Complexity, Gas, PlatformTx, ValidatorFee } from '@firn/txs'
import * as Case from '../Case.ts'
import type { Check } from '../Suite.ts'

/** Returns 64-bit number fields by name. */
function bigints<const N extends string>(it: Case.Case, ...names: readonly N[]): Record<N, bigint> {
  return Object.fromEntries(names.map((name) => [name, Case.bigint(it, name)])) as Record<N, bigint>
}

function dimensions(it: Case.Case, field: string): Gas.Dimensions {
  const record = Case.record(it, field)
  const value = bigints(record, 'bandwidth', 'dbRead', 'dbWrite', 'compute')
  Case.close(record)
  return value
}

function checkFees(it: Case.Case, tx: PlatformTx.PlatformTx['unsignedTx']): void {
  const weights = dimensions(it, 'weights')
  Case.equals(it, 'gas', Gas.of(Complexity.of(tx), weights))
  Case.equals(it, 'gas2', Gas.of(Complexity.of(tx), dimensions(it, 'weights2')))
  for (const fee of Case.records(it, 'fees')) {
    const found = Case.verdict(fee, () => Complexity.fee(tx, weights, Case.bigint(fee, 'price')))
    if (found !== undefined) Case.equals(fee, 'fee', found.value)
    Case.ignore(fee, 'error')
    Case.close(fee)
  }
}

/** Checks of `fees.json` on the P-chain's fees, by kind of case. */
export const platformFees: Readonly<Record<string, Check>> = {
  txFee(it) {
    const bytes = Case.bytes(it, 'bytes')
    const { unsignedTx } = PlatformTx.decode(bytes)
    Case.equals(it, 'id', Id.format(PlatformTx.id(bytes)))
    Case.equals(it, 'txType', unsignedTx.type)
    const complexity = Case.attempt(() => Complexity.of(unsignedTx))
    const expected = Case.given(it, 'complexity') as Readonly<Record<string, unknown>>
    Case.same('complexity', expected['error'] === undefined ? expected : undefined, complexity?.value)
    if (complexity !== undefined) checkFees(it, unsignedTx)
    return undefined
  },
  gasPrice(it) {
    Case.equals(it, 'price', Gas.price(bigints(it, 'minPrice', 'excess', 'excessConversionConstant')))
    return undefined
  },
  gasState(it) {
    const config = bigints(it, 'maxCapacity', 'maxPerSecond', 'targetPerSecond')
    const state = bigints(it, 'capacity', 'excess')
    Case.equals(it, 'afterTime', Gas.advanceTime(state, config, Case.bigint(it, 'seconds')))
    const consumed = Case.attempt(() => Gas.consume(state, Case.bigint(it, 'consume')))
    const expected = Case.given(it, 'afterConsume') as Readonly<Record<string, unknown>>
    Case.same('afterConsume', expected['error'] === undefined ? expected : undefined, consumed?.value)
    return undefined
  },
  validatorFee(it) {
    const record = Case.record(it, 'config')
    const config = bigints(record, 'capacity', 'target', 'minPrice', 'excessConversionConstant')
    Case.close(record)
    const state = bigints(it, 'current', 'excess')
    const { seconds, maxSeconds, funds } = bigints(it, 'seconds', 'maxSeconds', 'funds')
    Case.equals(it, 'price', ValidatorFee.price(state.excess, config))
    Case.equals(it, 'costOfSeconds', ValidatorFee.costOf(state, config, seconds))
    Case.equals(it, 'excessAfter', ValidatorFee.advanceTime(state, config.target, seconds).excess)
    Case.equals(it, 'secondsRemaining', ValidatorFee.secondsRemaining(state, config, maxSeconds, funds))
    return undefined
  },
}
