import { Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { type Serialized, serialized } from './serialized.ts'

/** A transaction: its content, and the credentials of its signers. */
interface Signed {
  readonly unsignedTx: unknown
  readonly credentials: readonly unknown[]
}

type SignedStruct<T extends Signed> = Codec.StructCodec<{
  readonly unsignedTx: Codec.Codec<T['unsignedTx']>
  readonly credentials: Codec.Codec<readonly T['credentials'][number][]>
}>
type SignedValue<T extends Signed> = Codec.Infer<SignedStruct<T>>

/** The codecs that make up a chain's transactions. */
export interface SignedLayout<T extends Signed> {
  readonly unsignedTx: Codec.Codec<T['unsignedTx']>
  readonly credential: Codec.Codec<T['credentials'][number]>
  /** Adds an `id` to the JSON of a transaction. Without this option, JSON has no id. */
  readonly withId?: (struct: SignedStruct<T>, idOf: (tx: SignedValue<T>) => Uint8Array) => SignedStruct<T>
}

/** Encoding, ids and JSON of a chain's transactions. */
export interface SignedTx<T extends Signed> extends Serialized<T> {
  /** Codec of a transaction without a codec version, as in blocks and in the genesis. */
  readonly Tx: Codec.Codec<T>
  /**
   * Encodes the bytes that signers sign, including the codec version. The signature is over their SHA-256.
   * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
   */
  readonly encodeUnsigned: (tx: T['unsignedTx']) => Uint8Array
  /**
   * Decodes the bytes that signers sign, which hardware wallets and custodians pass on without credentials.
   * @throws CodecError if the bytes are malformed, with `path` and `offset`
   */
  readonly decodeUnsigned: (bytes: Uint8Array) => T['unsignedTx']
  /** Returns the length of the result of {@link SignedTx.encodeUnsigned}, without encoding. */
  readonly unsignedSize: (tx: T['unsignedTx']) => number
  /**
   * Returns the part of `bytes` that signers sign, as a view. `tx` must be the transaction decoded from
   * `bytes`.
   */
  readonly unsignedBytes: (bytes: Uint8Array, tx: T) => Uint8Array
}

/**
 * Maximum size in bytes of a transaction in the genesis, which may exceed the 256 KiB limit of issued transactions.
 */
const GENESIS_MAX_SIZE = 2 ** 31 - 1

/**
 * Returns the encoding functions of a chain's transactions, derived from their layout: bytes, ids, JSON and
 * bytes to sign.
 */
export function signedTx<T extends Signed>({ unsignedTx, credential, withId }: SignedLayout<T>): SignedTx<T> {
  const struct: SignedStruct<T> = Codec.struct({ unsignedTx, credentials: Codec.array(credential) })
  const unbounded = Codec.versioned(struct, { maxSize: GENESIS_MAX_SIZE })
  const Tx = (withId?.(struct, (tx) => Id.hash(unbounded.encode(tx))) ??
    struct) as Codec.Codec<unknown> as Codec.Codec<T>
  const unsigned = Codec.versioned(unsignedTx)
  return {
    ...serialized(Codec.versioned(Tx)),
    Tx,
    encodeUnsigned: unsigned.encode,
    decodeUnsigned: unsigned.decode,
    unsignedSize: unsigned.size,
    unsignedBytes: (bytes, tx) => bytes.subarray(0, unsigned.size(tx.unsignedTx)),
  }
}
