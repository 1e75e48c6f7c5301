/** A class of methods. */
export interface MethodClass {
  /** What the methods do, for the documentation. */
  readonly title: string
  /** Whether the methods are allowed by default. The others are listed for their costs only. */
  readonly isAllowed: boolean
  /** Whether a call may be sent to a second node after the first one failed. */
  readonly isRepeatable: boolean
  /** Whether the calls depend on state in a node, so that all calls of a caller must reach the same node. */
  readonly isSticky: boolean
}

const READ = { isAllowed: true, isRepeatable: true, isSticky: false } as const

/** The classes of {@link METHODS}. */
export const CLASSES = {
  node: { ...READ, title: 'node and network' },
  fees: { ...READ, title: 'fees' },
  state: { ...READ, title: 'accounts and contracts at a block' },
  block: { ...READ, title: 'blocks and transactions' },
  logs: { ...READ, title: 'logs' },
  execution: { ...READ, title: 'calls without a transaction' },
  filter: { ...READ, isSticky: true, title: 'filters' },
  subscription: { ...READ, title: 'subscriptions (WebSocket)' },
  warp: { ...READ, title: 'Warp messages' },
  send: { ...READ, isRepeatable: false, title: 'signed transactions' },
  trace: { ...READ, isAllowed: false, title: 'traces of blocks' },
} as const satisfies Readonly<Record<string, MethodClass>>

type ClassName = keyof typeof CLASSES

/** A method that the gateway knows. */
export interface Method {
  readonly class: ClassName
  /**
   * Credits per call: 1 to 5 for data that a node has in memory, 10 to 25 for a database lookup or an EVM execution, and
   * more for expensive methods, such as those that scan many blocks or re-execute transactions.
   */
  readonly credits: number
}

/** Returns an entry of {@link METHODS} for each method of a class. */
function of<const Credits extends Readonly<Record<string, number>>>(className: ClassName, methods: Credits) {
  return Object.fromEntries(
    Object.entries(methods).map(([name, credits]) => [name, { class: className, credits }]),
  ) as Record<keyof Credits, Method>
}

/**
 * All methods that the gateway knows, by name. Only methods of an allowed class are forwarded by default. A new method of a
 * node is refused until it is added here, or named with `--allow-method`.
 */
export const METHODS: Readonly<Record<string, Method>> = {
  ...of('node', {
    web3_clientVersion: 1,
    web3_sha3: 1,
    net_version: 1,
    net_listening: 1,
    net_peerCount: 1,
    eth_chainId: 1,
    eth_syncing: 1,
    eth_protocolVersion: 1,
    eth_config: 10,
    eth_getChainConfig: 10,
    eth_getActiveRulesAt: 10,
    eth_getActivePrecompilesAt: 10,
    eth_feeConfig: 10,
    eth_blockNumber: 5,
  }),
  ...of('fees', {
    eth_gasPrice: 10,
    eth_baseFee: 10,
    eth_blobBaseFee: 10,
    eth_maxPriorityFeePerGas: 10,
    eth_suggestPriceOptions: 10,
    eth_feeHistory: 20,
  }),
  ...of('state', {
    eth_getBalance: 15,
    eth_getAssetBalance: 15,
    eth_getCode: 15,
    eth_getStorageAt: 15,
    eth_getTransactionCount: 15,
    eth_getProof: 50,
  }),
  ...of('block', {
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
    eth_getRawTransactionByHash: 15,
    eth_getRawTransactionByBlockHashAndIndex: 15,
    eth_getRawTransactionByBlockNumberAndIndex: 15,
    eth_getTransactionReceipt: 15,
    eth_getTransactionDetail: 15,
    eth_getBlockReceipts: 100,
  }),
  ...of('logs', { eth_getLogs: 75 }),
  ...of('execution', {
    eth_call: 25,
    eth_callDetailed: 25,
    eth_createAccessList: 50,
    eth_estimateGas: 75,
    eth_simulateV1: 150,
  }),
  ...of('filter', {
    eth_newFilter: 20,
    eth_newBlockFilter: 20,
    eth_newPendingTransactionFilter: 20,
    eth_getFilterChanges: 20,
    eth_getFilterLogs: 75,
    eth_uninstallFilter: 10,
  }),
  ...of('subscription', { eth_subscribe: 10, eth_unsubscribe: 10, eth_subscription: 5 }),
  ...of('warp', {
    warp_getMessage: 15,
    warp_getMessageSignature: 25,
    warp_getBlockSignature: 25,
    // The node asks the validators of its subnet.
    warp_getMessageAggregateSignature: 300,
    warp_getBlockAggregateSignature: 300,
  }),
  ...of('send', { eth_sendRawTransaction: 80 }),
  ...of('trace', {
    debug_traceBlock: 1000,
    debug_traceBlockByNumber: 1000,
    debug_traceBlockByHash: 1000,
    trace_block: 200,
    trace_filter: 500,
    trace_replayBlockTransactions: 1000,
  }),
}

/** Returns a method of {@link METHODS}; undefined for other names, such as `constructor`. */
export function find(name: string): Method | undefined {
  return Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
}

/** What `eth_subscribe` may subscribe to. */
export const SUBSCRIPTIONS: readonly string[] = [
  'newHeads',
  'logs',
  'newPendingTransactions',
  'newAcceptedTransactions',
  'syncing',
]
