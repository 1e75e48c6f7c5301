import type { Block, Log, Transaction } from '@firn/evm'

/** How busy a chain is. */
export interface Busy {
  readonly blocks: number
  /** In each block. */
  readonly transactions: number
  /** In each block, on its transactions in turn. */
  readonly transfers: number
  /** How many send and receive, and how many contracts tell of it. */
  readonly accounts: number
  readonly contracts: number
}

const TRANSFER = topic('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const NONE = new Uint8Array()
const START = 1_700_000_000n

/**
 * Blocks a second apart, whose transfers are of ERC-20 tokens but for each tenth, which mints or moves one of ERC-721. Who sends
 * what is by chance, always the same. For tests and benches only.
 */
export function* busyChain(busy: Busy): Iterable<Block> {
  const below = random()
  const account = () => address(1, below(busy.accounts))
  let minted = 0n
  const transfer = (index: number): Log => {
    const [from, to] = [pad(account()), pad(account())]
    const contract = below(busy.contracts)
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
    for (let i = 0; i < busy.transfers; i++) logs[i % busy.transactions]?.push(transfer(i))
    const transactions = logs.map(
      (logs, index): Transaction => ({
        hash: hash(4, height * busy.transactions + index),
        index,
        type: 2,
        from: account(),
        to: address(2, below(busy.contracts)),
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
      }),
    )
    yield {
      height: BigInt(height),
      hash: hash(5, height + 1),
      parentHash: hash(5, height),
      timestamp: START + BigInt(height),
      timestampMilliseconds: 1000n * (START + BigInt(height)),
      minDelayExcess: 0n,
      miner: address(0, 0),
      baseFee: 25_000_000_000n,
      gasLimit: 15_000_000n,
      gasUsed: 65_000n * BigInt(busy.transactions),
      blockGasCost: 0n,
      settledHeight: undefined,
      transactions,
      traces: transactions.map(({ from, to, gasLimit: gas, gasUsed, value, succeeded }) => ({
        ...{ type: 'CALL' as const, from, to, value, gas, gasUsed, succeeded },
        calls: [],
      })),
    }
  }
}

/** Numbers below a limit, by a linear congruence. */
function random(): (limit: number) => number {
  let state = 1n
  return (limit) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number((state >> 33n) % BigInt(limit))
  }
}

/** Bytes that look like a hash's, and that are the same for the same numbers. */
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
