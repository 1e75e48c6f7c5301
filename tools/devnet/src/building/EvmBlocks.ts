import { Bytes, Hex } from '@firn/codec'
import { AtomicBatch, type AtomicTx } from '@firn/txs'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The content of a C-chain block without EVM transactions. */
export interface Content {
  readonly parentHash: Uint8Array
  readonly height: bigint
  /** Unix seconds. */
  readonly time: bigint
  readonly txs: readonly AtomicTx.AtomicTx[]
}

type Item = Uint8Array | readonly Item[]

const SHORT_MAX = 55
const NONE = new Uint8Array()
const HASH = new Uint8Array(32)
/** Hash of an empty trie. */
const NO_TRIE = keccak_256(rlp(NONE))
/** Hash of an empty list of uncles. */
const NO_UNCLES = keccak_256(rlp([]))

/** Price of gas in wei: the base fee of every block. */
export const BASE_FEE = 25_000_000_000n
const GAS_LIMIT = 15_000_000n

/**
 * Encodes a block that contains only atomic transactions, in the format since Granite. There is no EVM: the state root
 * belongs to an empty state.
 */
export function encode({ parentHash, height, time, txs }: Content): Uint8Array {
  const extData = AtomicBatch.encode(txs)
  const header = [
    ...[parentHash, NO_UNCLES, new Uint8Array(20), NO_TRIE, NO_TRIE, NO_TRIE, new Uint8Array(256)],
    ...[number(1n), number(height), number(GAS_LIMIT), NONE, number(time), NONE, HASH, new Uint8Array(8)],
    ...[keccak_256(rlp(extData)), number(BASE_FEE), NONE, NONE, NONE, NONE, HASH],
    ...[number(time * 1_000n), NONE],
  ]
  return rlp([header, [], [], NONE, extData])
}

function rlp(item: Item): Uint8Array {
  if (!(item instanceof Uint8Array)) return withLength(0xc0, Bytes.concat(...item.map(rlp)))
  return item.length === 1 && (item[0] as number) < 0x80 ? item : withLength(0x80, item)
}

function withLength(prefix: number, payload: Uint8Array): Uint8Array {
  if (payload.length <= SHORT_MAX) return Bytes.concat(Uint8Array.of(prefix + payload.length), payload)
  const size = number(BigInt(payload.length))
  return Bytes.concat(Uint8Array.of(prefix + SHORT_MAX + size.length), size, payload)
}

function number(value: bigint): Uint8Array {
  if (value === 0n) return NONE
  const digits = value.toString(16)
  return Hex.decodeBare(digits.padStart(digits.length + (digits.length % 2), '0'))
}
