import { Hex } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { alphabetical } from '../internal/layouts.ts'
import * as Secp256k1 from './Secp256k1.ts'

/** The fx's id: its name in ASCII, padded with zeros. */
export const ID: Uint8Array = Hex.decodeBare('6e66746678'.padEnd(64, '0'))

/** Maximum size of a payload that the node accepts, in bytes. */
export const MAX_PAYLOAD = 1024

/** The right to mint tokens of a group. */
export const MintOutput = alphabetical(Codec.struct({ groupID: Codec.u32, ...Secp256k1.OutputOwners.fields }))
export type MintOutput = Codec.Infer<typeof MintOutput>

/** A token of a group, with its payload. */
export const TransferOutput = alphabetical(
  Codec.struct({ groupID: Codec.u32, payload: Codec.bytes(), ...Secp256k1.OutputOwners.fields }),
)
export type TransferOutput = Codec.Infer<typeof TransferOutput>

/** Mints one token of a group for each of the owners. */
export const MintOperation = Codec.struct({
  mintInput: Secp256k1.Input,
  groupID: Codec.u32,
  payload: Codec.bytes(),
  outputs: Codec.array(Secp256k1.OutputOwners),
})
export type MintOperation = Codec.Infer<typeof MintOperation>

/** Transfers a token. */
export const TransferOperation = Codec.struct({ input: Secp256k1.Input, output: TransferOutput })
export type TransferOperation = Codec.Infer<typeof TransferOperation>

/** Recoverable signatures (65 bytes each). */
export const Credential = Codec.struct(Secp256k1.Credential.fields)
export type Credential = Codec.Infer<typeof Credential>
