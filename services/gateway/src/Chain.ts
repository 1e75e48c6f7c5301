import type { MethodPolicy } from './MethodPolicy.ts'
import type { Nodes } from './Nodes.ts'
import type { StoredLogs } from './StoredLogs.ts'

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
