import { Codec, Id } from '@firn/codec'

/**
 * Codec of the data that a subnet's conversion commits to. Only its hash is sent. The layout is version 0 and
 * the fields, without type id: 74 bytes, the manager's address, and 80 bytes for each validator with a
 * 20-byte node id. Validators are in the order of the transaction. Source: avalanchego
 * `message.SubnetToL1ConversionData`.
 */
export const codec = Codec.versioned(
  Codec.struct({
    subnetID: Codec.id,
    managerChainID: Codec.id,
    managerAddress: Codec.bytes(),
    validators: Codec.array(
      Codec.struct({ nodeID: Codec.bytes(), blsPublicKey: Codec.fixed(48), weight: Codec.u64 }),
    ),
  }),
  { version: 0, maxSize: 2 * 1024 * 1024 },
)

/**
 * The fields `subnetID`, `managerChainID`, `managerAddress` and `validators: { nodeID, blsPublicKey, weight
 * }[]`.
 */
export type ConversionData = Codec.Infer<typeof codec>

/**
 * Encodes the bytes whose hash is the conversion id.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { ConversionData } from '@firn/warp'
 *
 * const bytes = ConversionData.encode({
 *   subnetID: Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz'),
 *   managerChainID: Id.parse('2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'),
 *   managerAddress: new Uint8Array(20),
 *   validators: [],
 * })
 * ```
 */
export function encode(data: ConversionData): Uint8Array {
  return codec.encode(data)
}

/**
 * Decodes the conversion data in `bytes`.
 * @throws CodecError `CODEC_TRUNCATED`, `CODEC_TRAILING`, `CODEC_VERSION`, `CODEC_LENGTH`, `CODEC_SIZE`
 * @example
 * ```ts
 * import { ConversionData } from '@firn/warp'
 *
 * declare const bytes: Uint8Array
 * const { validators } = ConversionData.decode(bytes)
 * const weight = validators.reduce((sum, validator) => sum + validator.weight, 0n)
 * ```
 */
export function decode(bytes: Uint8Array): ConversionData {
  return codec.decode(bytes)
}

/**
 * Returns the conversion id (32 bytes) that a SubnetToL1Conversion message carries: SHA-256 of the encoded
 * data.
 *
 * @example
 * ```ts
 * import { ConversionData, L1Message } from '@firn/warp'
 *
 * declare const data: ConversionData.ConversionData
 * const message = L1Message.encode({ type: 'SubnetToL1Conversion', id: ConversionData.id(data) })
 * ```
 */
export function id(data: ConversionData): Uint8Array {
  return Id.hash(encode(data))
}
