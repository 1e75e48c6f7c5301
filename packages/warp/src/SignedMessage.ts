import { Codec } from '@firn/codec'
import * as BitSet from './BitSet.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'

/** The only signature kind there is: which validators signed, and the sum of their signatures. */
const signature = Codec.union({
  BitSetSignature: [0, Codec.struct({ signers: Codec.bytes(), signature: Codec.fixed(96) })],
})

/** The message as it travels: the unsigned bytes followed by u32 0, the signers, and 96 bytes of signature. */
export const codec = Codec.versioned(Codec.struct({ unsigned: UnsignedMessage.fields, signature }), {
  version: 0,
  maxSize: UnsignedMessage.MAX_SIZE,
})

/**
 * `unsigned` and `signature: { type: 'BitSetSignature', signers, signature }`: `signers` is a {@link BitSet} over the canonical
 * validator set, `signature` a compressed BLS signature (96 bytes). Source: avalanchego `warp.Message`.
 */
export type SignedMessage = Codec.Infer<typeof codec>

/**
 * The bytes of a signed message: its unsigned bytes, 104 more, and the signers.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 */
export function encode(message: SignedMessage): Uint8Array {
  return codec.encode(message)
}

/**
 * The message in `bytes`. Nothing is verified: that is {@link Verification.verify}'s part.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_TYPE_ID`, `CODEC_LENGTH`, `CODEC_SIZE`
 */
export function decode(bytes: Uint8Array): SignedMessage {
  return codec.decode(bytes)
}

/**
 * A signed message of its parts: the canonical indices of those who signed (any order) and their aggregate (96 bytes).
 * @throws WarpError `WARP_BIT_SET`
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
