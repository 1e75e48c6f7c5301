import * as Codec from '@firn/codec/Codec'
import type { TransferableOutput } from './TransferableOutput.ts'
import * as UtxoId from './UtxoId.ts'

/** An unspent output: which one, of which asset, and what it holds. */
export interface Utxo<O> extends UtxoId.UtxoId {
  readonly assetID: Uint8Array
  readonly output: O
}

/** The codec of the UTXOs of a chain, whose kinds of output are `output`. */
export function codec<O>(output: Codec.Codec<O>): Codec.Codec<Utxo<O>> {
  return Codec.versioned(Codec.struct({ ...UtxoId.UtxoId.fields, assetID: Codec.id, output }))
}

/** The UTXOs that outputs become: of the transaction `txID`, counted from `firstIndex`. */
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
