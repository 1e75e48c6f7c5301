import { Bytes, Hex } from '@firn/codec'
import type { Block, Log } from './Block.ts'

/** The token standards whose transfers are recognized. */
export type Standard = 20 | 721 | 1155

/** A token transfer from a log. A mint comes from the zero address, and a burn goes to the zero address. */
export interface Transfer {
  readonly transactionIndex: number
  readonly logIndex: bigint
  /** Index in an ERC-1155 batch or in a range of ERC-2309; 0 for all other transfers. */
  readonly position: number
  readonly standard: Standard
  readonly contract: Uint8Array
  readonly from: Uint8Array
  readonly to: Uint8Array
  /** Token id; undefined for ERC-20. */
  readonly tokenId: bigint | undefined
  /** Amount; 1 for ERC-721. */
  readonly amount: bigint
}

/**
 * Maximum number of transfers in a block that come from logs of ERC-2309, each of which stands for a range of tokens.
 * Later ranges of the block that would exceed it are skipped. The limit is needed because a log costs little gas
 * whatever the length of its range.
 */
export const MAX_CONSECUTIVE = 20_000

/**
 * Returns the token transfers of a block in the order of its logs. Skips logs that only resemble a transfer. A log
 * `Transfer` may have fields that are not indexed. A log `ConsecutiveTransfer` (ERC-2309) gives one transfer for each
 * token of its range, up to {@link MAX_CONSECUTIVE} in a block.
 *
 * @example
 * ```ts
 * import { type Block, Transfers } from '@firn/evm'
 *
 * declare const block: Block
 * for (const { standard, from, to, amount } of Transfers.of(block)) console.log(standard, from, to, amount)
 * ```
 */
export function of(block: Block): Transfer[] {
  const transfers: Transfer[] = []
  let room = MAX_CONSECUTIVE
  for (const { index, logs } of block.transactions) {
    for (const log of logs) {
      const range = consecutive(log, room)
      room -= range.length
      const moved = range.length > 0 ? range : inLog(log)
      moved.forEach(({ standard, from, to, tokenId, amount }, position) => {
        const { address: contract, index: logIndex } = log
        transfers.push({
          transactionIndex: index,
          logIndex,
          position,
          standard,
          contract,
          from,
          to,
          tokenId,
          amount,
        })
      })
    }
  }
  return transfers
}

const NONE: readonly never[] = []

type LogTransfer = Pick<Transfer, 'standard' | 'from' | 'to' | 'tokenId' | 'amount'>

const WORD = 32

/** Topic of `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
const TRANSFER = Hex.decode('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
/** Topic of `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155. */
const SINGLE = Hex.decode('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')
/** Topic of `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155. */
const BATCH = Hex.decode('0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb')

/** Topic of `ConsecutiveTransfer(uint256,uint256,address,address)` of ERC-2309. */
const CONSECUTIVE = Hex.decode('0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d')

function inLog({ topics, data }: Log): readonly LogTransfer[] {
  const [signature, first, second, third] = topics
  if (signature === undefined) return []
  if (second === undefined) return Bytes.equals(signature, TRANSFER) ? unindexed(first, data) : []
  if (first === undefined) return []
  if (Bytes.equals(signature, TRANSFER)) {
    return third === undefined ? fungible(first, second, data) : unique(first, second, third, data)
  }
  if (third === undefined) return []
  const isSingle = Bytes.equals(signature, SINGLE)
  if (!isSingle && !Bytes.equals(signature, BATCH)) return []
  const [from, to] = [addressOf(second), addressOf(third)]
  // `first` is the operator, which must also be a valid address.
  if (addressOf(first) === undefined || from === undefined || to === undefined) return []
  return (isSingle ? single(data) : batch(data)).map((moved) => ({ standard: 1155, from, to, ...moved }))
}

function fungible(sender: Uint8Array, recipient: Uint8Array, data: Uint8Array): LogTransfer[] {
  const [from, to] = [addressOf(sender), addressOf(recipient)]
  if (from === undefined || to === undefined || data.length !== WORD) return []
  return [{ standard: 20, from, to, tokenId: undefined, amount: word(data, 0) }]
}

/** Reads an ERC-20 transfer whose recipient, or sender and recipient, are part of the data. */
function unindexed(sender: Uint8Array | undefined, data: Uint8Array): LogTransfer[] {
  const words = sender === undefined ? data : Uint8Array.of(...sender, ...data)
  if (words.length !== 3 * WORD) return []
  return fungible(words.subarray(0, WORD), words.subarray(WORD, 2 * WORD), words.subarray(2 * WORD))
}

/** Returns the transfers of a range of ERC-721 tokens; none if there are more than `room`. */
function consecutive({ topics, data }: Log, room: number): readonly LogTransfer[] {
  const [signature, first, sender, recipient] = topics
  if (signature === undefined || first === undefined || sender === undefined || recipient === undefined)
    return NONE
  if (data.length !== WORD || !Bytes.equals(signature, CONSECUTIVE)) return NONE
  const [from, to] = [addressOf(sender), addressOf(recipient)]
  const [start, end] = [word(first, 0), word(data, 0)]
  if (from === undefined || to === undefined || end < start || end - start >= BigInt(room)) return []
  return Array.from({ length: Number(end - start) + 1 }, (_, i) => {
    return { standard: 721, from, to, tokenId: start + BigInt(i), amount: 1n }
  })
}

function unique(sender: Uint8Array, recipient: Uint8Array, id: Uint8Array, data: Uint8Array): LogTransfer[] {
  const [from, to] = [addressOf(sender), addressOf(recipient)]
  if (from === undefined || to === undefined || data.length !== 0) return []
  return [{ standard: 721, from, to, tokenId: word(id, 0), amount: 1n }]
}

type Moved = Pick<Transfer, 'tokenId' | 'amount'>

function single(data: Uint8Array): Moved[] {
  return data.length === 2 * WORD ? [{ tokenId: word(data, 0), amount: word(data, WORD) }] : []
}

function batch(data: Uint8Array): Moved[] {
  const [ids, amounts] = [listAt(data, 0), listAt(data, WORD)]
  if (ids === undefined || amounts === undefined || ids.count !== amounts.count) return []
  return Array.from({ length: ids.count }, (_, i) => ({
    tokenId: word(data, ids.start + i * WORD),
    amount: word(data, amounts.start + i * WORD),
  }))
}

/**
 * Returns where the elements of an array start and how many there are. The offset of the array is stored at `head`.
 * Returns undefined if part of the array is outside `data`.
 */
function listAt(
  data: Uint8Array,
  head: number,
): { readonly start: number; readonly count: number } | undefined {
  if (data.length < head + WORD) return undefined
  const offset = word(data, head)
  if (offset > BigInt(data.length - WORD)) return undefined
  const start = Number(offset) + WORD
  const count = word(data, start - WORD)
  return count > BigInt(Math.floor((data.length - start) / WORD))
    ? undefined
    : { start, count: Number(count) }
}

function word(bytes: Uint8Array, start: number): bigint {
  return BigInt(Hex.encode(bytes.subarray(start, start + WORD)))
}

/** Returns the address in a topic, or undefined if the padding is not zero. */
function addressOf(topic: Uint8Array): Uint8Array | undefined {
  for (let i = 0; i < 12; i++) if (topic[i] !== 0) return undefined
  return topic.subarray(12)
}
