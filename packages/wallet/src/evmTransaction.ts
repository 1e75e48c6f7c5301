import { Bytes } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** A transaction of an EVM chain with a priority fee (EIP-1559). Amounts and prices are in wei. */
export interface EvmTransaction {
  readonly chainId: bigint
  readonly nonce: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly gas: bigint
  /** Address of 20 bytes. */
  readonly to: Uint8Array
  readonly value: bigint
  readonly data: Uint8Array
}

/** Type of transactions with a priority fee. */
const TYPE = Uint8Array.of(2)
/** RLP prefixes: of a string and of a list of up to 55 bytes. A longer length follows its own length plus 55. */
const [STRING, LIST, SHORT_MAX] = [0x80, 0xc0, 55]
const NO_ACCESS_LIST = Uint8Array.of(LIST)
const R_LENGTH = 32

/** Returns the hash (32 bytes) that the sender signs. */
export function hashToSign(tx: EvmTransaction): Uint8Array {
  return keccak_256(envelope(membersOf(tx)))
}

/** Encodes a transaction with its signature: r, s and v as 0 or 1. */
export function encodeSigned(tx: EvmTransaction, signature: Uint8Array): Uint8Array {
  const parts = [signature.subarray(64), signature.subarray(0, R_LENGTH), signature.subarray(R_LENGTH, 64)]
  return envelope([...membersOf(tx), ...parts.map((part) => string(withoutZeros(part)))])
}

function membersOf(tx: EvmTransaction): Uint8Array[] {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, data } = tx
  const numbers = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map((number) =>
    string(bytesOf(number)),
  )
  return [...numbers, string(to), string(bytesOf(value)), string(data), NO_ACCESS_LIST]
}

const envelope = (members: readonly Uint8Array[]): Uint8Array =>
  Bytes.concat(TYPE, prefixed(LIST, Bytes.concat(...members)))

function string(bytes: Uint8Array): Uint8Array {
  const [first = STRING] = bytes
  return bytes.length === 1 && first < STRING ? bytes : prefixed(STRING, bytes)
}

function prefixed(kind: number, content: Uint8Array): Uint8Array {
  if (content.length <= SHORT_MAX) return Bytes.concat(Uint8Array.of(kind + content.length), content)
  const length = bytesOf(BigInt(content.length))
  return Bytes.concat(Uint8Array.of(kind + SHORT_MAX + length.length), length, content)
}

/** Returns a number as big-endian bytes without leading zeros. */
function bytesOf(number: bigint): Uint8Array {
  const hex = number.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  return number === 0n
    ? new Uint8Array()
    : Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  return start < 0 ? new Uint8Array() : bytes.subarray(start)
}
