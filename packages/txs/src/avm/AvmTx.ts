import { Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import * as BaseTxOf from '../avax/BaseTx.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as Registry from '../internal/Registry.ts'
import { signedTx } from '../internal/signedTx.ts'
import { withId } from '../internal/withId.ts'
import * as AvmCredential from './AvmCredential.ts'
import * as AvmFx from './AvmFx.ts'

/** Codec of an output of X-chain transactions. */
export const Out = TransferableOutput.codec(AvmFx.Output, AvmFx.idOf)
export type Out = Codec.Infer<typeof Out>
export const In = TransferableInput.codec(AvmFx.Input, AvmFx.idOf)
export type In = Codec.Infer<typeof In>

const stateFields = AvmFx.withFxId(
  Codec.struct({ fxIndex: Codec.u32, outputs: Codec.array(AvmFx.State) }),
  'outputs',
  ({ fxIndex }) => AvmFx.IDS[fxIndex] ?? Id.EMPTY,
)

/**
 * Codec of an asset's initial state under one feature extension. `fxIndex` is the extension's index in {@link
 * AvmFx.IDS}.
 */
export const InitialState = Codec.withJson(stateFields, {
  json: (value, context) => stateFields.json(value, context),
  unjson: (json, context) => {
    const fxIndex = (json as { readonly fxIndex?: Json.Json } | null)?.fxIndex
    return stateFields.unjson(json, { ...context, fxIndex })
  },
})
export type InitialState = Codec.Infer<typeof InitialState>

/** Codec of an operation, which applies the action `operation` to UTXOs of one asset (`inputIDs`). */
export const Operation = AvmFx.withFxId(
  Codec.struct({ assetID: Codec.id, inputIDs: Codec.array(UtxoId.UtxoId), operation: AvmFx.Action }),
  'operation',
  ({ operation }) => AvmFx.idOf(operation),
)
export type Operation = Codec.Infer<typeof Operation>

const base = BaseTxOf.fields(Out, In)

/** Layout of a transaction that creates an asset. The asset's id is the transaction's id. */
export const CreateAssetTx = Codec.struct({
  ...base,
  name: Codec.string,
  symbol: Codec.string,
  /** Number of digits after the decimal point. */
  denomination: Codec.u8,
  initialStates: Codec.array(InitialState),
})
export type CreateAssetTx = Codec.Infer<typeof CreateAssetTx>

/** Layout of a transaction that executes operations. */
export const OperationTx = Codec.struct({ ...base, operations: Codec.array(Operation) })

/** Layout of a transaction that imports assets from another chain. */
export const ImportTx = Codec.struct({ ...base, sourceChain: Codec.id, importedInputs: Codec.array(In) })

/** Layout of a transaction that exports assets to another chain. */
export const ExportTx = Codec.struct({
  ...base,
  destinationChain: Codec.id,
  exportedOutputs: Codec.array(Out),
})

type Roles<Tx> = Registry.Importing<Tx, In> &
  Registry.Exporting<Tx, Out> &
  Registry.Role<'operations', Tx, readonly Operation[], Registry.FieldOf<Tx, readonly Operation[]>> &
  Registry.Role<'initialStates', Tx, readonly InitialState[], Registry.FieldOf<Tx, readonly InitialState[]>>

const entry = <L extends Registry.AnyStruct>(
  typeId: number,
  layout: L,
  roles: Roles<Codec.Infer<L>>,
): Registry.Entry<L, object> => [typeId, layout, roles]

/**
 * Every X-chain transaction type: its type id on the wire, its layout, and the roles of its fields. Other
 * tables that are keyed by transaction type use the same names.
 *
 * @example
 * ```ts
 * import { AvmTx } from '@firn/txs'
 *
 * console.log(AvmTx.TYPES.CreateAssetTx[0]) // 1
 * ```
 */
export const TYPES = {
  BaseTx: entry(0, Codec.struct(base), {}),
  CreateAssetTx: entry(1, CreateAssetTx, { initialStates: (tx) => tx.initialStates }),
  OperationTx: entry(2, OperationTx, { operations: (tx) => tx.operations }),
  ImportTx: entry(3, ImportTx, { imported: (tx) => ({ from: tx.sourceChain, inputs: tx.importedInputs }) }),
  ExportTx: entry(4, ExportTx, {
    exported: (tx) => ({ to: tx.destinationChain, outputs: tx.exportedOutputs }),
  }),
}

/** Name of a transaction type. */
export type TxType = keyof typeof TYPES

/** The unsigned transaction of type `T`, where `T` may be a union of types. */
export type Of<T extends TxType> = Registry.TxOf<typeof TYPES, T>

/** An unsigned transaction of any type, discriminated by `type`. */
export type UnsignedTx = Of<TxType>

/** Codec of an unsigned transaction with its type id, and of its JSON. */
export const UnsignedTx: Codec.Codec<UnsignedTx> = Codec.union(TYPES)

const role = /* @__PURE__ */ Registry.readRole<
  {
    readonly imported: Registry.Imported<In>
    readonly exported: Registry.Exported<Out>
    readonly operations: readonly Operation[]
    readonly initialStates: readonly InitialState[]
  },
  TxType
>(TYPES)

/**
 * Returns a transaction's imported inputs and the id of the chain that exported them; undefined if it is not
 * an import.
 *
 * @example
 * ```ts
 * import { AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.UnsignedTx
 * console.log(AvmTx.imported(tx)?.inputs.length)
 * ```
 */
export function imported(tx: UnsignedTx): Registry.Imported<In> | undefined {
  return role(tx, 'imported')
}

/**
 * Returns a transaction's exported outputs and the id of the chain that can import them; undefined if it is
 * not an export.
 *
 * @example
 * ```ts
 * import { AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.UnsignedTx
 * console.log(AvmTx.exported(tx)?.outputs.length)
 * ```
 */
export function exported(tx: UnsignedTx): Registry.Exported<Out> | undefined {
  return role(tx, 'exported')
}

/**
 * Returns the operations of a transaction; empty for types without operations.
 *
 * @example
 * ```ts
 * import { AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.UnsignedTx
 * console.log(AvmTx.operations(tx).length)
 * ```
 */
export function operations(tx: UnsignedTx): readonly Operation[] {
  return role(tx, 'operations') ?? []
}

/**
 * Returns the initial states of the asset that a transaction creates; empty if it creates no asset.
 *
 * @example
 * ```ts
 * import { AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.UnsignedTx
 * console.log(AvmTx.initialStates(tx).length)
 * ```
 */
export function initialStates(tx: UnsignedTx): readonly InitialState[] {
  return role(tx, 'initialStates') ?? []
}

/**
 * A signed transaction: its content and its credentials. There is a credential for each input, then for each
 * operation or imported input.
 */
export interface AvmTx {
  readonly unsignedTx: UnsignedTx
  readonly credentials: readonly AvmCredential.AvmCredential[]
}

/**
 * Encoding, ids and JSON of X-chain transactions.
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
export const {
  Tx,
  codec,
  decode,
  encode,
  id,
  encodeUnsigned,
  decodeUnsigned,
  unsignedBytes,
  toJSON,
  fromJSON,
} = signedTx<AvmTx>({
  unsignedTx: UnsignedTx,
  credential: AvmCredential.codec,
  withId: (struct, idOf) => withId(struct, idOf, withOwnedProperties),
})

/**
 * Maximum number of last outputs that {@link withOwnedProperties} reads as owned properties: each attempt costs a
 * hash.
 */
const MAX_ALTERNATIVES = 64

/**
 * Yields alternative readings of a new asset's JSON, which does not distinguish an owned property from the
 * right to mint one. Outputs are sorted by type first, so only the last outputs can be owned properties.
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
 * Returns the UTXOs that a transaction spends: first by inputs, then by operations or imported
 * inputs.
 * @example
 * ```ts
 * import { AvmTx, UtxoId } from '@firn/txs'
 *
 * declare const tx: AvmTx.AvmTx
 * const ids = AvmTx.spent(tx).map(UtxoId.format)
 * ```
 */
export function spent({ unsignedTx }: AvmTx): UtxoId.UtxoId[] {
  return [
    ...unsignedTx.inputs,
    ...operations(unsignedTx).flatMap(({ inputIDs: inputIds }) => inputIds),
    ...(imported(unsignedTx)?.inputs ?? []),
  ]
}

/**
 * Returns the input ids (32 bytes each) of all UTXOs that a transaction spends, in the order of {@link
 * spent}.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { AvmTx } from '@firn/txs'
 *
 * declare const tx: AvmTx.AvmTx
 * const ids = AvmTx.inputIds(tx).map(Id.format)
 * ```
 */
export function inputIds(tx: AvmTx): Uint8Array[] {
  return spent(tx).map(UtxoId.inputId)
}
