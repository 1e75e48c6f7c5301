import type { Transactions } from '@firn/store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { AssetAmount, negative, type Share } from './AssetAmount.ts'
import { amountsOf, type Surroundings } from './PlatformUtxo.ts'

/** Members that X- and C-chain transactions have in common with P-chain transactions. */
export const common = {
  blockTimestamp: Field.seconds('Time of the block that contains the transaction'),
  blockNumber: Field.height('Number of the block that contains the transaction'),
  value: Schema.list(AssetAmount, 'Amounts of the outputs that the transaction created, one for each asset'),
  amountBurned: Schema.list(AssetAmount, 'Amounts that the transaction burned as fees, one for each asset'),
  amountStaked: Schema.list(AssetAmount, 'Amounts that the transaction staked, one for each asset'),
  amountL1ValidatorBalanceBurned: Schema.list(
    AssetAmount,
    'Amounts that the transaction paid to balances of L1 validators',
  ),
}

/**
 * Returns the members that an X- or C-chain transaction has in common with P-chain transactions. Such a
 * transaction has no staked amounts. Times are Unix seconds.
 */
export function commonMembers(
  { listed, spent, made }: Moved,
  around: Surroundings,
): { readonly [Name in keyof typeof common]: Body } {
  // A minting transaction creates more of an asset than it consumes, so it burns none of this asset.
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
 * Amounts that a transaction consumed and created, in outputs and, on the C-chain, also in accounts.
 */
interface Moved {
  readonly listed: Pick<Transactions.Details, 'time' | 'height'>
  readonly spent: readonly Share[]
  readonly made: readonly Share[]
}
