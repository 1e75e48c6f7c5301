import { Bytes } from '@firn/codec'
import { Rlp } from '@firn/txs'
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
const R_LENGTH = 32

/** Returns the hash (32 bytes) that the sender signs. */
export function hashToSign(tx: EvmTransaction): Uint8Array {
  return keccak_256(envelope(membersOf(tx)))
}

/** Encodes a transaction with its signature: r, s and v as 0 or 1. */
export function encodeSigned(tx: EvmTransaction, signature: Uint8Array): Uint8Array {
  const parts = [signature.subarray(64), signature.subarray(0, R_LENGTH), signature.subarray(R_LENGTH, 64)]
  return envelope([...membersOf(tx), ...parts.map(withoutZeros)])
}

function membersOf(tx: EvmTransaction): readonly Rlp.Value[] {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, data } = tx
  const numbers = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(Rlp.fromBigint)
  const accessList: readonly Rlp.Value[] = []
  return [...numbers, to, Rlp.fromBigint(value), data, accessList]
}

const envelope = (members: readonly Rlp.Value[]): Uint8Array => Bytes.concat(TYPE, Rlp.encode(members))

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  return start < 0 ? new Uint8Array() : bytes.subarray(start)
}
