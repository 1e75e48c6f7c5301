import type * as Codec from '@firn/codec/Codec'
import * as Utxo from '../avax/Utxo.ts'
import { assertOut } from '../internal/platformChecks.ts'
import { Output } from './Stakeable.ts'

/** An unspent output of the P-chain. */
export type PlatformUtxo = Utxo.Utxo<Output>

/** Codec of the bytes that `platform.getUTXOs` serves, and of the node's JSON. */
export const codec: Codec.Codec<PlatformUtxo> = Utxo.codec(Output)

/**
 * Decodes the UTXO in `bytes`.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { PlatformUtxo, Stakeable } from '@firn/txs'
 *
 * declare const hex: string // of platform.getUTXOs
 * const { output } = PlatformUtxo.decode(CheckedHex.decode(hex))
 * console.log(Stakeable.unlocked(output).amount)
 * ```
 * @throws CodecError if the bytes are malformed, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): PlatformUtxo {
  return codec.decode(bytes)
}

/**
 * Encodes a UTXO, with the codec version.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { PlatformUtxo } from '@firn/txs'
 *
 * declare const utxo: PlatformUtxo.PlatformUtxo
 * const hex = CheckedHex.encode(PlatformUtxo.encode(utxo))
 * ```
 */
export function encode(utxo: PlatformUtxo): Uint8Array {
  return codec.encode(utxo)
}

/**
 * Checks a UTXO's asset, lock, amount and owners, without the chain's state.
 * @example
 * ```ts
 * import { PlatformUtxo } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * PlatformUtxo.assertValid(PlatformUtxo.decode(bytes))
 * ```
 * @throws TxsError `TXS_ASSET_ID`, `TXS_LOCKTIME`, `TXS_NO_VALUE`, and the errors of `Owners.assertValid`
 */
export function assertValid(utxo: PlatformUtxo): void {
  assertOut(utxo)
}
