import { Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import * as BaseTxOf from '../avax/BaseTx.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import { signedTx } from '../internal/signedTx.ts'
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

/** A transaction: what it does, and a credential for each input, then for each operation or imported input. */
export interface AvmTx {
  readonly unsignedTx: UnsignedTx
  readonly credentials: readonly AvmCredential.AvmCredential[]
}

/**
 * The bytes, ids and JSON of X-chain transactions.
 *
 * @example
 * ```ts
 * import { Hex, Json } from '@firn/codec'
 * import { AvmTx, NodeJson } from '@firn/txs'
 *
 * declare const hex: string // of avm.getTx
 * const tx = AvmTx.decode(Hex.decode(hex))
 * console.log(Json.stringify(AvmTx.toJSON(tx, NodeJson.context(1, 'X'))))
 * ```
 */
export const { Tx, codec, decode, encode, id, encodeUnsigned, unsignedBytes, toJSON, fromJSON } =
  signedTx<AvmTx>({
    unsignedTx: UnsignedTx,
    credential: AvmCredential.codec,
    withId: (struct, idOf) => withId(struct, idOf, withOwnedProperties),
  })

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
