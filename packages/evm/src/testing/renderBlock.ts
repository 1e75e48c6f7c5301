import { Hex } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Block, CallFrame, Log, Transaction } from '../Block.ts'
import { hashOf, quantity } from './hexes.ts'

const BLOOM_BYTES = 256
const EMPTY_ROOT = hashOf('empty')

/**
 * Returns a block as a node responds with it, in parsed JSON: the block with full transactions, its receipts with their
 * blooms, and its traces as `callTracer` reports them. Members that are not part of {@link Block} have made-up values.
 * For tests only.
 */
export function renderBlock(block: Block) {
  const place = { blockHash: Hex.encode(block.hash), blockNumber: quantity(block.height) }
  let spent = 0n
  return {
    block: {
      baseFeePerGas: quantity(block.baseFee ?? 0n),
      blockGasCost: quantity(block.blockGasCost ?? 0n),
      difficulty: '0x1',
      extDataHash: EMPTY_ROOT,
      extraData: `0x${'00'.repeat(80)}`,
      gasLimit: quantity(block.gasLimit),
      gasUsed: quantity(block.gasUsed),
      hash: place.blockHash,
      logsBloom: bloomOf(block.transactions.flatMap(({ logs }) => logs)),
      miner: Hex.encode(block.miner),
      mixHash: EMPTY_ROOT,
      nonce: '0x0000000000000000',
      number: place.blockNumber,
      parentHash: Hex.encode(block.parentHash),
      receiptsRoot: hashOf(`receipts of ${place.blockHash}`),
      sha3Uncles: EMPTY_ROOT,
      size: '0x5208',
      stateRoot: hashOf(`state of ${place.blockHash}`),
      timestamp: quantity(block.timestamp),
      ...(block.timestampMilliseconds !== undefined && {
        timestampMilliseconds: quantity(block.timestampMilliseconds),
      }),
      ...(block.minDelayExcess !== undefined && { minDelayExcess: quantity(block.minDelayExcess) }),
      transactions: block.transactions.map((one) => transactionOf(one, place)),
      transactionsRoot: hashOf(`transactions of ${place.blockHash}`),
      uncles: [],
    },
    receipts: block.transactions.map((one) => {
      spent += one.gasUsed
      return receiptOf(one, place, spent)
    }),
    ...(block.traces !== undefined && {
      traces: block.traces.map((frame, i) => ({
        txHash: Hex.encode((block.transactions[i] as Transaction).hash),
        result: frameOf(frame, block.transactions[i]?.input),
      })),
    }),
  }
}

interface Place {
  readonly blockHash: string
  readonly blockNumber: string
}

function transactionOf(one: Transaction, place: Place) {
  const hash = Hex.encode(one.hash)
  return {
    accessList: [],
    ...place,
    chainId: '0x7a69',
    from: Hex.encode(one.from),
    gas: quantity(one.gasLimit),
    gasPrice: quantity(one.gasPrice),
    hash,
    input: Hex.encode(one.input),
    ...(one.maxFeePerGas !== undefined && { maxFeePerGas: quantity(one.maxFeePerGas) }),
    ...(one.maxPriorityFeePerGas !== undefined && {
      maxPriorityFeePerGas: quantity(one.maxPriorityFeePerGas),
    }),
    nonce: quantity(one.nonce),
    r: hashOf(`${hash} r`),
    s: hashOf(`${hash} s`),
    to: one.to === undefined ? null : Hex.encode(one.to),
    transactionIndex: quantity(one.index),
    type: quantity(one.type),
    v: '0x1',
    value: quantity(one.value),
    yParity: '0x1',
  }
}

function receiptOf(one: Transaction, place: Place, cumulativeGasUsed: bigint) {
  const own = { ...place, transactionHash: Hex.encode(one.hash), transactionIndex: quantity(one.index) }
  return {
    ...own,
    contractAddress: one.contractAddress === undefined ? null : Hex.encode(one.contractAddress),
    cumulativeGasUsed: quantity(cumulativeGasUsed),
    effectiveGasPrice: quantity(one.gasPrice),
    from: Hex.encode(one.from),
    gasUsed: quantity(one.gasUsed),
    logs: one.logs.map(({ address, topics, data, index }) => ({
      address: Hex.encode(address),
      topics: topics.map((topic) => Hex.encode(topic)),
      data: Hex.encode(data),
      ...own,
      logIndex: quantity(index),
      removed: false,
    })),
    logsBloom: bloomOf(one.logs),
    status: one.succeeded ? '0x1' : '0x0',
    to: one.to === undefined ? null : Hex.encode(one.to),
    type: quantity(one.type),
  }
}

function frameOf(frame: CallFrame, input: Uint8Array = new Uint8Array()): object {
  return {
    from: Hex.encode(frame.from),
    gas: quantity(frame.gas),
    gasUsed: quantity(frame.gasUsed),
    ...(frame.to !== undefined && { to: Hex.encode(frame.to) }),
    input: Hex.encode(input),
    output: `0x${'0'.repeat(63)}1`,
    ...(frame.succeeded ? {} : { error: 'execution reverted' }),
    ...(frame.calls.length > 0 && { calls: frame.calls.map((call) => frameOf(call)) }),
    value: quantity(frame.value),
    type: frame.type,
  }
}

/** Returns the bloom of logs: three bits for each address and topic. */
function bloomOf(logs: readonly Log[]): string {
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = new DataView(keccak_256(item).buffer)
    for (const at of [0, 2, 4]) {
      const bit = hash.getUint16(at) % (8 * BLOOM_BYTES)
      const place = BLOOM_BYTES - 1 - Math.floor(bit / 8)
      bloom[place] = (bloom[place] as number) | (1 << (bit % 8))
    }
  }
  return Hex.encode(bloom)
}
