import type { Block, CallFrame, Log, Transaction } from '@firn/evm'

/** Parameters of a busy chain for tests. */
export interface Busy {
  readonly blocks: number
  /** Number of transactions per block. */
  readonly transactions: number
  /** Number of transfers per block, distributed over the block's transactions in turn. */
  readonly transfers: number
  /** Number of accounts. */
  readonly accounts: number
  /** Number of contracts that emit the transfers. */
  readonly contracts: number
  /** Seconds between blocks; 1 by default. */
  readonly seconds?: number
  /** Additional accounts that take part regularly; none by default. */
  readonly regulars?: readonly Regular[]
  /**
   * Whether the chain has all kinds of data; false by default. Every fifth transaction of a block then contains an
   * internal call, which creates a contract if the number of the transaction in the chain is a multiple of 50. Every
   * tenth transfer of a block is an ERC-1155 transfer, and one contract emits about a quarter of the ERC-20
   * transfers.
   */
  readonly isVaried?: boolean
}

/**
 * An account that takes part in every `every`-th transaction, call and transfer, alternately as sender and as
 * recipient.
 */
export interface Regular {
  readonly address: Uint8Array
  readonly every: number
}

const TRANSFER = topic('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const SINGLE = topic('c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')
const NONE = new Uint8Array()
const START = 1_700_000_000n

/**
 * Yields blocks, by default one second apart, with transfers of ERC-20 tokens. Every tenth transfer mints or
 * moves an ERC-721 token instead. The participants are pseudo-random but reproducible. For tests and benches
 * only.
 */
export function* busyChain(busy: Busy): Iterable<Block> {
  const { seconds = 1, regulars = [], isVaried = false } = busy
  const below = random()
  const account = () => address(1, below(busy.accounts))
  /** Returns the sender and the recipient of the item with the given number. */
  const parties = (number: number): readonly [from: Uint8Array, to: Uint8Array] => {
    const regular = regulars.find(({ every }) => number % every === 0)
    if (regular === undefined) return [account(), account()]
    const isSender = (number / regular.every) % 2 === 0
    return isSender ? [regular.address, account()] : [account(), regular.address]
  }
  let minted = 0n
  const transfer = (height: number, index: number): Log => {
    const number = height * busy.transfers + index
    const [from, to] = parties(number).map(pad) as [Uint8Array, Uint8Array]
    const contract = isVaried && number % 4 === 0 ? 0 : below(busy.contracts)
    if (isVaried && index % 10 === 5) {
      const data = new Uint8Array([...word(BigInt(below(1000))), ...word(BigInt(1 + below(100)))])
      return {
        index: BigInt(index),
        address: address(6, contract % 50),
        topics: [SINGLE, from, from, to],
        data,
      }
    }
    if (index % 10 !== 0) {
      const data = word(10n ** 18n + BigInt(below(1_000_000_000)) * 1_000_000_007n)
      return { index: BigInt(index), address: address(2, contract), topics: [TRANSFER, from, to], data }
    }
    const isNew = minted === 0n || below(2) === 0
    const id = isNew ? minted++ : BigInt(below(Number(minted)))
    const topics = [TRANSFER, isNew ? new Uint8Array(32) : from, to, word(id)]
    return { index: BigInt(index), address: address(3, Number(id) % 50), topics, data: NONE }
  }
  for (let height = 0; height < busy.blocks; height++) {
    const logs: Log[][] = Array.from({ length: busy.transactions }, () => [])
    for (let i = 0; i < busy.transfers; i++) logs[i % busy.transactions]?.push(transfer(height, i))
    const transactions = logs.map((logs, index): Transaction => {
      const number = height * busy.transactions + index
      const regular = regulars.some(({ every }) => number % every === 0)
      const [from, to] = regular ? parties(number) : [account(), address(2, below(busy.contracts))]
      return {
        hash: hash(4, number),
        index,
        type: 2,
        from,
        to,
        nonce: BigInt(height),
        value: 0n,
        input: new Uint8Array(68).fill(index),
        gasLimit: 200_000n,
        succeeded: index % 20 !== 19 || logs.length > 0,
        gasUsed: 65_000n,
        gasPrice: 25_000_000_000n + BigInt(below(1000)),
        maxFeePerGas: 50_000_000_000n,
        maxPriorityFeePerGas: 1n,
        contractAddress: undefined,
        logs,
      }
    })
    const time = START + BigInt(height * seconds)
    yield {
      height: BigInt(height),
      hash: hash(5, height + 1),
      parentHash: hash(5, height),
      timestamp: time,
      timestampMilliseconds: 1000n * time,
      minDelayExcess: 0n,
      miner: address(0, 0),
      baseFee: 25_000_000_000n,
      gasLimit: 15_000_000n,
      gasUsed: 65_000n * BigInt(busy.transactions),
      blockGasCost: 0n,
      settledHeight: undefined,
      transactions,
      traces: transactions.map((transaction) => {
        const { from, to, gasLimit: gas, gasUsed, value, succeeded, index } = transaction
        const calls =
          isVaried && index % 5 === 0 ? inside(transaction, height * busy.transactions + index) : []
        return { type: 'CALL', from, to, value, gas, gasUsed, succeeded, calls }
      }),
    }
  }
}

/**
 * Returns the internal call of a transaction: the creation of a contract if the transaction's number is a multiple of
 * 50, otherwise a call to the sender.
 */
function inside({ from, to = from, gasUsed }: Transaction, number: number): CallFrame[] {
  const call = {
    type: 'CALL',
    from: to,
    to: from,
    value: 1n,
    gas: gasUsed,
    gasUsed,
    succeeded: true,
  } as const
  if (number % 50 !== 0) return [{ ...call, calls: [] }]
  return [{ ...call, type: 'CREATE', to: address(7, number), calls: [] }]
}

/** Returns a linear congruential generator of numbers below a limit. */
function random(): (limit: number) => number {
  let state = 1n
  return (limit) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number((state >> 33n) % BigInt(limit))
  }
}

/** Returns bytes that look like a hash. The same numbers always give the same bytes. */
function hash(kind: number, number: number): Uint8Array {
  const bytes = new Uint8Array(32)
  let state = (number * 8 + kind + 1) >>> 0
  for (let i = 0; i < bytes.length; i += 4) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + number
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39) ^ i
    new DataView(bytes.buffer).setUint32(i, state >>> 0)
  }
  return bytes
}

function address(kind: number, number: number): Uint8Array {
  return hash(kind, number).slice(0, 20)
}

function pad(address: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(32)
  bytes.set(address, 12)
  return bytes
}

function word(value: bigint): Uint8Array {
  return topic(value.toString(16).padStart(64, '0'))
}

function topic(digits: string): Uint8Array {
  return new Uint8Array(Buffer.from(digits, 'hex'))
}
