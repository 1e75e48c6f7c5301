import { Bytes, Hex } from '@firn/codec'
import type { EvmBlock } from '@firn/txs'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { refuse } from './refuse.ts'

/** Hash of empty atomic data. */
const EMPTY = keccak_256(Uint8Array.of(0x80))

/** Checks that the atomic transactions of a block match the hash in its header. */
export function assertExtData({ header, extData }: EvmBlock.EvmBlock): void {
  const actual = extData.length === 0 ? EMPTY : keccak_256(encode(extData))
  if (Bytes.equals(actual, header.extDataHash)) return
  const details = { expected: Hex.encode(header.extDataHash), actual: Hex.encode(actual) }
  refuse(
    'LEDGER_EXT_DATA',
    `the atomic transactions do not match the hash ${details.expected} in the block header`,
    details,
  )
}

/** Encodes a byte string as RLP. */
function encode(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  if (length === 1 && (bytes[0] as number) < 0x80) return bytes
  if (length <= 55) return Bytes.concat(Uint8Array.of(0x80 + length), bytes)
  const size = new Uint8Array(4)
  new DataView(size.buffer).setUint32(0, length)
  const digits = size.subarray(size.findIndex((byte) => byte > 0))
  return Bytes.concat(Uint8Array.of(0xb7 + digits.length), digits, bytes)
}
