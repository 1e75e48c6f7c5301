import * as Codec from '@firn/codec/Codec'
import type { TransferableOutput } from './TransferableOutput.ts'
import * as UtxoId from './UtxoId.ts'

/** An unspent output: its id, its asset and its content. */
export interface Utxo<O> extends UtxoId.UtxoId {
  readonly assetID: Uint8Array
  readonly output: O
}

/** Returns the codec of a chain's UTXOs. `output` is the codec of their content. */
export function codec<O>(output: Codec.Codec<O>): Codec.Codec<Utxo<O>> {
  return Codec.versioned(Codec.struct({ ...UtxoId.UtxoId.fields, assetID: Codec.id, output }))
}

/** Returns the UTXOs that the outputs of transaction `txId` create. Output indices start at `firstIndex`. */
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
