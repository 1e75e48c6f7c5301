import { Codec } from '@firn/codec'
import * as BitSet from './BitSet.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'

/**
 * Codec of the only kind of signature: a bit set of the validators that signed, and their aggregate
 * signature.
 */
const signature = Codec.union({
  BitSetSignature: [0, Codec.struct({ signers: Codec.bytes(), signature: Codec.fixed(96) })],
})

/** Codec of a signed message: the unsigned bytes, a u32 of 0, the signers, and a 96-byte signature. */
export const codec = Codec.versioned(Codec.struct({ unsigned: UnsignedMessage.fields, signature }), {
  version: 0,
  maxSize: UnsignedMessage.MAX_SIZE,
})

/**
 * A message with its signature. `unsigned` is the message and `signature` is `{ type: 'BitSetSignature',
 * signers, signature }`. `signers` is a {@link BitSet} over the canonical validator set, and the inner
 * `signature` is a compressed BLS signature (96 bytes). Source: avalanchego `warp.Message`.
 */
export type SignedMessage = Codec.Infer<typeof codec>

/**
 * Encodes a signed message: the unsigned bytes, the signature's type id (4 bytes), the signers with a length prefix
 * (4 bytes), and the aggregate signature (96 bytes).
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { SignedMessage } from '@firn/warp'
 *
 * declare const message: SignedMessage.SignedMessage
 * const bytes = SignedMessage.encode(message)
 * ```
 */
export function encode(message: SignedMessage): Uint8Array {
  return codec.encode(message)
}

/**
 * Decodes the message in `bytes` without verifying it; see {@link Verification.verify}.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_TYPE_ID`, `CODEC_LENGTH`,
 * `CODEC_SIZE`
 * @example
 * ```ts
 * import { SignedMessage } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * const { unsigned, signature } = SignedMessage.decode(bytes)
 * ```
 */
export function decode(bytes: Uint8Array): SignedMessage {
  return codec.decode(bytes)
}

/**
 * Creates a signed message from the canonical indices of the signers (in any order) and their aggregate
 * signature (96 bytes).
 * @throws WarpError `WARP_BIT_SET`
 * @example
 * ```ts
 * import { Signature } from '@firn/bls'
 * import { SignedMessage, UnsignedMessage } from '@firn/warp'
 *
 * declare const unsigned: UnsignedMessage.UnsignedMessage
 * declare const signatures: readonly Signature.Signature[] // of the validators 0, 3 and 8
 * const message = SignedMessage.create(unsigned, [0, 3, 8], Signature.aggregate(signatures).compressed)
 * ```
 */
export function create(
  unsigned: UnsignedMessage.UnsignedMessage,
  signers: Iterable<number>,
  aggregate: Uint8Array,
): SignedMessage {
  return {
    unsigned,
    signature: { type: 'BitSetSignature', signers: BitSet.encode(signers), signature: aggregate },
  }
}
