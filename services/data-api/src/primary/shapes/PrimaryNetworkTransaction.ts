import * as Schema from '../../http/endpoint/Schema.ts'
import { AtomicTransaction } from './AtomicTransaction.ts'
import { AvmTransaction } from './AvmTransaction.ts'
import { PlatformTransaction } from './PlatformTransaction.ts'

/** A transaction of the P-, X- or C-chain. */
export const PrimaryNetworkTransaction = Schema.union(
  'PrimaryNetworkTransaction',
  'A transaction of the P- or X-chain, or an atomic transaction of the C-chain',
  [PlatformTransaction, AvmTransaction, AtomicTransaction],
)
