import type { MethodPolicy } from './MethodPolicy.ts'
import type { Nodes } from './Nodes.ts'

/** A chain that the gateway serves. */
export interface Chain {
  /** Name under which requests of the chain are counted: the EVM chain id in decimal if it is known. */
  readonly id: string
  readonly nodes: Nodes
  readonly isAllowed: MethodPolicy
}
