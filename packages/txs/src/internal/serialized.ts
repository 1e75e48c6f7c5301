import { Id, type Json } from '@firn/codec'
import type * as Codec from '@firn/codec/Codec'

/** Returns the node's JSON of a value. */
export type ToJson<T> = (value: T, context?: Codec.JsonContext) => Json.Json

/** Returns the value of the node's JSON. */
export type FromJson<T> = (json: Json.Json, context?: Codec.JsonContext) => T

/** Encoding, id and node JSON of a structure that is identified by its hash. */
export interface Serialized<T> {
  /** The structure after its codec version, as it is issued and stored: at most 256 KiB. */
  readonly codec: Codec.Codec<T>
  /**
   * Decodes `bytes` without verifying anything but their layout.
   * @throws CodecError any code of binary data, with `path` and `offset`
   */
  readonly decode: (bytes: Uint8Array) => T
  /**
   * Encodes a value, with the codec version.
   * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
   */
  readonly encode: (value: T) => Uint8Array
  /** Returns the id of the structure with these bytes: their SHA-256. */
  readonly id: (bytes: Uint8Array) => Uint8Array
  /**
   * Returns the node's JSON, to be printed with `Json.stringify`. Without a context it is what Go prints
   * before `InitCtx`.
   */
  readonly toJSON: ToJson<T>
  /**
   * Reads the node's JSON, as `Json.parse` returns it. Where members do not distinguish types, the `id`
   * decides.
   * @throws CodecError with `path`; TxsError `TXS_ID`: the JSON has the `id` of another value
   */
  readonly fromJSON: FromJson<T>
}

/** Returns the functions of a structure whose bytes are those of `codec`. */
export function serialized<T>(codec: Codec.Codec<T>): Serialized<T> {
  const { decode, encode, toJSON, fromJSON } = codec
  return { codec, decode, encode, id: Id.hash, toJSON, fromJSON }
}
