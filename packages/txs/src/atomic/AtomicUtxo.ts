import type * as Codec from '@firn/codec/Codec'
import * as BaseTx from '../avax/BaseTx.ts'
import * as Utxo from '../avax/Utxo.ts'
import * as Owners from '../fx/Owners.ts'
import * as AtomicTx from './AtomicTx.ts'

/** An unspent output that the C-chain exported or can import. */
export type AtomicUtxo = Utxo.Utxo<AtomicTx.Output>

/** Codec of the bytes that `avax.getUTXOs` serves, and of the node's JSON. */
export const codec: Codec.Codec<AtomicUtxo> = Utxo.codec(AtomicTx.Output)

/**
 * Decodes the UTXO in `bytes`.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { AtomicUtxo } from '@firn/txs'
 *
 * declare const hex: string // of avax.getUTXOs
 * const { output } = AtomicUtxo.decode(CheckedHex.decode(hex))
 * console.log(output.amount)
 * ```
 * @throws CodecError if the bytes are malformed, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): AtomicUtxo {
  return codec.decode(bytes)
}

/**
 * Encodes a UTXO, with the codec version.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { AtomicUtxo } from '@firn/txs'
 *
 * declare const utxo: AtomicUtxo.AtomicUtxo
 * const hex = CheckedHex.encode(AtomicUtxo.encode(utxo))
 * ```
 */
export function encode(utxo: AtomicUtxo): Uint8Array {
  return codec.encode(utxo)
}

/**
 * Checks a UTXO's asset, amount and owners, without the chain's state.
 * @example
 * ```ts
 * import { AtomicUtxo } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * AtomicUtxo.assertValid(AtomicUtxo.decode(bytes))
 * ```
 * @throws TxsError `TXS_ASSET_ID`, `TXS_NO_VALUE`, and the errors of `Owners.assertValid`
 */
export function assertValid({ assetID: assetId, output }: AtomicUtxo): void {
  BaseTx.assertAsset(assetId)
  Owners.assertOutput(output)
}

/**
 * Returns the UTXOs that a transaction exports to its destination chain; empty for an import.
 * @example
 * ```ts
 * import { AtomicTx, AtomicUtxo } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // an export transaction
 * const utxos = AtomicUtxo.of(AtomicTx.decode(bytes), AtomicTx.id(bytes))
 * ```
 */
export function of({ unsignedTx }: AtomicTx.AtomicTx, txId: Uint8Array): AtomicUtxo[] {
  return Utxo.of(txId, AtomicTx.exported(unsignedTx)?.outputs ?? [])
}
