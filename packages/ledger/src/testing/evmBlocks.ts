import { Bytes, Hex } from '@firn/codec'
import { AtomicBatch, type AtomicTx, EvmBlock } from '@firn/txs'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The content of an artificial C-chain block. For tests only. */
export interface Parts {
  readonly parentHash: Uint8Array
  readonly number: bigint
  readonly timestamp: bigint
  readonly txs: readonly AtomicTx.AtomicTx[]
  /** Overrides the atomic data encoded from `txs`. */
  readonly extData?: Uint8Array
  /** Overrides the hash of the atomic transactions. */
  readonly extDataHash?: Uint8Array
  /** Format of the header; `sae` (asynchronous execution) has six more fields. */
  readonly form?: 'coreth' | 'sae'
}

type Item = Uint8Array | readonly Item[]

/** Encodes byte strings and lists as RLP. */
export function rlp(item: Item): Uint8Array {
  if (item instanceof Uint8Array) {
    return item.length === 1 && (item[0] as number) < 0x80
      ? item
      : Bytes.concat(prefix(item.length, 0x80), item)
  }
  const payload = Bytes.concat(...item.map(rlp))
  return Bytes.concat(prefix(payload.length, 0xc0), payload)
}

function prefix(length: number, base: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length)
  const size = number(BigInt(length))
  return Bytes.concat(Uint8Array.of(base + 55 + size.length), size)
}

function number(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return Hex.decodeBare(digits.padStart(digits.length + (digits.length % 2), '0'))
}

const hash = new Uint8Array(32)
const none = new Uint8Array()

/** Encodes a block that contains only atomic transactions. */
export function encode({ form = 'coreth', extData: given, ...parts }: Parts): Uint8Array {
  const extData = given ?? AtomicBatch.encode(parts.txs)
  const { parentHash, timestamp, extDataHash = keccak_256(rlp(extData)) } = parts
  const header = [
    ...[parentHash, hash, new Uint8Array(20), hash, hash, hash, new Uint8Array(256), none],
    ...[number(parts.number), none, none, number(timestamp), none, hash, new Uint8Array(8), extDataHash],
    ...[none, none, none, none, none, hash, number(timestamp * 1000n), none],
    ...(form === 'sae' ? [none, none, none, none, none, none] : []),
  ]
  return rlp([header, [], [], none, extData])
}

/** Returns the hash of an encoded block. */
export function id(bytes: Uint8Array): Uint8Array {
  return EvmBlock.decode(bytes).hash
}
