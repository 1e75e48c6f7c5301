import type { NodeBlock } from './evmMethods.ts'

/** How a node misbehaves; without any member it doesn't. For tests only. */
export interface EvmFaults {
  /** What it does with whole requests. */
  mode?: 'errors' | 'limited' | 'badGateway' | 'hang' | 'cut' | 'garbage' | 'refuseAll'
  /** Which part of the requests `mode` is done to, from 0 to 1; all unless given. */
  rate?: number
  /** With `limited`: what it says in `retry-after`. */
  retryAfterSeconds?: number
  /** How many blocks it is behind. */
  lag?: number
  /** Every other request is answered so many blocks behind. */
  flip?: number
  /** Blocks with transactions come with no receipts. */
  emptyReceipts?: boolean
  /** Whose receipts it gives: another branch's, by height. */
  receiptsOf?: readonly NodeBlock[]
  /** Whose blocks every other lookup by height finds: another branch's. */
  otherBranch?: readonly NodeBlock[]
  /** Blocks below this height have no state: neither traces nor calls. */
  prunedBelow?: number
  /** More calls in a batch are refused. */
  maxBatch?: number
  /** A larger answer is refused, in bytes. */
  maxBytes?: number
  /** Every answer of a batch comes twice, and every new head. */
  duplicated?: boolean
  chainId?: bigint
  /** Calls can't name their block by its hash. */
  noCallsByHash?: boolean
  /** Blocks that it no longer knows by their hashes. */
  vanished?: ReadonlySet<string>
  /** Methods that it doesn't have. */
  without?: readonly string[]
  /** Methods that a request is refused for with HTTP status 403. */
  forbidden?: readonly string[]
  /** Milliseconds that each answer takes. */
  slowMs?: number
}
