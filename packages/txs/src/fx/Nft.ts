import { Hex } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { alphabetical } from '../internal/layouts.ts'
import * as Secp256k1 from './Secp256k1.ts'

/** Id of the feature extension: its name in ASCII, padded with zeros. */
export const ID: Uint8Array = Hex.decodeBare('6e66746678'.padEnd(64, '0'))

/** Maximum size in bytes of an NFT's payload that the node accepts. */
export const MAX_PAYLOAD = 1024

/** Codec of the right to mint tokens of a group. */
export const MintOutput = alphabetical(Codec.struct({ groupID: Codec.u32, ...Secp256k1.OutputOwners.fields }))
export type MintOutput = Codec.Infer<typeof MintOutput>

/** Codec of a token of a group, with its payload. */
export const TransferOutput = alphabetical(
  Codec.struct({ groupID: Codec.u32, payload: Codec.bytes(), ...Secp256k1.OutputOwners.fields }),
)
export type TransferOutput = Codec.Infer<typeof TransferOutput>

/** Codec of the operation that mints one token of a group for each of `outputs`. */
export const MintOperation = Codec.struct({
  mintInput: Secp256k1.Input,
  groupID: Codec.u32,
  payload: Codec.bytes(),
  outputs: Codec.array(Secp256k1.OutputOwners),
})
export type MintOperation = Codec.Infer<typeof MintOperation>

/** Codec of the operation that transfers a token. */
export const TransferOperation = Codec.struct({ input: Secp256k1.Input, output: TransferOutput })
export type TransferOperation = Codec.Infer<typeof TransferOperation>

/** Codec of a credential: recoverable signatures of 65 bytes each. */
export const Credential = Codec.struct(Secp256k1.Credential.fields)
export type Credential = Codec.Infer<typeof Credential>
