import { createHash } from 'node:crypto'
import type { NodeBlock } from './evmMethods.ts'

/** Options for blocks of a chain of transfers. For tests only. */
export interface TransferOptions {
  /** Name of the branch. Blocks with the same name and position are equal. */
  readonly name: string
  /** Number of transactions per block; default 3. The first `transfers` of them contain one transfer each. */
  readonly transactions?: number
  /** Number of ERC-20 transfers per block; by default one per transaction. */
  readonly transfers?: number
  /** Contracts that emit the transfers; by default {@link TOKEN}. */
  readonly tokens?: readonly string[]
  /** Amount of every transfer; by default the amounts are generated. */
  readonly amount?: bigint
  /** Index of each block's first log; default 0. */
  readonly firstLogIndex?: bigint
  /** Time of block 0 in Unix seconds. The blocks are one second apart. */
  readonly time?: number
}

/** Default token contract. */
export const TOKEN = '0x2000000000000000000000000000000000000001'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const BLOOM = `0x${'0'.repeat(512)}`
const START = 1_750_000_000
const ACCOUNTS = 40

const hash = (label: string): string => `0x${createHash('sha256').update(label).digest('hex')}`
const account = (label: string): string =>
  `0x${'a0'.repeat(18)}${(Number(hash(label).slice(0, 8)) % ACCOUNTS).toString(16).padStart(4, '0')}`
const topic = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`
const quantity = (value: bigint | number): string => `0x${value.toString(16)}`

/** Returns the blocks of `before` and `count` more blocks. For tests only. */
export function extend(before: readonly NodeBlock[], count: number, options: TransferOptions): NodeBlock[] {
  const blocks = [...before]
  for (let i = 0; i < count; i++) blocks.push(blockAfter(blocks, options))
  return blocks
}

/** Returns the blocks up to and including `height`, followed by `count` different blocks. For tests only. */
export function rewrite(
  blocks: readonly NodeBlock[],
  height: number,
  count: number,
  options: TransferOptions,
): NodeBlock[] {
  return extend(blocks.slice(0, height + 1), count, options)
}

function blockAfter(blocks: readonly NodeBlock[], options: TransferOptions): NodeBlock {
  const number = blocks.length
  const parentHash = String(blocks.at(-1)?.block['hash'] ?? hash('nothing'))
  const label = `${options.name} ${number} ${parentHash}`
  const place: Place = { hash: hash(label), number: quantity(number), label }
  const count = number === 0 ? 0 : (options.transactions ?? 3)
  const made = Array.from({ length: count }, (_, i) => transactionOf(place, i, options))
  const block = {
    number: place.number,
    hash: place.hash,
    parentHash,
    timestamp: quantity((options.time ?? START) + number),
    miner: '0x0100000000000000000000000000000000000000',
    gasLimit: '0x1c9c380',
    gasUsed: quantity(50_000 * count),
    baseFeePerGas: '0x5d21dba00',
    logsBloom: BLOOM,
    extraData: '0x',
    transactions: made.map(({ transaction }) => transaction),
  }
  return { block, receipts: made.map(({ receipt }) => receipt), traces: made.map(({ trace }) => trace) }
}

interface Place {
  readonly hash: string
  readonly number: string
  readonly label: string
}

function transactionOf(place: Place, i: number, options: TransferOptions) {
  const { transactions = 3, transfers = transactions, tokens = [TOKEN] } = options
  const label = `${place.label} ${i}`
  const token = tokens[i % tokens.length] as string
  const [from, to] = [account(`${label} from`), account(`${label} to`)]
  const amount = options.amount ?? BigInt(hash(`${label} amount`).slice(0, 18))
  const value = amount.toString(16).padStart(64, '0')
  const input = `0xa9059cbb${topic(to).slice(2)}${value}`
  const within = { blockHash: place.hash, blockNumber: place.number, transactionIndex: quantity(i) }
  const transactionHash = hash(`${label} hash`)
  const log = {
    ...within,
    transactionHash,
    address: token,
    topics: [TRANSFER, topic(from), topic(to)],
    data: `0x${value}`,
    logIndex: quantity((options.firstLogIndex ?? 0n) + BigInt(i)),
    removed: false,
  }
  const common = { ...within, from, to: token, type: '0x2' }
  const gas = { gas: '0x186a0', gasPrice: '0x5d21dba00', maxFeePerGas: '0xba43b7400' }
  return {
    transaction: {
      ...common,
      ...gas,
      hash: transactionHash,
      input,
      nonce: quantity(i),
      value: '0x0',
      maxPriorityFeePerGas: '0x0',
      v: '0x0',
      r: hash(`${label} r`),
      s: hash(`${label} s`),
    },
    receipt: {
      ...common,
      transactionHash,
      contractAddress: null,
      cumulativeGasUsed: quantity(50_000 * (i + 1)),
      effectiveGasPrice: '0x5d21dba00',
      gasUsed: quantity(50_000),
      logs: i < transfers ? [log] : [],
      logsBloom: BLOOM,
      status: '0x1',
    },
    trace: {
      txHash: transactionHash,
      result: { type: 'CALL', from, to: token, gas: '0x186a0', gasUsed: '0xc350', input, value: '0x0' },
    },
  }
}
