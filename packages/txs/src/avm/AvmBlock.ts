import { Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { withId } from '../internal/withId.ts'
import { Tx } from './AvmTx.ts'

const fields = {
  parentID: Codec.id,
  height: Codec.u64,
  /** Unix seconds. */
  time: Codec.u64,
  /** All zero until now. */
  merkleRoot: Codec.id,
  txs: Codec.array(Tx),
}

const plain = Codec.versioned(Codec.union({ StandardBlock: [20, Codec.struct(fields)] }), {
  maxSize: 2 ** 31 - 1,
})

/** The only type of block; JSON has its `id` at the end. */
const StandardBlock = withId(Codec.struct(fields), (block) =>
  Id.hash(plain.encode({ type: 'StandardBlock', ...block })),
)

/** A block behind its codec version, at most 256 KiB. */
export const codec = Codec.versioned(
  Codec.union({ StandardBlock: [20, StandardBlock] }, { variantOf: () => 'StandardBlock' }),
)

/** A block of the X-chain after its linearization: a `StandardBlock` always. Source: avalanchego `vms/avm/block`. */
export type AvmBlock = Codec.Infer<typeof codec>

/**
 * The block in `bytes`. Nothing is verified.
 * @throws CodecError any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): AvmBlock {
  return codec.decode(bytes)
}

/**
 * The bytes of a block, with the codec version.
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE`, with `path`
 */
export function encode(block: AvmBlock): Uint8Array {
  return codec.encode(block)
}

/** The id of the block whose bytes are given: their SHA-256. */
export function id(bytes: Uint8Array): Uint8Array {
  return Id.hash(bytes)
}

/** The node's JSON of a block; print it with `Json.stringify`. The context is that of transactions. */
export function toJSON(block: AvmBlock, context?: Codec.JsonContext): Json.Json {
  return codec.toJSON(block, context)
}

/**
 * The block that the node's JSON (read by `Json.parse`) stands for.
 * @throws CodecError with `path`; TxsError `TXS_ID`
 */
export function fromJSON(json: Json.Json, context?: Codec.JsonContext): AvmBlock {
  return codec.fromJSON(json, context)
}
