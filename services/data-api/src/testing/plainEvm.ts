import { type RecordedName, recordedChain } from '@firn/evm/testing'
import { getAddress } from 'viem'

/** Recorded JSON, not validated. */
// biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
type Recorded = any

/** A transaction with its receipt and position. */
export interface PlainTransaction {
  readonly block: Recorded
  readonly height: number
  readonly index: number
  readonly transaction: Recorded
  readonly receipt: Recorded
  /** Trace of the transaction; undefined if the block has no traces. */
  readonly trace: Recorded | undefined
}

/** A token transfer, derived from a log. */
export interface PlainTransfer {
  readonly of: PlainTransaction
  readonly logIndex: number
  readonly position: number
  readonly standard: 20 | 721 | 1155
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly tokenId: bigint
  readonly amount: bigint
}

/** A call in a trace. The outermost call is included. */
export interface PlainCall {
  readonly of: PlainTransaction
  readonly position: number
  readonly frame: Recorded
  /** Whether the call itself or an enclosing call failed. */
  readonly isReverted: boolean
}

/** Data of a recorded chain, calculated directly from its JSON. */
export interface PlainChain {
  readonly blocks: readonly Recorded[]
  readonly transactions: readonly PlainTransaction[]
  readonly transfers: readonly PlainTransfer[]
  readonly calls: readonly PlainCall[]
}

/**
 * Keccak-256 hashes of the events `Transfer(address,address,uint256)`, `TransferSingle(…)` and
 * `TransferBatch(…)`.
 */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/**
 * Returns a recorded chain, oldest block first. `hasTraces: false` drops the traces to simulate a node
 * without tracing. Does not validate the recording. For tests only.
 */
export function plainEvm(name: RecordedName, hasTraces: boolean): PlainChain {
  const blocks = recordedChain(name) as readonly Recorded[]
  const transactions = blocks.flatMap(({ block, receipts, traces }, height) =>
    block.transactions.map((transaction: Recorded, index: number) => ({
      block,
      height,
      index,
      transaction,
      receipt: receipts.find((one: Recorded) => one.transactionHash === transaction.hash),
      trace: hasTraces ? traces[index].result : undefined,
    })),
  )
  return {
    blocks,
    transactions,
    transfers: transactions.flatMap((of) => of.receipt.logs.flatMap((log: Recorded) => transfersOf(of, log))),
    calls: transactions.flatMap((of) => callsOf(of)),
  }
}

/** Returns the address in the last 20 bytes of a 32-byte word. */
const addressOf = (word: string) => `0x${word.slice(-40)}`

function transfersOf(of: PlainTransaction, { address, topics, data, logIndex }: Recorded): PlainTransfer[] {
  const common = { of, contract: address, logIndex: Number(logIndex), position: 0 }
  const words: string[] = data.slice(2).match(/.{64}/g) ?? []
  const [kind, second, third, fourth] = topics
  if (kind === TRANSFER && topics.length === 3) {
    const amount = BigInt(`0x${words[0]}`)
    return [{ ...common, standard: 20, from: addressOf(second), to: addressOf(third), tokenId: 0n, amount }]
  }
  if (kind === TRANSFER && topics.length === 4) {
    const tokenId = BigInt(fourth)
    return [{ ...common, standard: 721, from: addressOf(second), to: addressOf(third), tokenId, amount: 1n }]
  }
  const parties = { standard: 1155, from: addressOf(third ?? ''), to: addressOf(fourth ?? '') } as const
  const values = words.map((word) => BigInt(`0x${word}`))
  if (kind === SINGLE) {
    const [tokenId = 0n, amount = 0n] = values
    return [{ ...common, ...parties, tokenId, amount }]
  }
  if (kind !== BATCH) return []
  const [ids, amounts] = [0, 1].map((head) => {
    const at = Number(values[head]) / 32
    return values.slice(at + 1, at + 1 + Number(values[at]))
  })
  return (ids ?? []).map((tokenId, position) => ({
    ...common,
    ...parties,
    position,
    tokenId,
    amount: amounts?.[position] ?? 0n,
  }))
}

function callsOf(of: PlainTransaction): PlainCall[] {
  const calls: PlainCall[] = []
  const visit = (frame: Recorded, isInReverted: boolean) => {
    const isReverted = isInReverted || frame.error !== undefined
    calls.push({ of, position: calls.length, frame, isReverted })
    for (const inner of frame.calls ?? []) visit(inner, isReverted)
  }
  if (of.trace !== undefined) visit(of.trace, false)
  return calls
}

/** Converts a hex number to decimal. */
export const decimal = (hex: string | undefined) => String(BigInt(hex ?? 0))

/** Formats an address with its ERC-55 checksum, as calculated by viem. */
export const checksummed = (address: string) => getAddress(address)
