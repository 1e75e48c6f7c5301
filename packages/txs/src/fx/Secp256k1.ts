import { Hex } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { address, alphabetical } from '../internal/layouts.ts'

/** Id of the feature extension: its name in ASCII, padded with zeros. */
export const ID: Uint8Array = Hex.decodeBare('736563703235366b316678'.padEnd(64, '0'))

const owners = {
  /** Unix time in seconds before which the output cannot be spent. */
  locktime: Codec.u64,
  /** Number of addresses that must sign. */
  threshold: Codec.u32,
  addresses: Codec.array(address),
}

/**
 * Codec of owners: from `locktime` on, any `threshold` of `addresses` may spend an output or sign an authorization.
 * 16 bytes plus 20 per address.
 */
export const OutputOwners = alphabetical(Codec.struct(owners))
export type OutputOwners = Codec.Infer<typeof OutputOwners>

/** Codec of an output that holds an `amount` for its owners. */
export const TransferOutput = alphabetical(Codec.struct({ amount: Codec.u64, ...owners }))
export type TransferOutput = Codec.Infer<typeof TransferOutput>

/** Codec of an output that gives its owners the right to mint. */
export const MintOutput = alphabetical(Codec.struct(owners))
export type MintOutput = Codec.Infer<typeof MintOutput>

/**
 * Codec of an input. `signatureIndices` are the indices of the owners' addresses that sign, in ascending
 * order.
 */
export const Input = Codec.struct({ signatureIndices: Codec.array(Codec.u32) })
export type Input = Codec.Infer<typeof Input>

/** Codec of an input that spends `amount`, signed by the owners at `signatureIndices`. */
export const TransferInput = Codec.struct({ amount: Codec.u64, ...Input.fields })
export type TransferInput = Codec.Infer<typeof TransferInput>

/** Codec of the operation that mints an amount. It spends the right to mint and creates it again. */
export const MintOperation = Codec.struct({
  mintInput: Input,
  mintOutput: MintOutput,
  transferOutput: TransferOutput,
})
export type MintOperation = Codec.Infer<typeof MintOperation>

/** Codec of a credential: recoverable signatures of 65 bytes each, one for each signature index. */
export const Credential = Codec.struct({ signatures: Codec.array(Codec.fixed(65)) })
export type Credential = Codec.Infer<typeof Credential>
