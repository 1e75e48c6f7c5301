import { Hex } from '@firn/codec'
import { UnsignedMessage, WarpEvent } from '@firn/warp'
import { C_CHAIN, createMessage, NETWORK_ID } from './fakes.ts'

/** Hash of the transaction that {@link createFakeNode} knows. */
export const HASH = `0x${'ab'.repeat(32)}`
export const BLOCK_HASH = `0x${'cd'.repeat(32)}`
const SENDER = new Uint8Array(20).fill(7)

/** Returns the log of a Warp message as a node returns it. */
export function warpLog(text: string, logIndex: number, chainId = C_CHAIN) {
  const unsigned = UnsignedMessage.decode(createMessage(chainId, NETWORK_ID, text))
  const { address, topics, data } = WarpEvent.encode(SENDER, unsigned)
  return {
    address: Hex.encode(address),
    topics: topics.map(Hex.encode),
    data: Hex.encode(data),
    logIndex: `0x${logIndex.toString(16)}`,
    transactionHash: HASH,
  }
}

/** A log of another contract. */
export const otherLog = { ...warpLog('a token transfer', 5), address: `0x${'11'.repeat(20)}` }

/** Creates a node of an EVM chain with one block, whose state a test changes. `fetch` sends requests to it. */
export function createFakeNode() {
  const node = {
    isAccepted: true,
    status: '0x1',
    logs: [warpLog('first', 3), otherLog, warpLog('second', 4)] as readonly object[],
    failure: undefined as object | undefined,
    receiptBlockHash: BLOCK_HASH,
    calls: [] as string[],
  }
  const results: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_getTransactionReceipt: () =>
      node.isAccepted
        ? { status: node.status, blockHash: node.receiptBlockHash, blockNumber: '0x10', logs: node.logs }
        : null,
    eth_getBlockByNumber: ([number]) => (node.isAccepted ? { hash: BLOCK_HASH, number } : null),
    eth_getLogs: () => node.logs.filter((log) => log !== otherLog),
  }
  const answer = async (_url: unknown, init?: RequestInit) => {
    const { id, method, params } = JSON.parse(String(init?.body))
    node.calls.push(method)
    const outcome = node.failure ?? { result: results[method]?.(params) }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  }
  return { node, fetch: answer as typeof fetch }
}
