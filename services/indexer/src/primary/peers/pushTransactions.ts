import { type ChainAlias, Hex } from '@firn/codec'
import { HandlerPrefix } from '@firn/p2p'
import { Voters } from '@firn/sync'
import type { Dialler } from './createDialler.ts'
import type { PeerVoters } from './PeerVoters.ts'

/** Number of validators to which a transaction is pushed. */
const VALIDATORS = 12

/** Options of {@link pushTransactions}. */
export interface PushOptions {
  readonly dialler: Pick<Dialler, 'connected' | 'push'>
  readonly voters: Pick<PeerVoters, 'current'>
  /** Id of the chain, 32 bytes. */
  readonly chainId: Uint8Array
  readonly chain: ChainAlias
  readonly transactions: readonly Uint8Array[]
  readonly random: () => number
}

/**
 * Pushes signed transactions to connected validators that are drawn by their weight, or to all of them if there are
 * few. Returns the number of validators that they were sent to. Validators do not answer.
 */
export function pushTransactions({ dialler, voters, chainId, chain, ...options }: PushOptions): number {
  const { transactions, random } = options
  const connected = new Set(Array.from(dialler.connected(), Hex.encodeBare))
  const reachable = voters.current().filter(({ nodeId }) => connected.has(Hex.encodeBare(nodeId)))
  const drawn = Voters.sample(reachable, VALIDATORS, random)
  const handlerId = chain === 'C' ? HandlerPrefix.ATOMIC_TX_GOSSIP : HandlerPrefix.TX_GOSSIP
  const nodeIds = drawn.map(({ nodeId }) => nodeId)
  return dialler.push(nodeIds, { chainId, handlerId: BigInt(handlerId), transactions })
}
