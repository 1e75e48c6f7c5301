import { patternOf } from './MethodPolicy.ts'

/** Credits per call, by method name. In a name, `*` matches any characters. */
export type MethodCosts = Readonly<Record<string, number>>

/**
 * Default credits: 1 to 5 for data that a node has in memory, 10 to 25 for a database lookup or an EVM execution, and
 * more for expensive methods, such as those that scan many blocks or re-execute transactions. An exact name takes
 * precedence over a pattern, and a longer pattern takes precedence over a shorter one.
 */
export const COSTS: MethodCosts = {
  '*': 20,
  web3_clientVersion: 1,
  web3_sha3: 1,
  net_version: 1,
  net_listening: 1,
  net_peerCount: 1,
  eth_chainId: 1,
  eth_syncing: 1,
  eth_protocolVersion: 1,
  eth_blockNumber: 5,
  eth_gasPrice: 10,
  eth_baseFee: 10,
  eth_maxPriorityFeePerGas: 10,
  eth_feeHistory: 20,
  eth_getBalance: 15,
  eth_getCode: 15,
  eth_getStorageAt: 15,
  eth_getTransactionCount: 15,
  eth_getBlockByHash: 20,
  eth_getBlockByNumber: 20,
  eth_getHeaderByHash: 15,
  eth_getHeaderByNumber: 15,
  eth_getBlockTransactionCountByHash: 15,
  eth_getBlockTransactionCountByNumber: 15,
  eth_getUncleByBlockHashAndIndex: 10,
  eth_getUncleByBlockNumberAndIndex: 10,
  eth_getUncleCountByBlockHash: 10,
  eth_getUncleCountByBlockNumber: 10,
  eth_getTransactionByHash: 15,
  eth_getTransactionByBlockHashAndIndex: 15,
  eth_getTransactionByBlockNumberAndIndex: 15,
  eth_getTransactionReceipt: 15,
  eth_getTransactionDetail: 15,
  eth_getBlockReceipts: 100,
  eth_getLogs: 75,
  eth_getFilterLogs: 75,
  eth_getFilterChanges: 20,
  eth_newFilter: 20,
  eth_newBlockFilter: 20,
  eth_newPendingTransactionFilter: 20,
  eth_uninstallFilter: 10,
  eth_getProof: 50,
  eth_call: 25,
  eth_callDetailed: 25,
  eth_createAccessList: 50,
  eth_estimateGas: 75,
  eth_simulateV1: 150,
  eth_getChainConfig: 10,
  eth_suggestPriceOptions: 10,
  eth_sendRawTransaction: 80,
  eth_subscribe: 10,
  eth_unsubscribe: 10,
  eth_subscription: 5,
  'txpool_*': 200,
  'debug_*': 300,
  debug_traceBlockByNumber: 1000,
  debug_traceBlockByHash: 1000,
  debug_traceBlock: 1000,
  'trace_*': 100,
  trace_block: 200,
  trace_filter: 500,
  trace_replayBlockTransactions: 1000,
}

/** Looks up the credits of methods. */
export interface Costs {
  /** Returns the credits of a method, an integer. */
  of(method: string): number
  /** Returns whether the table contains the method by its exact name. */
  isNamed(method: string): boolean
}

/**
 * Creates the lookup from a table of credits. Methods that are not in this table cost as much as in {@link
 * COSTS}.
 */
export function createCosts(costs: MethodCosts = {}): Costs {
  const all = { ...COSTS, ...costs }
  const exact = new Map(Object.entries(all).filter(([name]) => !name.includes('*')))
  const patterns = Object.entries(all)
    .filter(([name]) => name.includes('*'))
    .sort(([one], [other]) => other.length - one.length)
    .map(([name, cost]) => [patternOf(name), cost] as const)
  return {
    of: (method) => exact.get(method) ?? patterns.find(([pattern]) => pattern.test(method))?.[1] ?? 0,
    isNamed: (method) => exact.has(method),
  }
}
