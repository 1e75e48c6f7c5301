import { Hex } from '@firn/codec'
import type { PushGossip } from '@firn/p2p'
import { expect, it } from 'vitest'
import { pushTransactions } from './pushTransactions.ts'

const node = (seed: number) => new Uint8Array(20).fill(seed)

/** Pushes a transaction, and returns the NodeIDs that it was sent to with the message. */
function push(weights: readonly bigint[], connected: readonly number[], chain: 'P' | 'C' = 'P') {
  let sent: { nodeIds: readonly number[]; gossip: PushGossip.ChainGossip } | undefined
  let seed = 1
  const count = pushTransactions({
    dialler: {
      connected: () => connected.map(node),
      push(nodeIds, gossip) {
        sent = { nodeIds: nodeIds.map(([first = 0]) => first), gossip }
        return nodeIds.length
      },
    },
    voters: { current: () => weights.map((weight, i) => ({ nodeId: node(i), weight })) },
    chain,
    chainId: new Uint8Array(32),
    transactions: [Hex.decode('0x0102')],
    random: () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647
    },
  })
  return { count, ...sent }
}

it('pushes to all connected validators where there are few', () => {
  const { count, nodeIds, gossip } = push([1n, 1n, 1n], [0, 2, 9])
  expect([count, nodeIds?.toSorted()]).toEqual([2, [0, 2]])
  expect(gossip).toMatchObject({ handlerId: 0n, transactions: [Uint8Array.of(1, 2)] })
  expect(push([1n], []).count).toBe(0)
})

it('pushes to a dozen validators, drawn by their weight', () => {
  const all = Array.from({ length: 40 }, (_, i) => i)
  const weights = all.map((i) => (i < 12 ? 1_000_000_000_000n : 1n))
  const { nodeIds } = push(weights, all)
  expect(nodeIds?.toSorted((a, b) => a - b)).toEqual(all.slice(0, 12))
})

it('pushes transactions of the C-chain to the handler for imports and exports', () => {
  expect(push([1n], [0], 'C').gossip?.handlerId).toBe(1n)
})
