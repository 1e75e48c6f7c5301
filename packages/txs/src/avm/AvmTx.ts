import { Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import * as BaseTxOf from '../avax/BaseTx.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import { withId } from '../internal/withId.ts'
import * as AvmCredential from './AvmCredential.ts'
import * as AvmFx from './AvmFx.ts'

/** Outputs and inputs of X-chain transactions. */
export const Out = TransferableOutput.codec(AvmFx.Output, AvmFx.idOf)
export type Out = Codec.Infer<typeof Out>
export const In = TransferableInput.codec(AvmFx.Input, AvmFx.idOf)
export type In = Codec.Infer<typeof In>

const stateFields = AvmFx.withFxId(
  Codec.struct({ fxIndex: Codec.u32, outputs: Codec.array(AvmFx.State) }),
  'outputs',
  ({ fxIndex }) => AvmFx.IDS[fxIndex] ?? Id.EMPTY,
)

/** What an asset begins with under one of its feature extensions, named by its index in {@link AvmFx.IDS}. */
export const InitialState = Codec.withJson(stateFields, {
  json: (value, context) => stateFields.json(value, context),
  unjson: (json, context) => {
    const fxIndex = (json as { readonly fxIndex?: Json.Json } | null)?.fxIndex
    return stateFields.unjson(json, { ...context, fxIndex })
  },
})
export type InitialState = Codec.Infer<typeof InitialState>

/** Spends UTXOs of one asset (`inputIDs`) as `operation` says. */
export const Operation = AvmFx.withFxId(
  Codec.struct({ assetID: Codec.id, inputIDs: Codec.array(UtxoId.UtxoId), operation: AvmFx.Action }),
  'operation',
  ({ operation }) => AvmFx.idOf(operation),
)
export type Operation = Codec.Infer<typeof Operation>

const base = BaseTxOf.fields(Out, In)

/** Creates an asset; its id is the transaction's. */
export const CreateAssetTx = Codec.struct({
  ...base,
  name: Codec.string,
  symbol: Codec.string,
  /** Digits after the decimal point. */
  denomination: Codec.u8,
  initialStates: Codec.array(InitialState),
})
export type CreateAssetTx = Codec.Infer<typeof CreateAssetTx>

/** Every type of X-chain transaction, told by `type`: 0–4 on the wire. */
export const UnsignedTx = Codec.union({
  BaseTx: [0, Codec.struct(base)],
  CreateAssetTx: [1, CreateAssetTx],
  OperationTx: [2, Codec.struct({ ...base, operations: Codec.array(Operation) })],
  ImportTx: [3, Codec.struct({ ...base, sourceChain: Codec.id, importedInputs: Codec.array(In) })],
  ExportTx: [4, Codec.struct({ ...base, destinationChain: Codec.id, exportedOutputs: Codec.array(Out) })],
})
export type UnsignedTx = Codec.Infer<typeof UnsignedTx>

/** The name of a type of transaction. */
export type TxType = UnsignedTx['type']

/** The transaction of one type. */
export type Of<T extends TxType> = Extract<UnsignedTx, { readonly type: T }>

const layout = Codec.struct({ unsignedTx: UnsignedTx, credentials: Codec.array(AvmCredential.codec) })

/** The bound of the genesis, which the chain's own codec (256 KiB) does not set. */
const GENESIS_MAX_SIZE = 2 ** 31 - 1
const unbounded = Codec.versioned(layout, { maxSize: GENESIS_MAX_SIZE })

/** A transaction without a codec version, as it stands in blocks. Its JSON has the `id`. */
export const Tx = withId(layout, (tx) => Id.hash(unbounded.encode(tx)), withOwnedProperties)

/** A transaction: what it does, and a credential for each input, then for each operation or imported input. */
export type AvmTx = Codec.Infer<typeof layout>

/** A transaction as it is issued and stored: codec version 0, at most 256 KiB. */
export const codec: Codec.Codec<AvmTx> = Codec.versioned(Tx)

const unsigned = Codec.versioned(UnsignedTx)

/** Most outputs of an asset that {@link withOwnedProperties} looks at: each costs a hash. */
const MAX_ALTERNATIVES = 64

/**
 * What else JSON of a new asset may stand for. An owned property looks there like the right to mint one; outputs are sorted by
 * their type first, so it is the last ones that may be owned.
 */
function* withOwnedProperties(tx: AvmTx): Generator<AvmTx> {
  const { unsignedTx } = tx
  if (unsignedTx.type !== 'CreateAssetTx') return
  const most = Math.max(0, ...unsignedTx.initialStates.map(({ outputs }) => outputs.length))
  for (let owned = 1; owned <= Math.min(most, MAX_ALTERNATIVES); owned++) {
    const initialStates = unsignedTx.initialStates.map(({ fxIndex, outputs }) => ({
      fxIndex,
      outputs: outputs.map((output, i) =>
        output.type === 'PropertyMintOutput' && i >= outputs.length - owned
          ? { ...output, type: 'PropertyOwnedOutput' as const }
          : output,
      ),
    }))
    yield { ...tx, unsignedTx: { ...unsignedTx, initialStates } }
  }
}

/**
 * The transaction in `bytes`. Nothing is verified.
 * @throws CodecError any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): AvmTx {
  return codec.decode(bytes)
}

/**
 * The bytes of a transaction, with the codec version.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
 */
export function encode(tx: AvmTx): Uint8Array {
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
export function unsignedBytes(bytes: Uint8Array, tx: AvmTx): Uint8Array {
  return bytes.subarray(0, unsigned.size(tx.unsignedTx))
}

/** The node's JSON of a transaction; print it with `Json.stringify`. Without a context, as Go prints it before `InitCtx`. */
export function toJSON(tx: AvmTx, context?: Codec.JsonContext): Json.Json {
  return codec.toJSON(tx, context)
}

/**
 * The transaction that the node's JSON (read by `Json.parse`) stands for. Where JSON doesn't tell types apart (an asset that
 * begins with an owned property, or with outputs of another feature extension) the `id` decides, or there is an error.
 * @throws CodecError with `path`; TxsError `TXS_ID`: it has an `id`, and is not the transaction of that id
 */
export function fromJSON(json: Json.Json, context?: Codec.JsonContext): AvmTx {
  return codec.fromJSON(json, context)
}

/** The UTXOs that a transaction spends: inputs, then those of operations or imported ones. */
export function spent({ unsignedTx }: AvmTx): UtxoId.UtxoId[] {
  const { inputs } = unsignedTx
  switch (unsignedTx.type) {
    case 'OperationTx':
      return [...inputs, ...unsignedTx.operations.flatMap(({ inputIDs: inputIds }) => inputIds)]
    case 'ImportTx':
      return [...inputs, ...unsignedTx.importedInputs]
    default:
      return [...inputs]
  }
}

/** The input ids (32 bytes each) of all UTXOs that a transaction spends, in the order of {@link spent}. */
export function inputIds(tx: AvmTx): Uint8Array[] {
  return spent(tx).map(UtxoId.inputId)
}
