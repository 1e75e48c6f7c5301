import type { MethodPolicy } from './MethodPolicy.ts'
import type { Nodes } from './Nodes.ts'

/** A chain that the gateway serves. */
export interface Chain {
  /**
   * Name under which the chain's requests are counted. It is the EVM chain id in decimal if the id is known.
   */
  readonly id: string
  readonly nodes: Nodes
  readonly isAllowed: MethodPolicy
}
