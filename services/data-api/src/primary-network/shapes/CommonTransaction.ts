import type { TransactionPages } from '@firn/store'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { AssetAmount, negative, type Share } from './AssetAmount.ts'
import { amountsOf, type Surroundings } from './PlatformUtxo.ts'

const amounts = Type.Array(AssetAmount)

/** Members by the names that P-chain transactions have, which X- and C-chain transactions give beside their own. */
export const common = {
  blockTimestamp: Type.Number(),
  blockNumber: Type.String(),
  value: amounts,
  amountBurned: amounts,
  amountStaked: amounts,
  amountL1ValidatorBalanceBurned: amounts,
}

/** Returns those members of a transaction of the X- or C-chain, which stakes nothing: times in Unix seconds, amounts by asset. */
export function commonMembers(
  { listed, spent, made }: Moved,
  around: Surroundings,
): { readonly [Name in keyof typeof common]: Body } {
  // What a transaction mints it makes more of than it takes, and so it burns none of that.
  const burned = amountsOf([...spent, ...negative(made)], around, (amount) => amount > 0n)
  return {
    blockTimestamp: listed.time,
    blockNumber: String(listed.height),
    value: amountsOf(made, around),
    amountBurned: burned,
    amountStaked: [],
    amountL1ValidatorBalanceBurned: [],
  }
}

/** What a transaction took and made: outputs, and on the C-chain what left and entered accounts. */
interface Moved {
  readonly listed: Pick<TransactionPages.Listed, 'time' | 'height'>
  readonly spent: readonly Share[]
  readonly made: readonly Share[]
}
