import type { NodeBlock } from './evmMethods.ts'

/** A node's faults; none if empty. For tests only. */
export interface EvmFaults {
  /** Fault applied to whole requests. */
  mode?: 'errors' | 'limited' | 'badGateway' | 'hang' | 'cut' | 'garbage' | 'refuseAll'
  /** Fraction of requests to which `mode` applies, from 0 to 1; by default all. */
  rate?: number
  /** The `retry-after` value for `limited`. */
  retryAfterSeconds?: number
  /** How many blocks it lags. */
  lag?: number
  /** Every other request is answered this many blocks behind. */
  flip?: number
  /** Blocks with transactions have no receipts. */
  emptyReceipts?: boolean
  /** Receipts are taken, by height, from these blocks of another branch. */
  receiptsOf?: readonly NodeBlock[]
  /** Every other lookup by height returns one of these blocks of another branch. */
  otherBranch?: readonly NodeBlock[]
  /** Blocks below this height have no state, so neither traces nor calls work. */
  prunedBelow?: number
  /** Batches with more calls are refused. */
  maxBatch?: number
  /** Larger answers are refused, in bytes. */
  maxBytes?: number
  /** Every answer of a batch and every new head is sent twice. */
  duplicated?: boolean
  chainId?: bigint
  /** Calls cannot name their block by hash. */
  noCallsByHash?: boolean
  /** Block hashes that are no longer known. */
  vanished?: ReadonlySet<string>
  /** Methods that are missing. */
  without?: readonly string[]
  /** Methods refused with HTTP status 403. */
  forbidden?: readonly string[]
  /** Delay of each answer in milliseconds. */
  slowMs?: number
}
