import { Codec } from '@firn/codec'

/**
 * Codec of the message in which a validator of a subnet-evm chain confirms another validator's uptime. It has
 * 46 bytes (version, u32 0, validation id, seconds) and is carried by an AddressedCall without source
 * address. Source: subnet-evm `warp/messages`.
 */
export const codec = Codec.versioned(
  Codec.union({ ValidatorUptime: [0, Codec.struct({ validationID: Codec.id, totalUptime: Codec.u64 })] }),
  { version: 0, maxSize: 24 * 1024 },
)

/** States that the validator `validationID` (32 bytes) was up for at least `totalUptime` seconds. */
export type ValidatorUptime = Codec.Infer<typeof codec>

/**
 * Encodes an uptime message.
 * @throws CodecError `CODEC_VALUE`
 * @example
 * ```ts
 * import { ValidatorUptime } from '@firn/warp'
 *
 * const validationID = new Uint8Array(32).fill(7)
 * const message = { type: 'ValidatorUptime', validationID, totalUptime: 86_400n } as const
 * ValidatorUptime.encode(message).length // 46
 * ```
 */
export function encode(message: ValidatorUptime): Uint8Array {
  return codec.encode(message)
}

/**
 * Decodes the uptime message in `bytes`.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_TYPE_ID`
 * @example
 * ```ts
 * import { ValidatorUptime } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * const { validationID, totalUptime } = ValidatorUptime.decode(bytes)
 * ```
 */
export function decode(bytes: Uint8Array): ValidatorUptime {
  return codec.decode(bytes)
}
