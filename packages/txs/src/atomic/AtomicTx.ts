import * as Codec from '@firn/codec/Codec'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as Secp256k1 from '../fx/Secp256k1.ts'
import { signedTx } from '../internal/signedTx.ts'

/** What an imported input holds. */
export const Input = Codec.union({ TransferInput: [5, Secp256k1.TransferInput] })
export type Input = Codec.Infer<typeof Input>

/** What an exported output or a UTXO holds. */
export const Output = Codec.union({ TransferOutput: [7, Secp256k1.TransferOutput] })
export type Output = Codec.Infer<typeof Output>

const secp256k1 = () => Secp256k1.ID

/** UTXOs that are imported. */
export const In = TransferableInput.codec(Input, secp256k1)
export type In = Codec.Infer<typeof In>

/** UTXOs that are exported. */
export const Out = TransferableOutput.codec(Output, secp256k1)
export type Out = Codec.Infer<typeof Out>

const evmFields = {
  /** EVM address, 20 bytes. */
  address: Codec.fixed(20),
  /** Of AVAX: nAVAX, of which each is 10^9 wei on the C-chain. */
  amount: Codec.u64,
  assetID: Codec.id,
}

/** What an import adds to an account. 60 bytes. */
export const EvmOutput = Codec.struct(evmFields)
export type EvmOutput = Codec.Infer<typeof EvmOutput>

/** What an export takes from an account, whose next `nonce` this is. 68 bytes. */
export const EvmInput = Codec.struct({ ...evmFields, nonce: Codec.u64 })
export type EvmInput = Codec.Infer<typeof EvmInput>

const begin = { networkID: Codec.u32, blockchainID: Codec.id }

/** Both types of atomic transaction, told by `type`: 0 and 1 on the wire. */
export const UnsignedTx = Codec.union({
  ImportTx: [
    0,
    Codec.struct({
      ...begin,
      sourceChain: Codec.id,
      importedInputs: Codec.array(In),
      outputs: Codec.array(EvmOutput),
    }),
  ],
  ExportTx: [
    1,
    Codec.struct({
      ...begin,
      destinationChain: Codec.id,
      inputs: Codec.array(EvmInput),
      exportedOutputs: Codec.array(Out),
    }),
  ],
})
export type UnsignedTx = Codec.Infer<typeof UnsignedTx>

/** The name of a type of transaction. */
export type TxType = UnsignedTx['type']

/** The transaction of one type. */
export type Of<T extends TxType> = Extract<UnsignedTx, { readonly type: T }>

/**
 * What proves the right to an input. Valid transactions have `Credential` here, but the node's parser takes every type that has
 * a Verify method.
 */
export const Verifiable = Codec.union({
  TransferInput: [5, Secp256k1.TransferInput],
  TransferOutput: [7, Secp256k1.TransferOutput],
  Credential: [9, Secp256k1.Credential],
  Input: [10, Secp256k1.Input],
  OutputOwners: [11, Secp256k1.OutputOwners],
})
export type Verifiable = Codec.Infer<typeof Verifiable>

/** An atomic transaction of the C-chain: an import or export, and a credential for each input. Source: coreth `atomic`. */
export interface AtomicTx {
  readonly unsignedTx: UnsignedTx
  readonly credentials: readonly Verifiable[]
}

/**
 * The bytes, ids and JSON of atomic transactions. The node's API serves them as hex only and never tells them their chain, so
 * JSON has no `id`, and without a context addresses are cb58 and the fx is the zero id, as Go prints them.
 */
export const {
  Tx,
  codec,
  decode,
  encode,
  id,
  encodeUnsigned,
  unsignedSize,
  unsignedBytes,
  toJSON,
  fromJSON,
} = signedTx<AtomicTx>({ unsignedTx: UnsignedTx, credential: Verifiable })
