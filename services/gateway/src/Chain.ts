import type { MethodPolicy } from './MethodPolicy.ts'
import type { Nodes } from './Nodes.ts'

/** A served chain. */
export interface Chain {
  /** The name under which its requests are counted: the EVM chain id in decimal, if known. */
  readonly id: string
  readonly nodes: Nodes
  readonly isAllowed: MethodPolicy
}
