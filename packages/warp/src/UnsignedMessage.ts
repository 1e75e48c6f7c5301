import { Codec, Id } from '@firn/codec'

/**
 * Maximum size of a message in bytes, signed or unsigned. The specification sets no limit. This is the
 * maximum frame of the peer protocol, so a validator cannot be requested to sign a longer message.
 */
export const MAX_SIZE = 2 * 1024 * 1024

/** Codec of the fields without the codec version, as they are embedded in a signed message. */
export const fields = Codec.struct({
  networkID: Codec.u32,
  sourceChainID: Codec.id,
  payload: Codec.bytes(),
})

/** Codec of the message as validators sign it: u16 version 0, then the fields. 42 bytes plus the payload. */
export const codec = Codec.versioned(fields, { version: 0, maxSize: MAX_SIZE })

/**
 * A message without signature: `networkID`, `sourceChainID` (32 bytes; all zero for the P-chain) and
 * `payload`. Source: avalanchego `warp.UnsignedMessage`.
 */
export type UnsignedMessage = Codec.Infer<typeof fields>

/**
 * Encodes the bytes that validators sign.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Payload, UnsignedMessage } from '@firn/warp'
 *
 * const payload = Payload.encode({ type: 'Hash', hash: new Uint8Array(32).fill(7) })
 * UnsignedMessage.encode({ networkID: 1, sourceChainID: Id.EMPTY, payload }).length // 80
 * ```
 */
export function encode(message: UnsignedMessage): Uint8Array {
  return codec.encode(message)
}

/**
 * Decodes the message in `bytes` without interpreting the payload.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_LENGTH`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { UnsignedMessage } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * const { networkID, sourceChainID } = UnsignedMessage.decode(bytes)
 * ```
 */
export function decode(bytes: Uint8Array): UnsignedMessage {
  return codec.decode(bytes)
}

/**
 * Returns the message id (32 bytes), SHA-256 of the unsigned bytes. It is topic 2 of the EVM log that sent
 * the message.
 *
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { UnsignedMessage } from '@firn/warp'
 *
 * declare const message: UnsignedMessage.UnsignedMessage
 * const text = Id.format(UnsignedMessage.id(message))
 * ```
 */
export function id(message: UnsignedMessage): Uint8Array {
  return Id.hash(encode(message))
}
