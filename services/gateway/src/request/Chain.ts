import type { StoredLogs } from '../logs/StoredLogs.ts'
import type { MethodPolicy } from '../methods/MethodPolicy.ts'
import type { Nodes } from '../nodes/Nodes.ts'

/** A chain that the gateway serves. */
export interface Chain {
  /**
   * Name under which the chain's requests are counted. It is the EVM chain id in decimal if the id is known.
   */
  readonly id: string
  readonly nodes: Nodes
  readonly assertAllowed: MethodPolicy
  /** Answers `eth_getLogs` from stored logs; undefined if the chain is not stored. */
  readonly logs: StoredLogs | undefined
}
