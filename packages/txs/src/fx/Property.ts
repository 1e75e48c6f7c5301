import { Hex } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { alphabetical } from '../internal/layouts.ts'
import * as Secp256k1 from './Secp256k1.ts'

/** Id of the feature extension: its name in ASCII, padded with zeros. */
export const ID: Uint8Array = Hex.decodeBare('70726f70657274796678'.padEnd(64, '0'))

/** Codec of the right to mint a property. */
export const MintOutput = alphabetical(Codec.struct(Secp256k1.OutputOwners.fields))
export type MintOutput = Codec.Infer<typeof MintOutput>

/** Codec of an owned property. */
export const OwnedOutput = alphabetical(Codec.struct(Secp256k1.OutputOwners.fields))
export type OwnedOutput = Codec.Infer<typeof OwnedOutput>

/** Codec of the operation that mints a property. It spends the right to mint and creates it again. */
export const MintOperation = Codec.struct({
  mintInput: Secp256k1.Input,
  mintOutput: MintOutput,
  ownedOutput: OwnedOutput,
})
export type MintOperation = Codec.Infer<typeof MintOperation>

/** Codec of the operation that burns a property. */
export const BurnOperation = Codec.struct(Secp256k1.Input.fields)
export type BurnOperation = Codec.Infer<typeof BurnOperation>

/** Codec of a credential: recoverable signatures of 65 bytes each. */
export const Credential = Codec.struct(Secp256k1.Credential.fields)
export type Credential = Codec.Infer<typeof Credential>
