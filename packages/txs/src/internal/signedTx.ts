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

/** The layout of a chain's transactions. */
export interface SignedLayout<T extends Signed> {
  readonly unsignedTx: Codec.Codec<T['unsignedTx']>
  readonly credential: Codec.Codec<T['credentials'][number]>
  /** Adds the `id` to the JSON of a transaction; by default it has none. */
  readonly withId?: (struct: SignedStruct<T>, idOf: (tx: SignedValue<T>) => Uint8Array) => SignedStruct<T>
}

/** Encoding, ids and JSON of a chain's transactions. */
export interface SignedTx<T extends Signed> extends Serialized<T> {
  /** A transaction without a codec version, as in blocks and in the genesis. */
  readonly Tx: Codec.Codec<T>
  /**
   * Encodes the bytes that signers sign (by their SHA-256), with the codec version.
   * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
   */
  readonly encodeUnsigned: (tx: T['unsignedTx']) => Uint8Array
  /** Returns the length of {@link SignedTx.encodeUnsigned} without encoding. */
  readonly unsignedSize: (tx: T['unsignedTx']) => number
  /** Returns the part of `bytes` that signers sign, as a view without encoding. `bytes` decode to `tx`. */
  readonly unsignedBytes: (bytes: Uint8Array, tx: T) => Uint8Array
}

/** The size limit of the genesis, whose transactions may exceed the 256 KiB of issued ones. */
const GENESIS_MAX_SIZE = 2 ** 31 - 1

/**
 * Returns everything derived from the layout of a chain's transactions: their bytes, ids, JSON and the bytes
 * to sign.
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
    unsignedSize: unsigned.size,
    unsignedBytes: (bytes, tx) => bytes.subarray(0, unsigned.size(tx.unsignedTx)),
  }
}
