import { Bytes, Hex, Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'

/** Codec of a UTXO's id: the transaction and the index of its output. */
export const UtxoId = Codec.struct({ txID: Codec.id, outputIndex: Codec.u32 })
export type UtxoId = Codec.Infer<typeof UtxoId>

/**
 * Returns the id under which the node stores the UTXO (32 bytes): SHA-256 of the index as u64 and the
 * transaction's id.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { UtxoId } from '@firn/txs'
 *
 * const utxo = { txID: new Uint8Array(32).fill(1), outputIndex: 0 }
 * Id.format(UtxoId.inputId(utxo)) // '2DGLQWUVr1hhNAyMUSGMfPmGnKkJ5ahhHxNiVPUeKvNT7t7vcM'
 * ```
 * @throws CodecError `CODEC_ID` if the transaction id is not 32 bytes long
 */
export function inputId(utxo: UtxoId): Uint8Array {
  return Id.prefix(utxo.txID, BigInt(utxo.outputIndex))
}

/**
 * Compares UTXO ids by transaction id, then by output index.
 * @example
 * ```ts
 * import { UtxoId } from '@firn/txs'
 *
 * declare const inputs: readonly UtxoId.UtxoId[]
 * const sorted = [...inputs].sort(UtxoId.compare)
 * ```
 */
export function compare(a: UtxoId, b: UtxoId): number {
  return Bytes.compare(a.txID, b.txID) || a.outputIndex - b.outputIndex
}

/**
 * Returns a text that identifies the UTXO, for keys of maps. It is computed faster than {@link format}.
 * @example
 * ```ts
 * import { UtxoId } from '@firn/txs'
 *
 * declare const inputs: readonly UtxoId.UtxoId[]
 * const spent = new Set(inputs.map(UtxoId.key))
 * ```
 */
export function key({ txID: txId, outputIndex }: UtxoId): string {
  return `${Hex.encodeBare(txId)}:${outputIndex}`
}

/**
 * Formats the id as `txID:outputIndex`, with the transaction id in cb58.
 * @example
 * ```ts
 * import { UtxoId } from '@firn/txs'
 *
 * const utxo = { txID: new Uint8Array(32).fill(1), outputIndex: 2 }
 * UtxoId.format(utxo) // 'SeLqn3UAUoRymWmwW7axrzJK7JfNaBR2cHCryA6cFscgkny8:2'
 * ```
 * @throws CodecError `CODEC_ID` if the transaction id is not 32 bytes long
 */
export function format(utxo: UtxoId): string {
  return `${Id.format(utxo.txID)}:${utxo.outputIndex}`
}

/**
 * Parses a string of the form `txID:outputIndex`.
 * @example
 * ```ts
 * import { UtxoId } from '@firn/txs'
 *
 * const { outputIndex } = UtxoId.parse('SkB92YpWm4Q2ijQHH34cqbKkCZWszsiQgHVjtNeFF2HdvDQU:2')
 * outputIndex // 2
 * ```
 * @throws TxsError `TXS_UTXO_ID`; CodecError `CODEC_CB58`, `CODEC_CHECKSUM`, `CODEC_ID`
 */
export function parse(text: string): UtxoId {
  const [txId, index, ...rest] = text.split(':')
  const outputIndex = index !== undefined && /^[0-9]+$/.test(index) ? Number(index) : Number.NaN
  if (txId === undefined || rest.length > 0 || !(outputIndex <= 0xffff_ffff)) {
    throw new TxsError(
      'TXS_UTXO_ID',
      `expected a UTXO id of the form txID:outputIndex, got ${text.slice(0, 80)}`,
      {
        details: { text },
      },
    )
  }
  return { txID: Id.parse(txId), outputIndex }
}
