import { Codec } from '@firn/codec'
import { WarpError } from './WarpError.ts'

/** Maximum size of a payload: 24 KiB, including version and type id. */
export const MAX_SIZE = 24 * 1024

/**
 * Codec of the payload of a message: `Hash` (38 bytes; the hash of an accepted block) or `AddressedCall` (14
 * bytes plus address and payload). Source: avalanchego `warp/payload`.
 */
export const codec = Codec.versioned(
  Codec.union({
    Hash: [0, Codec.struct({ hash: Codec.id })],
    AddressedCall: [1, Codec.struct({ sourceAddress: Codec.bytes(), payload: Codec.bytes() })],
  }),
  { version: 0, maxSize: MAX_SIZE },
)

/**
 * A payload: `{ type: 'Hash', hash }` or `{ type: 'AddressedCall', sourceAddress, payload }`. The P-chain's
 * source address is empty.
 */
export type Payload = Codec.Infer<typeof codec>
/** A payload with the hash of an accepted block. */
export type Hash = Extract<Payload, { type: 'Hash' }>
/** A payload sent by `sourceAddress` (20 bytes from an EVM chain, empty from the P-chain). */
export type AddressedCall = Extract<Payload, { type: 'AddressedCall' }>

/**
 * Encodes a payload.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { Payload } from '@firn/warp'
 *
 * const sourceAddress = new Uint8Array(20)
 * Payload.encode({ type: 'AddressedCall', sourceAddress, payload: Uint8Array.of(1, 2, 3) }).length // 37
 * ```
 */
export function encode(payload: Payload): Uint8Array {
  return codec.encode(payload)
}

/**
 * Decodes the payload in `bytes`.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_TYPE_ID`, `CODEC_LENGTH`,
 * `CODEC_SIZE`
 * @example
 * ```ts
 * import { Payload, UnsignedMessage } from '@firn/warp'
 *
 * declare const message: UnsignedMessage.UnsignedMessage
 * const payload = Payload.decode(message.payload)
 * if (payload.type === 'AddressedCall') console.log(payload.sourceAddress)
 * ```
 */
export function decode(bytes: Uint8Array): Payload {
  return codec.decode(bytes)
}

/**
 * Decodes the payload in `bytes`, which must be of the given type.
 * @throws WarpError `WARP_WRONG_TYPE`
 * @throws CodecError the errors of {@link decode}
 * @example
 * ```ts
 * import { Payload, UnsignedMessage } from '@firn/warp'
 *
 * declare const message: UnsignedMessage.UnsignedMessage
 * const { payload } = Payload.decodeAs(message.payload, 'AddressedCall')
 * ```
 */
export function decodeAs<Type extends Payload['type']>(
  bytes: Uint8Array,
  type: Type,
): Extract<Payload, { type: Type }> {
  const payload = decode(bytes)
  if (payload.type !== type) {
    throw new WarpError('WARP_WRONG_TYPE', `expected a payload of type ${type}, got ${payload.type}`, {
      details: { expected: type, got: payload.type },
    })
  }
  return payload as Extract<Payload, { type: Type }>
}
