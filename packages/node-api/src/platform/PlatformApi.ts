import type { PlatformMethods } from '@firn/rpc'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import type { Handlers } from '../Service.ts'
import * as Utxos from '../utxos/platformUtxos.ts'
import * as Blocks from './BlockMethods.ts'
import * as Fees from './FeeMethods.ts'
import * as Stakes from './StakeMethods.ts'
import * as Subnets from './SubnetMethods.ts'
import * as Transactions from './TransactionMethods.ts'
import * as Validators from './ValidatorMethods.ts'

/** How long results may be cached. */
export const FRESHNESS: FreshnessTable<typeof PlatformMethods> = {
  ...Blocks.FRESHNESS,
  ...Transactions.FRESHNESS,
  ...Subnets.FRESHNESS,
  ...Validators.FRESHNESS,
  ...Stakes.FRESHNESS,
  ...Fees.FRESHNESS,
  ...Utxos.FRESHNESS,
}

/** Returns the handlers of the P-chain's API. */
export function handlers(context: NodeContext): Handlers<typeof PlatformMethods> {
  return {
    ...Blocks.handlers(context),
    ...Transactions.handlers(context),
    ...Subnets.handlers(context),
    ...Validators.handlers(context),
    ...Stakes.handlers(context),
    ...Fees.handlers(context),
    ...Utxos.handlers(context),
  }
}
