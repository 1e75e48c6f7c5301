import * as Codec from '@firn/codec/Codec'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as Secp256k1 from '../fx/Secp256k1.ts'

/**
 * Codec of an output that can be staked but not transferred before `locktime`. A lock inside a lock does not
 * decode, because the node's codec also rejects a type nested in itself.
 */
export const LockOut = Codec.struct({
  locktime: Codec.u64,
  output: Codec.union({ TransferOutput: [7, Secp256k1.TransferOutput] }),
})
export type LockOut = Codec.Infer<typeof LockOut>

/** Codec of an input that spends a locked output into stake or into an output with the same lock. */
export const LockIn = Codec.struct({
  locktime: Codec.u64,
  input: Codec.union({ TransferInput: [5, Secp256k1.TransferInput] }),
})
export type LockIn = Codec.Infer<typeof LockIn>

/** Codec of an output of the P-chain, discriminated by `type`. */
export const Output = Codec.union({ TransferOutput: [7, Secp256k1.TransferOutput], LockOut: [22, LockOut] })
export type Output = Codec.Infer<typeof Output>

/** Codec of an input of the P-chain, discriminated by `type`. */
export const Input = Codec.union({ TransferInput: [5, Secp256k1.TransferInput], LockIn: [21, LockIn] })
export type Input = Codec.Infer<typeof Input>

const secp256k1 = () => Secp256k1.ID

/** Codec of an output of P-chain transactions with its asset. The fx is always secp256k1. */
export const Out = TransferableOutput.codec(Output, secp256k1)
export type Out = Codec.Infer<typeof Out>
export const In = TransferableInput.codec(Input, secp256k1)
export type In = Codec.Infer<typeof In>

/**
 * Returns an output's amount and owners, without the lock if there is one.
 * @example
 * ```ts
 * import { type PlatformUtxo, Stakeable } from '@firn/txs'
 *
 * declare const utxo: PlatformUtxo.PlatformUtxo
 * const { amount, addresses } = Stakeable.unlocked(utxo.output)
 * ```
 */
export function unlocked(output: Output): Secp256k1.TransferOutput {
  return output.type === 'LockOut' ? output.output : output
}

/**
 * Returns an input's amount and signature indices, without the lock if there is one.
 * @example
 * ```ts
 * import { Stakeable } from '@firn/txs'
 *
 * declare const inputs: readonly Stakeable.In[]
 * const amounts = inputs.map(({ input }) => Stakeable.unlockedInput(input).amount)
 * ```
 */
export function unlockedInput(input: Input): Secp256k1.TransferInput {
  return input.type === 'LockIn' ? input.input : input
}
