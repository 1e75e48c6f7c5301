import { Codec, Id } from '@firn/codec'

/**
 * Maximum size of a message in bytes, signed or not. The specification sets no bound; this is the longest
 * frame of the peer protocol, so a validator cannot be asked to sign anything longer.
 */
export const MAX_SIZE = 2 * 1024 * 1024

/** The fields without the codec version, as a signed message embeds them. */
export const fields = Codec.struct({
  networkID: Codec.u32,
  sourceChainID: Codec.id,
  payload: Codec.bytes(),
})

/** The message as validators sign it: u16 version 0, then the fields; 42 bytes plus the payload. */
export const codec = Codec.versioned(fields, { version: 0, maxSize: MAX_SIZE })

/** `networkID`, `sourceChainID` (32 bytes; the P-chain's is all zero) and `payload`. Source: avalanchego `warp.UnsignedMessage`. */
export type UnsignedMessage = Codec.Infer<typeof fields>

/**
 * Encodes the bytes that validators sign.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 */
export function encode(message: UnsignedMessage): Uint8Array {
  return codec.encode(message)
}

/**
 * Decodes the message in `bytes` without interpreting the payload.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_LENGTH`, `CODEC_SIZE`
 */
export function decode(bytes: Uint8Array): UnsignedMessage {
  return codec.decode(bytes)
}

/**
 * Returns the message id (32 bytes): SHA-256 of the unsigned bytes, which is topic 2 of the EVM log that sent
 * it.
 */
export function id(message: UnsignedMessage): Uint8Array {
  return Id.hash(encode(message))
}
