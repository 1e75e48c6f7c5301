import { Hex } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { address, alphabetical } from '../internal/layouts.ts'

/** The fx's id: its name in ASCII, padded with zeros. */
export const ID: Uint8Array = Hex.decodeBare('736563703235366b316678'.padEnd(64, '0'))

const owners = {
  /** Unix time in seconds before which it cannot be spent. */
  locktime: Codec.u64,
  /** Number of addresses that must sign. */
  threshold: Codec.u32,
  addresses: Codec.array(address),
}

/**
 * `locktime`, `threshold` of `addresses`: the owners who may spend or decide. 16 bytes plus 20 per address.
 */
export const OutputOwners = alphabetical(Codec.struct(owners))
export type OutputOwners = Codec.Infer<typeof OutputOwners>

/** An `amount` for its owners. */
export const TransferOutput = alphabetical(Codec.struct({ amount: Codec.u64, ...owners }))
export type TransferOutput = Codec.Infer<typeof TransferOutput>

/** The right of its owners to mint. */
export const MintOutput = alphabetical(Codec.struct(owners))
export type MintOutput = Codec.Infer<typeof MintOutput>

/** `signatureIndices`: the owner's addresses that sign, ascending. */
export const Input = Codec.struct({ signatureIndices: Codec.array(Codec.u32) })
export type Input = Codec.Infer<typeof Input>

/** Spends `amount` by the owners at `signatureIndices`. */
export const TransferInput = Codec.struct({ amount: Codec.u64, ...Input.fields })
export type TransferInput = Codec.Infer<typeof TransferInput>

/** Mints: the right is spent and created again, and one output is created. */
export const MintOperation = Codec.struct({
  mintInput: Input,
  mintOutput: MintOutput,
  transferOutput: TransferOutput,
})
export type MintOperation = Codec.Infer<typeof MintOperation>

/** Recoverable signatures (65 bytes each), one for each signature index. */
export const Credential = Codec.struct({ signatures: Codec.array(Codec.fixed(65)) })
export type Credential = Codec.Infer<typeof Credential>
