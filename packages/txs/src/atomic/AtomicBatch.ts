import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'
import * as AtomicTx from './AtomicTx.ts'
import type { EvmBlock } from './EvmBlock.ts'

/** The atomic transactions of a block since Apricot phase 5: a list after its codec version. */
export const codec = Codec.versioned(Codec.array(AtomicTx.Tx))

/**
 * Encodes a block's atomic transactions since Apricot phase 5.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
 */
export function encode(txs: readonly AtomicTx.AtomicTx[]): Uint8Array {
  return txs.length === 0 ? new Uint8Array() : codec.encode(txs)
}

/**
 * Decodes the atomic transactions of a block since Apricot phase 5; empty bytes contain none.
 * @throws CodecError any code of binary data; TxsError `TXS_EMPTY`: an empty list
 */
export function decode(bytes: Uint8Array): readonly AtomicTx.AtomicTx[] {
  if (bytes.length === 0) return []
  const txs = codec.decode(bytes)
  if (txs.length > 0) return txs
  throw new TxsError('TXS_EMPTY', 'expected atomic transactions in the bytes of a block, got an empty list')
}

/**
 * Decodes the atomic transaction, if any, of a block before Apricot phase 5.
 * @throws CodecError any code of binary data
 */
export function decodeSingle(bytes: Uint8Array): readonly AtomicTx.AtomicTx[] {
  return bytes.length === 0 ? [] : [AtomicTx.decode(bytes)]
}

/**
 * Returns the atomic transactions of a C-chain block. `apricotPhase5Time` (Unix seconds) is when the network
 * started to allow more than one per block.
 * @throws CodecError any code of binary data; TxsError `TXS_EMPTY`
 */
export function of({ header, extData }: EvmBlock, apricotPhase5Time: bigint): readonly AtomicTx.AtomicTx[] {
  return header.timestamp >= apricotPhase5Time ? decode(extData) : decodeSingle(extData)
}
