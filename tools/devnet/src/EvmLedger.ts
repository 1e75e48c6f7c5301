import { type EvmState, key } from './State.ts'

/**
 * The accepted messages and blocks of an EVM chain, and the nodes that accepted them. It grows while the
 * network runs.
 */
export interface EvmLedger {
  /** Makes all nodes, or only the nodes with the given indices, sign a message. */
  acceptMessage(messageId: Uint8Array, nodes?: readonly number[]): void
  acceptBlock(blockHash: Uint8Array, nodes?: readonly number[]): void
  /** Sets the uptime of a validator, in seconds, as observed by every node. */
  setUptime(validationId: Uint8Array, seconds: bigint): void
  /** Returns the state known to the node with the given index. */
  view(node: number): EvmState
  readonly messageCount: number
}

type Seen = Map<string, ReadonlySet<number> | 'all'>

/** Creates an empty ledger. */
export function createEvmLedger(): EvmLedger {
  const messages: Seen = new Map()
  const blocks: Seen = new Map()
  const uptimes = new Map<string, bigint>()
  const add = (seen: Seen, id: Uint8Array, nodes: readonly number[] | undefined) => {
    seen.set(key(id), nodes === undefined ? 'all' : new Set(nodes))
  }
  const has = (seen: Seen, node: number) => (id: string) => {
    const by = seen.get(id)
    return by === 'all' || by?.has(node) === true
  }
  return {
    acceptMessage: (messageId, nodes) => add(messages, messageId, nodes),
    acceptBlock: (blockHash, nodes) => add(blocks, blockHash, nodes),
    setUptime: (validationId, seconds) => uptimes.set(key(validationId), seconds),
    view: (node) => ({ messages: { has: has(messages, node) }, blocks: { has: has(blocks, node) }, uptimes }),
    get messageCount() {
      return messages.size
    },
  }
}
