import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'
import * as AtomicTx from './AtomicTx.ts'
import type { EvmBlock } from './EvmBlock.ts'

/** Codec of the atomic transactions in a block since Apricot phase 5: a codec version, then a list. */
export const codec = Codec.versioned(Codec.array(AtomicTx.Tx))

/**
 * Encodes the atomic transactions of a block since Apricot phase 5. Returns empty bytes for an empty list.
 * @example
 * ```ts
 * import { AtomicBatch, type AtomicTx } from '@firn/txs'
 *
 * declare const txs: readonly AtomicTx.AtomicTx[]
 * const extData = AtomicBatch.encode(txs)
 * ```
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
 */
export function encode(txs: readonly AtomicTx.AtomicTx[]): Uint8Array {
  return txs.length === 0 ? new Uint8Array() : codec.encode(txs)
}

/**
 * Decodes the atomic transactions of a block since Apricot phase 5. Returns an empty list for empty bytes.
 * @example
 * ```ts
 * import { AtomicBatch } from '@firn/txs'
 *
 * declare const extData: Uint8Array // of a C-chain block
 * const types = AtomicBatch.decode(extData).map(({ unsignedTx }) => unsignedTx.type)
 * ```
 * @throws CodecError if the bytes are malformed; TxsError `TXS_EMPTY` if the encoded list is empty
 */
export function decode(bytes: Uint8Array): readonly AtomicTx.AtomicTx[] {
  if (bytes.length === 0) return []
  const txs = codec.decode(bytes)
  if (txs.length > 0) return txs
  throw new TxsError(
    'TXS_EMPTY',
    "expected at least one atomic transaction in the block's extra data, got an empty list",
  )
}

/**
 * Decodes the atomic transaction, if any, of a block before Apricot phase 5.
 * @example
 * ```ts
 * import { AtomicBatch } from '@firn/txs'
 *
 * declare const extData: Uint8Array // of a C-chain block before Apricot phase 5
 * const [tx] = AtomicBatch.decodeSingle(extData)
 * ```
 * @throws CodecError if the bytes are malformed
 */
export function decodeSingle(bytes: Uint8Array): readonly AtomicTx.AtomicTx[] {
  return bytes.length === 0 ? [] : [AtomicTx.decode(bytes)]
}

/**
 * Returns the atomic transactions of a C-chain block. `apricotPhase5Time` (Unix seconds) is the time from
 * which a block may contain more than one.
 * @example
 * ```ts
 * import { AtomicBatch, EvmBlock } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a C-chain block of Mainnet
 * const txs = AtomicBatch.of(EvmBlock.decode(bytes), 1_638_468_000n)
 * ```
 * @throws CodecError if the bytes are malformed; TxsError `TXS_EMPTY`
 */
export function of({ header, extData }: EvmBlock, apricotPhase5Time: bigint): readonly AtomicTx.AtomicTx[] {
  return header.timestamp >= apricotPhase5Time ? decode(extData) : decodeSingle(extData)
}
