import { Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import * as UtxoOf from '../avax/Utxo.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import { withId } from '../internal/withId.ts'
import type * as PlatformUtxo from './PlatformUtxo.ts'
import type * as Stakeable from './Stakeable.ts'
import { UnsignedTx } from './UnsignedTx.ts'
import { Verifiable } from './Verifiable.ts'

/** A transaction: what it does, and the credentials of those whom it needs. */
export interface PlatformTx {
  readonly unsignedTx: UnsignedTx
  readonly credentials: readonly Verifiable[]
}

const layout: Codec.StructCodec<{
  readonly unsignedTx: Codec.Codec<UnsignedTx>
  readonly credentials: Codec.Codec<readonly Verifiable[]>
}> = Codec.struct({ unsignedTx: UnsignedTx, credentials: Codec.array(Verifiable) })

const unbounded = Codec.versioned(layout, { maxSize: 2 ** 31 - 1 })

/** A transaction without a codec version, as it stands in blocks and in the genesis. Its JSON has the `id`. */
export const Tx: Codec.Codec<PlatformTx> = withId(layout, (tx) => Id.hash(unbounded.encode(tx)))

/** A transaction as it is issued and stored: codec version 0, at most 256 KiB. */
export const codec: Codec.Codec<PlatformTx> = Codec.versioned(Tx)

const unsigned = Codec.versioned(UnsignedTx)

/**
 * The transaction in `bytes`. Nothing is verified.
 * @throws CodecError any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): PlatformTx {
  return codec.decode(bytes)
}

/**
 * The bytes of a transaction, with the codec version.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
 */
export function encode(tx: PlatformTx): Uint8Array {
  return codec.encode(tx)
}

/** The id of the transaction whose bytes are given: their SHA-256. */
export function id(bytes: Uint8Array): Uint8Array {
  return Id.hash(bytes)
}

/**
 * The bytes that signers sign (by their SHA-256), with the codec version.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
 */
export function encodeUnsigned(tx: UnsignedTx): Uint8Array {
  return unsigned.encode(tx)
}

/** The part of a transaction's `bytes` that signers sign: a view, nothing is encoded. `tx` is what `bytes` decode to. */
export function unsignedBytes(bytes: Uint8Array, tx: PlatformTx): Uint8Array {
  return bytes.subarray(0, unsigned.size(tx.unsignedTx))
}

/** The node's JSON of a transaction in a {@link NodeJson.context}; print it with `Json.stringify`. */
export function toJSON(tx: PlatformTx, context?: Codec.JsonContext): Json.Json {
  return codec.toJSON(tx, context)
}

/**
 * The transaction that the node's JSON (read by `Json.parse`) stands for.
 * @throws CodecError with `path`; TxsError `TXS_ID`: it has an `id`, and is not the transaction of that id
 */
export function fromJSON(json: Json.Json, context?: Codec.JsonContext): PlatformTx {
  return codec.fromJSON(json, context)
}

/** All inputs of a transaction in the order of their credentials: imported ones last. */
export function inputs({ unsignedTx }: PlatformTx): Stakeable.In[] {
  const own = 'inputs' in unsignedTx ? unsignedTx.inputs : []
  return unsignedTx.type === 'ImportTx' ? [...own, ...unsignedTx.importedInputs] : [...own]
}

/** The input ids (32 bytes each) of all UTXOs that a transaction spends, in the order of {@link inputs}. */
export function inputIds(tx: PlatformTx): Uint8Array[] {
  return inputs(tx).map(UtxoId.inputId)
}

/** The UTXOs that a transaction makes on the P-chain when it is accepted; stake and exports are not among them. */
export function utxos({ unsignedTx }: PlatformTx, txId: Uint8Array): PlatformUtxo.PlatformUtxo[] {
  return 'outputs' in unsignedTx ? UtxoOf.of(txId, unsignedTx.outputs) : []
}
