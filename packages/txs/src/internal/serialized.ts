import { Id, type Json } from '@firn/codec'
import type * as Codec from '@firn/codec/Codec'

/** Converts a value to the node's JSON. */
export type ToJson<T> = (value: T, context?: Codec.JsonContext) => Json.Json

/** Converts the node's JSON to a value. */
export type FromJson<T> = (json: Json.Json, context?: Codec.JsonContext) => T

/** Encoding, id and JSON of a structure that is identified by its hash. */
export interface Serialized<T> {
  /** Codec of the structure with its codec version, as it is issued and stored. Limited to 256 KiB. */
  readonly codec: Codec.Codec<T>
  /**
   * Decodes `bytes`, verifying only their layout.
   * @throws CodecError if the bytes are malformed, with `path` and `offset`
   */
  readonly decode: (bytes: Uint8Array) => T
  /**
   * Encodes a value, including the codec version.
   * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
   */
  readonly encode: (value: T) => Uint8Array
  /** Returns the id of an encoded structure: SHA-256 of `bytes`. */
  readonly id: (bytes: Uint8Array) => Uint8Array
  /**
   * Returns the node's JSON, to be printed with `Json.stringify`. Without a context, the result is what the node
   * prints for a structure on which `InitCtx` was not called.
   */
  readonly toJSON: ToJson<T>
  /**
   * Reads the node's JSON, as returned by `Json.parse`. Uses the `id` to decide between types that JSON does
   * not distinguish.
   * @throws CodecError with `path`; TxsError `TXS_ID` if the `id` does not match the content
   */
  readonly fromJSON: FromJson<T>
}

/** Returns the encoding functions of a structure with the given codec. */
export function serialized<T>(codec: Codec.Codec<T>): Serialized<T> {
  const { decode, encode, toJSON, fromJSON } = codec
  return { codec, decode, encode, id: Id.hash, toJSON, fromJSON }
}
