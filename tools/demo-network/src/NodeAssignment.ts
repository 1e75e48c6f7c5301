import { Bytes, Hex } from '@firn/codec'
import { LedgerPlatform, type Node, type State } from '@firn/devnet'
import type { LedgerState } from '@firn/ledger'

/** The devnet's node that replaces each recorded node, by recorded node id in hex. */
export type NodeAssignment = ReadonlyMap<string, Node>

/** Assigns the devnet's nodes to the recorded nodes in order. */
export function assign(recorded: readonly Uint8Array[], nodes: readonly Node[]): NodeAssignment {
  const pairs = recorded.map((nodeId, i) => [Hex.encodeBare(nodeId), nodes[i] as Node] as const)
  return new Map(pairs)
}

/** Returns the ids of all nodes in a current validator set. Nodes of the Primary Network come first. */
export function signersOf({ tables }: LedgerState.LedgerState): readonly Uint8Array[] {
  const members = [...tables.member.ordered()]
  const ids = [
    ...members.filter(({ subnetId }) => Bytes.isZero(subnetId)),
    ...members.filter(({ subnetId }) => !Bytes.isZero(subnetId)),
  ].map(({ nodeId }) => nodeId)
  return [...new Map(ids.filter((id) => !Bytes.isZero(id)).map((id) => [Hex.encodeBare(id), id])).values()]
}

/**
 * Converts the P-chain state of a ledger to the state of a devnet. Only the node ids and keys differ, because
 * the devnet's nodes replace the recorded nodes.
 */
export function toPlatformState(ledger: LedgerState.LedgerState, assignment: NodeAssignment): State.State {
  return LedgerPlatform.stateOf(ledger, (node) => assignment.get(Hex.encodeBare(node.nodeId)) ?? node)
}
