import * as UtxoOf from '../avax/Utxo.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import { signedTx } from '../internal/signedTx.ts'
import { withId } from '../internal/withId.ts'
import type * as PlatformUtxo from './PlatformUtxo.ts'
import type * as Stakeable from './Stakeable.ts'
import { inputs as inputsOf, UnsignedTx } from './UnsignedTx.ts'
import { Verifiable } from './Verifiable.ts'

/** A transaction of the P-chain: its content and the credentials of its signers. */
export interface PlatformTx {
  readonly unsignedTx: UnsignedTx
  readonly credentials: readonly Verifiable[]
}

/**
 * Encoding, ids and JSON of P-chain transactions.
 *
 * @example
 * ```ts
 * import { Hex, Id } from '@firn/codec'
 * import { PlatformTx } from '@firn/txs'
 *
 * declare const hex: string // of platform.getTx
 * const bytes = Hex.decode(hex)
 * const tx = PlatformTx.decode(bytes)
 * console.log(Id.format(PlatformTx.id(bytes)), tx.unsignedTx.type, PlatformTx.unsignedBytes(bytes, tx).length)
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
} = signedTx<PlatformTx>({ unsignedTx: UnsignedTx, credential: Verifiable, withId })

/**
 * Returns all inputs of a transaction in the order of their credentials: imported inputs come last.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PlatformTx } from '@firn/txs'
 *
 * declare const tx: PlatformTx.PlatformTx
 * const assets = PlatformTx.inputs(tx).map(({ assetID }) => Id.format(assetID))
 * ```
 */
export function inputs({ unsignedTx }: PlatformTx): Stakeable.In[] {
  return inputsOf(unsignedTx)
}

/**
 * Returns the input ids (32 bytes each) of all UTXOs that a transaction spends, in the order of {@link
 * inputs}.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PlatformTx } from '@firn/txs'
 *
 * declare const tx: PlatformTx.PlatformTx
 * const ids = PlatformTx.inputIds(tx).map(Id.format)
 * ```
 */
export function inputIds(tx: PlatformTx): Uint8Array[] {
  return inputs(tx).map(UtxoId.inputId)
}

/**
 * Returns the UTXOs that an accepted transaction creates on the P-chain, except stake and exported outputs.
 * @example
 * ```ts
 * import { PlatformTx } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a P-chain transaction
 * const utxos = PlatformTx.utxos(PlatformTx.decode(bytes), PlatformTx.id(bytes))
 * ```
 */
export function utxos({ unsignedTx }: PlatformTx, txId: Uint8Array): PlatformUtxo.PlatformUtxo[] {
  return 'outputs' in unsignedTx ? UtxoOf.of(txId, unsignedTx.outputs) : []
}
