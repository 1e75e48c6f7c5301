/** A block with its receipts and traces, as a node returns them in parsed JSON. For tests only. */
export interface NodeBlock {
  readonly block: Readonly<Record<string, unknown>>
  readonly receipts: unknown
  readonly traces?: unknown
}

/** A contract's answer: bytes in hex, or an error message. For tests only. */
export type CallAnswer = { readonly result: string } | { readonly error: string; readonly code?: number }
/** Returns a contract's answer to a call. For tests only. */
export type CallContract = (to: string, data: string, height: number, gas?: string) => CallAnswer

/** State of the chain that a fake node uses to answer a request. For tests only. */
export interface View {
  readonly chainId: bigint
  readonly blocks: readonly NodeBlock[]
  /** Chain that is used for the next lookup by height. */
  readonly byHeight: readonly NodeBlock[]
  readonly byHash: ReadonlyMap<string, NodeBlock>
  /** Index of the newest executed block. `accepted` is the index of the newest accepted block. */
  readonly executed: number
  readonly accepted: number
  readonly firstHeight: number
  readonly prunedBelow: number
  /** Maximum number of blocks in the range of `eth_getLogs`. */
  readonly maxLogRange: number
  readonly receiptsOf: readonly NodeBlock[] | undefined
  readonly emptyReceipts: boolean
  readonly call: CallContract
  /** Whether calls may identify their block by hash. */
  readonly callsByHash: boolean
  /** Resolves when the block with the given index has been executed. */
  readonly whenExecuted: (index: number) => Promise<void>
}

/** The `result` as JSON text, or an error. */
export type MethodAnswer = { readonly text: string } | { readonly code: number; readonly message: string }

const texts = new WeakMap<object, string>()

/** Returns a part of a block as JSON text. Each part is serialized only once. */
function textOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part)
  const known = texts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(part)
  texts.set(part, text)
  return text
}

const quantity = (value: bigint | number): string => `0x${value.toString(16)}`
const nothing: MethodAnswer = { text: 'null' }
const refused = (message: string, code = -32000): MethodAnswer => ({ code, message })

/** Returns the fake node's answer to one call. For tests only. */
export async function answerMethod(
  view: View,
  method: string,
  params: readonly unknown[],
): Promise<MethodAnswer> {
  const [first] = params
  switch (method) {
    case 'eth_chainId':
      return { text: JSON.stringify(quantity(view.chainId)) }
    case 'eth_blockNumber':
      return { text: JSON.stringify(quantity(heightOf(view, view.executed))) }
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const found = findBlock(view, first)
      if (found === undefined) return nothing
      return { text: params[1] === true ? textOf(found.block) : textOf(headerOf(found)) }
    }
    case 'eth_getLogs':
      return logsOf(view, first as LogQuery)
    case 'eth_getBlockReceipts':
      return receiptsOf(view, first)
    case 'eth_getTransactionReceipt':
      return receiptOf(view, String(first))
    case 'debug_traceBlockByHash':
    case 'debug_traceBlockByNumber':
      return tracesOf(view, first)
    case 'eth_call':
      return callOf(view, params)
    default:
      return refused(`the method ${method} does not exist/is not available`, -32601)
  }
}

function heightOf({ firstHeight }: View, index: number): number {
  return firstHeight + index
}

/** Returns a block with the hashes of its transactions. */
export function headerOf(found: NodeBlock): object {
  const known = headers.get(found)
  if (known !== undefined) return known
  const transactions = found.block['transactions'] as readonly { readonly hash: string }[]
  const made = { ...found.block, transactions: transactions.map(({ hash }) => hash) }
  headers.set(found, made)
  return made
}
const headers = new WeakMap<NodeBlock, object>()

function indexOf(view: View, at: unknown): number {
  if (at === 'latest' || at === 'pending') return view.executed
  return Number(at) - view.firstHeight
}

function findBlock(view: View, at: unknown): NodeBlock | undefined {
  if (typeof at === 'string' && at.length === 66) return view.byHash.get(at)
  const index = indexOf(view, at)
  // The node returns an accepted block even before it is executed.
  return index > view.accepted ? undefined : view.byHeight[index]
}

/**
 * Waits until a block is executed, and returns it. Nodes that accept blocks before they execute them behave
 * like this.
 */
async function findExecuted(view: View, at: unknown): Promise<NodeBlock | undefined> {
  const found = findBlock(view, at)
  if (found === undefined) return undefined
  await view.whenExecuted(Number(found.block['number']) - view.firstHeight)
  return found
}

interface LogQuery {
  readonly blockHash?: string
  readonly fromBlock: string
  readonly toBlock: string
  readonly address?: readonly string[]
  readonly topics: readonly (readonly string[])[]
}

/** Answers `eth_getLogs`. Blocks above the newest one have no logs. The error is coreth's. */
function logsOf(
  view: View,
  { blockHash, fromBlock, toBlock, address, topics: [topic0] }: LogQuery,
): MethodAnswer {
  const [from, to] = [Number(fromBlock), Number(toBlock)]
  if (to - from >= view.maxLogRange)
    return refused(`requested too many blocks from ${from} to ${to}, maximum is set to ${view.maxLogRange}`)
  const one = blockHash === undefined ? undefined : view.byHash.get(blockHash)
  if (blockHash !== undefined && one === undefined) return refused('unknown block')
  const executed = view.blocks.slice(0, view.executed + 1)
  const blocks =
    one === undefined ? executed.slice(from - view.firstHeight, to - view.firstHeight + 1) : [one]
  const logs = blocks
    .flatMap(({ receipts }) => receipts as readonly { readonly logs: readonly NodeLog[] }[])
    .flatMap((receipt) => receipt.logs)
    .filter((log) => address === undefined || address.includes(log.address))
    .filter(({ topics }) => topic0 === undefined || topic0.includes(topics[0] ?? ''))
  return { text: JSON.stringify(logs) }
}

interface NodeLog {
  readonly address: string
  readonly topics: readonly string[]
}

async function receiptsOf(view: View, at: unknown): Promise<MethodAnswer> {
  const found = await findExecuted(view, at)
  if (found === undefined) return nothing
  if (view.emptyReceipts) return { text: '[]' }
  const other = view.receiptsOf?.[Number(found.block['number']) - view.firstHeight]
  return { text: textOf((other ?? found).receipts) }
}

async function receiptOf(view: View, hash: string): Promise<MethodAnswer> {
  for (const block of view.blocks.slice(0, view.executed + 1)) {
    const receipts = block.receipts as readonly { readonly transactionHash: string }[]
    const found = receipts.find(({ transactionHash }) => transactionHash === hash)
    if (found !== undefined) return { text: textOf(found) }
  }
  return nothing
}

async function tracesOf(view: View, at: unknown): Promise<MethodAnswer> {
  const found = await findExecuted(view, at)
  if (found === undefined) return refused('block not found')
  const height = Number(found.block['number'])
  const isEmpty = (found.block['transactions'] as readonly unknown[]).length === 0
  if (height === 0 && isEmpty) return refused('genesis is not traceable')
  if (height < view.prunedBelow) return refused('missing trie node 1234 (path ) state is not available')
  return { text: textOf(found.traces ?? []) }
}

function callOf(view: View, [call, at]: readonly unknown[]): MethodAnswer {
  const named =
    typeof at === 'object' && at !== null ? String((at as Record<string, unknown>)['blockHash']) : at
  if (named !== at && !view.callsByHash) return refused('invalid argument 1: cannot unmarshal object', -32602)
  const found = findBlock(view, named)
  const height = Number(found?.block['number'])
  if (found === undefined || height > heightOf(view, view.executed)) return refused('header not found')
  if (height < view.prunedBelow) return refused('missing trie node 1234 (path ) state is not available')
  const { to, data, gas } = call as { readonly to: string; readonly data: string; readonly gas?: string }
  const answer = view.call(to, data, height, gas)
  if ('result' in answer) return { text: JSON.stringify(answer.result) }
  return refused(answer.error, answer.code)
}
