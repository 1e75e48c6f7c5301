import * as Codec from '@firn/codec/Codec'
import type { TransferableOutput } from './TransferableOutput.ts'
import * as UtxoId from './UtxoId.ts'

/** An unspent output: its id, its asset and its content. */
export interface Utxo<O> extends UtxoId.UtxoId {
  readonly assetID: Uint8Array
  readonly output: O
}

/**
 * Returns the codec of a chain's UTXOs. `output` is the codec of their content.
 * @example
 * ```ts
 * import { Stakeable, Utxo } from '@firn/txs'
 *
 * const codec = Utxo.codec(Stakeable.Output)
 * declare const bytes: Uint8Array // a UTXO of the P-chain
 * const { assetID, output } = codec.decode(bytes)
 * ```
 */
export function codec<O>(output: Codec.Codec<O>): Codec.Codec<Utxo<O>> {
  return Codec.versioned(Codec.struct({ ...UtxoId.UtxoId.fields, assetID: Codec.id, output }))
}

/**
 * Returns the UTXOs that the outputs of transaction `txId` create. Output indices start at `firstIndex`.
 * @example
 * ```ts
 * import { type Stakeable, type TransferableOutput, Utxo } from '@firn/txs'
 *
 * declare const txId: Uint8Array
 * declare const outputs: readonly TransferableOutput.TransferableOutput<Stakeable.Output>[]
 * const [first] = Utxo.of(txId, outputs) // the UTXO with index 0
 * ```
 */
export function of<O>(
  txId: Uint8Array,
  outputs: readonly TransferableOutput<O>[],
  firstIndex = 0,
): Utxo<O>[] {
  return outputs.map(({ assetID: assetId, output }, i) => ({
    txID: txId,
    outputIndex: firstIndex + i,
    assetID: assetId,
    output,
  }))
}
