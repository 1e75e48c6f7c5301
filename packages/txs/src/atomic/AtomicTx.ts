import * as Codec from '@firn/codec/Codec'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Registry from '../internal/Registry.ts'
import { signedTx } from '../internal/signedTx.ts'

/** Codec of the content of an imported input. */
export const Input = Codec.union({ TransferInput: [5, Secp256k1.TransferInput] })
export type Input = Codec.Infer<typeof Input>

/** Codec of the content of an exported output or a UTXO. */
export const Output = Codec.union({ TransferOutput: [7, Secp256k1.TransferOutput] })
export type Output = Codec.Infer<typeof Output>

const secp256k1 = () => Secp256k1.ID

/** Codec of an imported input. */
export const In = TransferableInput.codec(Input, secp256k1)
export type In = Codec.Infer<typeof In>

/** Codec of an exported output. */
export const Out = TransferableOutput.codec(Output, secp256k1)
export type Out = Codec.Infer<typeof Out>

const evmFields = {
  /** EVM address, 20 bytes. */
  address: Codec.fixed(20),
  /** Amount in nAVAX for AVAX; 1 nAVAX is 10^9 wei on the C-chain. */
  amount: Codec.u64,
  assetID: Codec.id,
}

/** An amount that an import credits to an account. 60 bytes. */
export const EvmOutput = Codec.struct(evmFields)
export type EvmOutput = Codec.Infer<typeof EvmOutput>

/** An amount that an export debits from an account, with the account's current `nonce`. 68 bytes. */
export const EvmInput = Codec.struct({ ...evmFields, nonce: Codec.u64 })
export type EvmInput = Codec.Infer<typeof EvmInput>

const begin = { networkID: Codec.u32, blockchainID: Codec.id }

/** Layout of a transaction that imports assets from another chain. */
export const ImportTx = Codec.struct({
  ...begin,
  sourceChain: Codec.id,
  importedInputs: Codec.array(In),
  outputs: Codec.array(EvmOutput),
})

/** Layout of a transaction that exports assets to another chain. */
export const ExportTx = Codec.struct({
  ...begin,
  destinationChain: Codec.id,
  inputs: Codec.array(EvmInput),
  exportedOutputs: Codec.array(Out),
})

type Roles<Tx> = Registry.Importing<Tx, In> &
  Registry.Exporting<Tx, Out> &
  Registry.Role<'credited', Tx, readonly EvmOutput[], Registry.FieldOf<Tx, readonly EvmOutput[]>> &
  Registry.Role<'debited', Tx, readonly EvmInput[], Registry.FieldOf<Tx, readonly EvmInput[]>>

const entry = <L extends Registry.AnyStruct>(
  typeId: number,
  layout: L,
  roles: Roles<Codec.Infer<L>>,
): Registry.Entry<L, object> => [typeId, layout, roles]

/**
 * Every atomic transaction type: its type id on the wire, its layout, and the roles of its fields. Other
 * tables that are keyed by transaction type use the same names.
 *
 * @example
 * ```ts
 * import { AtomicTx } from '@firn/txs'
 *
 * console.log(AtomicTx.TYPES.ExportTx[0]) // 1
 * ```
 */
export const TYPES = {
  ImportTx: entry(0, ImportTx, {
    imported: (tx) => ({ from: tx.sourceChain, inputs: tx.importedInputs }),
    credited: (tx) => tx.outputs,
  }),
  ExportTx: entry(1, ExportTx, {
    exported: (tx) => ({ to: tx.destinationChain, outputs: tx.exportedOutputs }),
    debited: (tx) => tx.inputs,
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
    readonly credited: readonly EvmOutput[]
    readonly debited: readonly EvmInput[]
  },
  TxType
>(TYPES)

/**
 * Returns a transaction's imported inputs and the id of the chain that exported them; undefined if it is not
 * an import.
 *
 * @example
 * ```ts
 * import { AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.UnsignedTx
 * console.log(AtomicTx.imported(tx)?.inputs.length)
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
 * import { AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.UnsignedTx
 * console.log(AtomicTx.exported(tx)?.outputs.length)
 * ```
 */
export function exported(tx: UnsignedTx): Registry.Exported<Out> | undefined {
  return role(tx, 'exported')
}

/**
 * Returns the amounts that a transaction credits to accounts; empty for an export.
 *
 * @example
 * ```ts
 * import { AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.UnsignedTx
 * console.log(AtomicTx.credited(tx).length)
 * ```
 */
export function credited(tx: UnsignedTx): readonly EvmOutput[] {
  return role(tx, 'credited') ?? []
}

/**
 * Returns the amounts that a transaction debits from accounts; empty for an import.
 *
 * @example
 * ```ts
 * import { AtomicTx } from '@firn/txs'
 *
 * declare const tx: AtomicTx.UnsignedTx
 * console.log(AtomicTx.debited(tx).length)
 * ```
 */
export function debited(tx: UnsignedTx): readonly EvmInput[] {
  return role(tx, 'debited') ?? []
}

/**
 * Codec of the proof for an input. Valid transactions have `Credential` here, but the node's parser accepts
 * every type that has a Verify method.
 */
export const Verifiable = Codec.union({
  TransferInput: [5, Secp256k1.TransferInput],
  TransferOutput: [7, Secp256k1.TransferOutput],
  Credential: [9, Secp256k1.Credential],
  Input: [10, Secp256k1.Input],
  OutputOwners: [11, Secp256k1.OutputOwners],
})
export type Verifiable = Codec.Infer<typeof Verifiable>

/**
 * An atomic transaction of the C-chain: an import or export, and a credential for each input. Source: coreth
 * `atomic`.
 */
export interface AtomicTx {
  readonly unsignedTx: UnsignedTx
  readonly credentials: readonly Verifiable[]
}

/**
 * Encoding, ids and JSON of atomic transactions. The node's API serves them only as hex and never sets their chain.
 * Their JSON therefore has no `id`. Without a context it shows addresses in cb58 and the zero id as every `fxID`, as
 * the node's Go types print.
 */
export const {
  Tx,
  codec,
  decode,
  encode,
  id,
  encodeUnsigned,
  decodeUnsigned,
  unsignedSize,
  unsignedBytes,
  toJSON,
  fromJSON,
} = signedTx<AtomicTx>({ unsignedTx: UnsignedTx, credential: Verifiable })

const sinceHelicon = /* @__PURE__ */ signedTx<AtomicTx>({
  unsignedTx: UnsignedTx,
  credential: Codec.union({ Credential: [9, Secp256k1.Credential] }) as Codec.Codec<Verifiable>,
})

/**
 * Decodes a transaction that is to be issued since Helicon: from then on, nodes accept no other type of credential than
 * `Credential`.
 * @throws CodecError if the bytes are malformed, with `path` and `offset`
 * @example
 * ```ts
 * import { AtomicTx } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * const { credentials } = AtomicTx.decodeSinceHelicon(bytes)
 * ```
 */
export function decodeSinceHelicon(bytes: Uint8Array): AtomicTx {
  return sinceHelicon.decode(bytes)
}
