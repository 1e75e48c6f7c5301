import type { Block, CallFrame, Log, Transaction } from '@firn/evm'

/** Returns an address of 20 equal bytes. For tests only. */
export function evmAddress(byte: number): Uint8Array {
  return new Uint8Array(20).fill(byte)
}

/** Returns a hash of 32 bytes derived from the numbers. For tests only. */
export function evmHash(height: bigint, fork = 0): Uint8Array {
  const bytes = new Uint8Array(32).fill(fork + 1)
  new DataView(bytes.buffer).setBigUint64(24, height + 1n)
  return bytes
}

/** Returns a transaction with placeholder values, overridden by `given`. For tests only. */
export function evmTransaction(given: Partial<Transaction>): Transaction {
  const { index = 0, from = evmAddress(1) } = given
  return {
    hash: new Uint8Array(32).fill(index + 100),
    index,
    type: 2,
    from,
    to: evmAddress(2),
    nonce: 0n,
    value: 0n,
    input: new Uint8Array(),
    gasLimit: 21_000n,
    succeeded: true,
    gasUsed: 21_000n,
    gasPrice: 1n,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    contractAddress: undefined,
    logs: [],
    ...given,
  }
}

/**
 * Returns a block with placeholder values, overridden by `given`. Its parent is the previous block on the
 * same fork. For tests only.
 */
export function evmBlock(height: bigint, given: Partial<Block> = {}): Block {
  const { transactions = [] } = given
  return {
    height,
    hash: evmHash(height),
    parentHash: evmHash(height - 1n),
    timestamp: 1_700_000_000n + height,
    timestampMilliseconds: undefined,
    minDelayExcess: undefined,
    miner: evmAddress(0),
    baseFee: undefined,
    gasLimit: 15_000_000n,
    gasUsed: 0n,
    blockGasCost: undefined,
    settledHeight: undefined,
    traces: transactions.map(frameOf),
    ...given,
    transactions,
  }
}

function frameOf({ from, to, contractAddress, value, gasLimit, gasUsed, succeeded }: Transaction): CallFrame {
  const type = to === undefined ? 'CREATE' : 'CALL'
  return { type, from, to: to ?? contractAddress, value, gas: gasLimit, gasUsed, succeeded, calls: [] }
}

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Returns the log of an ERC-20 transfer, or of an ERC-721 transfer if a token is given. For tests only. */
export function evmTransfer(
  index: bigint,
  contract: Uint8Array,
  from: Uint8Array,
  to: Uint8Array,
  what: { readonly amount: bigint } | { readonly tokenId: bigint },
): Log {
  const topics = [bytes(TRANSFER), ...[from, to].map((address) => bytes(hexOf(address).padStart(64, '0')))]
  if ('amount' in what) return { index, address: contract, topics, data: word(what.amount) }
  return { index, address: contract, topics: [...topics, word(what.tokenId)], data: new Uint8Array() }
}

function word(value: bigint): Uint8Array {
  return bytes(value.toString(16).padStart(64, '0'))
}

function bytes(digits: string): Uint8Array {
  return new Uint8Array(Buffer.from(digits, 'hex'))
}

function hexOf(address: Uint8Array): string {
  return Buffer.from(address).toString('hex')
}
