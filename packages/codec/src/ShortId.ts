import * as Cb58 from './Cb58.ts'
import * as Id from './Id.ts'

/** Length of a short id (address, node id) in bytes. */
export const LENGTH = 20

/** The all-zero short id (20 bytes). */
export const EMPTY: Uint8Array = new Uint8Array(LENGTH)

/**
 * Formats a 20-byte id as CB58.
 * @throws CodecError `CODEC_ID`
 * @example
 * ```ts
 * import { ShortId } from '@firn/codec'
 *
 * ShortId.format(ShortId.EMPTY) // '111111111111111111116DBWJs'
 * ```
 */
export function format(id: Uint8Array): string {
  return Cb58.encode(Id.assertLength(id, LENGTH))
}

/**
 * Parses a CB58 short id into its 20 bytes.
 * @throws CodecError `CODEC_CB58`, `CODEC_CHECKSUM`, `CODEC_ID`
 * @example
 * ```ts
 * import { ShortId } from '@firn/codec'
 *
 * ShortId.parse('6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV').length // 20
 * ```
 */
export function parse(text: string): Uint8Array {
  return Id.assertLength(Cb58.decode(text), LENGTH)
}
