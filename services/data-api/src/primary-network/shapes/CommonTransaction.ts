import type { Transactions } from '@firn/store'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { AssetAmount, negative, type Share } from './AssetAmount.ts'
import { amountsOf, type Surroundings } from './PlatformUtxo.ts'

const amounts = Type.Array(AssetAmount)

/**
 * Members with the names of P-chain transactions, which X- and C-chain transactions contain in addition to
 * their own.
 */
export const common = {
  blockTimestamp: Type.Number(),
  blockNumber: Type.String(),
  value: amounts,
  amountBurned: amounts,
  amountStaked: amounts,
  amountL1ValidatorBalanceBurned: amounts,
}

/**
 * Returns those members of a transaction of the X- or C-chain, which has no stake: times in Unix seconds,
 * amounts by asset.
 */
export function commonMembers(
  { listed, spent, made }: Moved,
  around: Surroundings,
): { readonly [Name in keyof typeof common]: Body } {
  // A minting transaction creates more than it consumes, so it burns nothing of that asset.
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

/**
 * The consumed and created amounts of a transaction: outputs, and on the C-chain debits and credits of
 * accounts.
 */
interface Moved {
  readonly listed: Pick<Transactions.Details, 'time' | 'height'>
  readonly spent: readonly Share[]
  readonly made: readonly Share[]
}
