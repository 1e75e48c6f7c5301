import type { NodeBlock } from './evmMethods.ts'

/** Faults of a fake node. An empty object means that it works without faults. For tests only. */
export interface EvmFaults {
  /** Kind of fault that affects a whole request. */
  mode?: 'errors' | 'limited' | 'badGateway' | 'hang' | 'cut' | 'garbage' | 'refuseAll'
  /** Fraction of requests to which `mode` applies, from 0 to 1; by default 1. */
  rate?: number
  /** Value of the `retry-after` header in the mode `limited`. */
  retryAfterSeconds?: number
  /** Number of blocks by which the node lags. */
  lag?: number
  /** Number of blocks by which the node lags in every other request. */
  flip?: number
  /** Whether the node returns no receipts for blocks with transactions. */
  emptyReceipts?: boolean
  /**
   * Blocks of another branch, by height. The node returns the receipts of these blocks for its own blocks.
   */
  receiptsOf?: readonly NodeBlock[]
  /** Blocks of another branch. The node returns them for every other lookup by height. */
  otherBranch?: readonly NodeBlock[]
  /** Height below which the node has no state. Below it, neither traces nor calls work. */
  prunedBelow?: number
  /** Maximum number of blocks in the range of `eth_getLogs`; larger ranges are refused. */
  maxLogRange?: number
  /** Maximum number of calls in a batch; larger batches are refused. */
  maxBatch?: number
  /** Maximum size of a response in bytes; larger responses are refused. */
  maxBytes?: number
  /** Whether every answer of a batch and every new head is sent twice. */
  duplicated?: boolean
  chainId?: bigint
  /** Members that replace members of the newest block's header. */
  latest?: object
  /** The JSON text of the chain id that the node reports. */
  chainIdText?: string
  /** Whether calls that identify their block by hash are refused. */
  noCallsByHash?: boolean
  /** Hashes of blocks that the node no longer has. */
  vanished?: ReadonlySet<string>
  /** Methods that the node does not support. */
  without?: readonly string[]
  /** Methods that the node refuses with HTTP status 403. */
  forbidden?: readonly string[]
  /** Blocks whose traces take some milliseconds. The node goes on when a request was given up. */
  slowTraces?: { readonly heights: readonly number[]; readonly ms: number }
  /** Blocks whose traces are refused with an error. */
  refusedTraces?: { readonly heights: readonly number[]; readonly code: number; readonly message: string }
  /** Delay of each answer in milliseconds. */
  slowMs?: number
}
