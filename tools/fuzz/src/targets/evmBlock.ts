import { Bytes, Hex } from '@firn/codec'
import { EvmBlock } from '@firn/txs'

type Item = Uint8Array | readonly Item[]

const number = (value: bigint): Uint8Array => {
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return Hex.decodeBare(digits.padStart(digits.length + (digits.length % 2), '0'))
}

const prefix = (length: number, base: number): Uint8Array => {
  if (length <= 55) return Uint8Array.of(base + length)
  const size = number(BigInt(length))
  return Bytes.concat(Uint8Array.of(base + 55 + size.length), size)
}

/** Encodes byte strings and lists of them as RLP. */
const rlp = (item: Item): Uint8Array => {
  if (!(item instanceof Uint8Array)) {
    const payload = Bytes.concat(...item.map(rlp))
    return Bytes.concat(prefix(payload.length, 0xc0), payload)
  }
  const isByte = item.length === 1 && (item[0] ?? 0) < 0x80
  return isByte ? item : Bytes.concat(prefix(item.length, 0x80), item)
}

/**
 * Returns a block with other atomic transactions. The header is adapted to these transactions and to the
 * given position.
 */
export const rebuild = (
  { header, extData }: EvmBlock.EvmBlock,
  { height, parentHash, time }: { height: bigint; parentHash: Uint8Array; time: bigint },
): Uint8Array => {
  const { sha3Uncles: hash, miner, logsBloom, extraData, nonce, timestamp } = header
  const none = new Uint8Array()
  const fields = [
    ...[parentHash, hash, miner, hash, hash, hash, logsBloom, none, number(height), none, none],
    ...[number(timestamp < time ? time : timestamp), extraData, hash, nonce],
    // The hash covers the bytes of the atomic transactions, even if these are malformed.
    EvmBlock.transactionHash(rlp(extData)),
  ]
  return rlp([fields, [], [], none, extData])
}
